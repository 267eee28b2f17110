/* SPDX-License-Identifier: MIT */
/* output.c - opens, describes and ends the capture. */
#include "record/output.h"

#include <fcntl.h>
#include <pthread.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/resource.h>
#include <sys/stat.h>
#include <time.h>
#include <unistd.h>

#include "capture/guest.h"
#include "capture/job.h"
#include "record/budget.h"
#include "record/front.h"
#include "record/handlers.h"
#include "record/places.h"
#include "record/target.h"
#include "record/whence.h"
#include "v5/outlet.h"

static void put_text(nytp_buf *b, const char *text) { nytp_buf_bytes(b, text, strlen(text)); }

static void random_run(unsigned char run[16]) {
    int fd = open("/dev/urandom", O_RDONLY | O_CLOEXEC);
    ssize_t n = fd < 0 ? -1 : read(fd, run, 16);
    if (fd >= 0) close(fd);
    if (n == 16) return;
    uint64_t a = nytp_clock_epoch_ns(), b = nytp_clock_monotonic_ns() ^ (uint64_t)getpid() << 32;
    memcpy(run, &a, 8);
    memcpy(run + 8, &b, 8);
}

static int64_t thread_cpu_ns(void) {
    struct timespec t;
    return clock_gettime(CLOCK_THREAD_CPUTIME_ID, &t) == 0 ? (int64_t)t.tv_sec * 1000000000 + t.tv_nsec : 0;
}

static int is_set(const unsigned char run[16]) {
    static const unsigned char none[16] = {0};
    return memcmp(run, none, 16) != 0;
}

/* Recorders that share an outlet are of one process, and a forked child has its parent's outlet in memory. */
static void choose_run(nytp_recorder *r) {
    unsigned char *own = r->output.stream.run, *shared = r->front.outlet ? r->front.outlet->run : own;
    if (is_set(own)) return;
    if (!is_set(shared)) random_run(shared);
    if (own != shared) memcpy(own, shared, 16);
}

static void name_stream(nytp_recorder *r) {
    choose_run(r);
    r->output.stream.process_start = nytp_clock_epoch_ns();
    r->output.stream.pid = nytp_output_pid(r);
    r->output.thread = pthread_self();
    r->output.thread_ns = thread_cpu_ns();
    r->output.thread_used = -1;
    r->output.threads = 1;
    r->output.rests = 0;
    r->output.stream.front_end = r->front.number;
}

static void write_options(nytp_recorder *r, nytp_buf *summary) {
    const nytp_option_row *in_order[32] = {NULL};
    for (const nytp_option_row *row = nytp_options_rows(); row->name; row++)
        if (row->recorded) in_order[row->recorded] = row;
    for (int i = 1; in_order[i]; i++) {
        const nytp_option_row *row = in_order[i];
        int64_t value = row->kind == NYTP_OPTION_CLOCK ? r->clock.id : nytp_options_number(r->options, row);
        char text[32];
        snprintf(text, sizeof text, "%lld", (long long)value);
        nytp_writer_pair(r->output.writer, NYTP_REC_OPTION, nytp_str_c(row->name), nytp_str_c(text));
        if (i > 1) nytp_buf_byte(summary, ' ');
        put_text(summary, row->name);
        put_text(summary, "=");
        put_text(summary, text);
    }
}

static nytp_str text_of(const nytp_buf *b) { return (nytp_str){(const char *)b->p, b->n}; }

/* The lines that head(1) shows. They must come before the first chunk; records gather in the meantime. */
static void write_text(nytp_recorder *r, const nytp_buf *options, const char *host) {
    char date[64], clock[96], process[96];
    time_t now = time(NULL);
    struct tm tm;
    strftime(date, sizeof date, "%Y-%m-%d %H:%M:%S %z", localtime_r(&now, &tm));
    snprintf(clock, sizeof clock, "%s, %llu ticks a second", r->clock.name,
             (unsigned long long)r->clock.ticks_per_second);
    nytp_job_describe(process, sizeof process, r->output.stream.process_start);
    nytp_writer_text(r->output.writer, NYTP_LIT("program"), r->front.program);
    nytp_writer_text(r->output.writer, NYTP_LIT("process"), nytp_str_c(process));
    nytp_writer_text(r->output.writer, NYTP_LIT("start"), nytp_str_c(date));
    nytp_writer_text(r->output.writer, NYTP_LIT("clock"), nytp_str_c(clock));
    nytp_writer_text(r->output.writer, NYTP_LIT("interpreter"), r->front.interpreter);
    nytp_writer_text(r->output.writer, NYTP_LIT("host"), nytp_str_c(host));
    nytp_writer_text(r->output.writer, NYTP_LIT("options"), text_of(options));
}

/* The reference to the parent's file, if it is beside ours, or ours: its name, and the id of the last file with source
 * in it. Otherwise (the program changed its directory, or the file was removed) our file has all source. */
static void write_parent(nytp_recorder *r) {
    const char *slash = r->output.parent_name ? strrchr(r->output.parent_name, '/') : NULL;
    const char *base = slash ? slash + 1 : r->output.parent_name, *own_slash = strrchr(r->output.name, '/');
    nytp_buf path = {0};
    struct stat st;
    char until[16];
    if (!base) return;
    nytp_buf_bytes(&path, r->output.name, own_slash ? (size_t)(own_slash + 1 - r->output.name) : 0);
    nytp_buf_bytes(&path, base, strlen(base) + 1);
    int is_beside = !path.failed && lstat((const char *)path.p, &st) == 0 && S_ISREG(st.st_mode);
    if (is_beside || r->output.is_parents) {
        snprintf(until, sizeof until, "%u", (unsigned)r->output.parent_files);
        nytp_writer_pair(r->output.writer, NYTP_REC_PROPERTY, NYTP_LIT("sources_until"), nytp_str_c(until));
        nytp_writer_pair(r->output.writer, NYTP_REC_PROPERTY, NYTP_LIT("sources"), nytp_str_c(base));
    } else {
        r->output.parent_files = 0;
        free(r->output.parent_name);
        r->output.parent_name = NULL;
    }
    nytp_buf_free(&path);
}

static int shares_sources(const nytp_recorder *r) {
    return r->front.key && r->front.shares_name && r->options->savesrc == 1 && r->options->format != NYTP_OUTPUT_V5;
}

/* Without a store the capture has all source itself; so has the process with the job's own file name, as it may be the
 * only one. */
static void open_store(nytp_recorder *r) {
    nytp_buf path = {0};
    nytp_store_close(&r->output.store);
    if (!shares_sources(r) || r->output.is_parents) return;
    nytp_target_base(r, &path);
    int has_jobs_name = nytp_str_eq(nytp_str_c(r->output.name), text_of(&path));
    put_text(&path, NYTP_STORE_SUFFIX);
    nytp_buf_byte(&path, 0);
    if (!path.failed && has_jobs_name)
        nytp_store_renew((const char *)path.p);
    else if (!path.failed && !nytp_store_open(&r->output.store, (const char *)path.p, (int)r->options->compress))
        nytp_writer_pair(r->output.writer, NYTP_REC_PROPERTY, NYTP_LIT("store"), nytp_store_name(&r->output.store));
    nytp_buf_free(&path);
}

/* Properties of the front end's language, for reports that do not know it. */
static void write_language(nytp_recorder *r) {
    const nytp_front *f = &r->front;
    const nytp_str pairs[][2] = {{NYTP_LIT("root"), f->root}, {NYTP_LIT("comment"), f->comment},
                                 {NYTP_LIT("words"), f->words}, {NYTP_LIT("packages"), f->packages}};
    for (size_t i = 0; i < sizeof pairs / sizeof *pairs; i++)
        if (pairs[i][1].n) nytp_writer_pair(r->output.writer, NYTP_REC_PROPERTY, pairs[i][0], pairs[i][1]);
}

/* The process of a build that this one is, or is below: by its start. */
static void write_build(nytp_recorder *r) {
    nytp_guest guest;
    char start[24];
    if (!nytp_guest_begin(&guest, getenv(NYTP_GUEST_VARIABLE)) || !guest.parent) return;
    snprintf(start, sizeof start, "%llu", (unsigned long long)guest.parent);
    nytp_writer_pair(r->output.writer, NYTP_REC_PROPERTY, NYTP_LIT("build"), nytp_str_c(start));
}

static void write_ring(nytp_recorder *r) {
    char seconds[24];
    snprintf(seconds, sizeof seconds, "%lld", (long long)r->options->ring);
    nytp_writer_pair(r->output.writer, NYTP_REC_PROPERTY, NYTP_LIT("ring"), nytp_str_c(seconds));
}

static void write_opening(nytp_recorder *r) {
    nytp_buf summary = {0};
    char host[NYTP_WHENCE_HOST];
    nytp_record out = {.kind = NYTP_REC_PROCESS_START};
    nytp_rec_process_start *start = &out.u.process_start;
    start->parent_pid = r->front.of ? 0 : (uint64_t)getppid();
    start->parent_start = r->output.parent_start;
    start->start = r->output.stream.process_start;
    start->start_ticks = r->window.start;
    start->ticks_per_second = r->clock.ticks_per_second;
    start->resolution = r->clock.resolution;
    start->clock_id = r->clock.id;
    start->clock_name = nytp_str_c(r->clock.name);
    start->program = r->front.program;
    start->interpreter = r->front.interpreter;
    nytp_writer_put(r->output.writer, &out);
    write_options(r, &summary);
    nytp_whence_put(r, host);
    if (!r->front.of) write_build(r);
    if (nytp_writer_drafts(r->output.writer))
        nytp_writer_pair(r->output.writer, NYTP_REC_PROPERTY, NYTP_LIT("window"), NYTP_LIT("1000"));
    if (r->options->ring) write_ring(r);
    write_language(r);
    write_parent(r);
    open_store(r);
    nytp_front_describe(r);
    write_text(r, &summary, host);
    nytp_buf_free(&summary);
}

/* Takes ownership of used's memory, the name of the open file. */
static void remember_name(nytp_recorder *r, nytp_buf *used) {
    free(r->output.name);
    r->output.name = (char *)used->p;
}

static nytp_writer *open_writer(const nytp_recorder *r, int fd) {
    int level = (int)r->options->compress;
    if (r->options->format == NYTP_OUTPUT_V5) return nytp_v5_outlet_open(fd, &r->output.stream, level);
    return nytp_writer_open(fd, &r->output.stream, level);
}

static void drop_writer(nytp_recorder *r, nytp_error *e) {
    *e = *nytp_writer_error(r->output.writer);
    nytp_writer_close(r->output.writer);
    r->output.writer = NULL;
}

#define OPENING (4u << 10) /* bytes, with what is defined at first */
#define PART_OF_THREAD 16 /* of maxsize, for a thread's drafts */

/* Another thread is about to begin: with a stream of its own there is to be room for some more, else for its drafts. */
int nytp_output_has_room(const nytp_recorder *r, int own) {
    size_t limit = (size_t)r->options->maxsize, least = own ? limit / 4 : limit / PART_OF_THREAD + OPENING;
    return !r->output.writer || !nytp_writer_is_tight(r->output.writer, least);
}

static int can_be_ring(const nytp_recorder *r, nytp_error *e) {
    if (nytp_writer_drafts(r->output.writer) && !r->options->maxsize) return 1;
    nytp_error_set(e, NYTP_USAGE, "option ring needs a file that can be written over, and no maxsize, calls=2 or "
                   "format=5");
    return 0;
}

static int open_output(nytp_recorder *r, nytp_error *e) {
    nytp_buf used = {0};
    enum nytp_target target;
    int fd = nytp_target_open(r, &used, &target, e);
    if (fd < 0) {
        nytp_buf_free(&used);
        return e->code;
    }
    nytp_held_drop(&r->output.inherited);
    nytp_budget_begin(r, target != NYTP_TARGET_SHARED);
    name_stream(r);
    r->output.writer = open_writer(r, fd);
    if (!r->output.writer) {
        close(fd);
        if (target == NYTP_TARGET_NEW) nytp_target_remove((const char *)used.p);
        nytp_buf_free(&used);
        return nytp_error_set(e, NYTP_NOMEM, "out of memory");
    }
    nytp_writer_sources_last(r->output.writer);
    nytp_held *second = r->front.outlet ? &r->front.outlet->second : NULL;
    if (r->options->calls < 2) nytp_writer_have_drafts(r->output.writer, r->options->ring != 0, second);
    if (r->options->ring && !can_be_ring(r, e)) {
        nytp_writer_abandon(r->output.writer);
        r->output.writer = NULL;
        if (target == NYTP_TARGET_NEW) nytp_target_remove((const char *)used.p);
        nytp_buf_free(&used);
        return e->code;
    }
    nytp_writer_limit(r->output.writer, (uint64_t)r->options->maxsize, r->output.is_thread ? PART_OF_THREAD : 2);
    r->output.is_parents = target == NYTP_TARGET_PARENTS;
    if (r->front.outlet || r->output.is_parents) nytp_writer_shares(r->output.writer);
    remember_name(r, &used);
    r->output.generation++;
    r->output.is_complete = 0;
    r->places.carried_written = 0;
    r->output.notices_written = 0;
    write_opening(r);
    if (nytp_writer_chunk(r->output.writer, r->window.start, r->window.start)) {
        drop_writer(r, e);
        if (target == NYTP_TARGET_NEW) nytp_target_remove(r->output.name);
    } else {
        nytp_writer_may_wait(r->output.writer);
    }
    return e->code;
}

int nytp_output_open(nytp_recorder *r, nytp_error *e) {
    nytp_handlers_own(r);
    nytp_front_writes(r);
    int code = open_output(r, e);
    if (!code) nytp_target_move(r);
    nytp_front_has_written(r);
    return code;
}

void nytp_output_notices(nytp_recorder *r) {
    static const struct {
        uint32_t notice;
        const char *text;
    } texts[] = {
        {NYTP_NOTICE_OTHER_CLOCK, "This machine does not have the clock that was asked for; another one was used."},
        {NYTP_NOTICE_EVALS, "There were more string evals than are kept apart: later ones share an entry for each "
                            "place. With larger values of maxevals and maxsiteevals (in NYTPROF) they do not."},
        {NYTP_NOTICE_FULL, "The profile has the size that maxsize (in NYTPROF) allows: source met later is missing, "
                           "counts are complete."},
        {NYTP_NOTICE_NO_LATENCY, "Options latency and waiting are for calls that are recorded one by one: there are "
                                 "none of these here."},
        {NYTP_NOTICE_SQUEEZED, "There was little room for the profile: source and subs that were not called are "
                               "missing, and what took least time may be in its callers' time, or outside any "
                               "statement."},
        {NYTP_NOTICE_DEEP, "There were more calling contexts than are kept apart: recursion was folded, and for some "
                           "calls only the caller is known, not the path to it. A larger maxnodes (in NYTPROF) keeps "
                           "more apart."},
        {NYTP_NOTICE_THREADS, "The program started other interpreters (threads), and there was no room by maxsize (in "
                              "NYTPROF), or no memory, for some of them; what they did is not in this profile."},
    };
    uint32_t new = r->output.notices & ~r->output.notices_written;
    for (size_t i = 0; i < sizeof texts / sizeof *texts; i++)
        if (new & texts[i].notice) nytp_writer_note(r->output.writer, nytp_str_c(texts[i].text));
    r->output.notices_written = r->output.notices;
}

/* CPU time of the thread, to tell apart several streams of a process, as in a host with many Luas: getrusage is for the
 * process. */
static uint64_t thread_us(const nytp_recorder *r) {
    int64_t used = thread_cpu_ns() - r->output.thread_ns;
    if (r->output.thread_used >= 0) return (uint64_t)r->output.thread_used / 1000;
    return pthread_equal(r->output.thread, pthread_self()) && used > 0 ? (uint64_t)used / 1000 : 0;
}

void nytp_output_thread_is_here(nytp_recorder *r) {
    int64_t earlier = r->output.thread_used > 0 ? r->output.thread_used : 0; /* of threads before */
    r->output.thread = pthread_self();
    r->output.thread_ns = thread_cpu_ns() - earlier;
    r->output.thread_used = -1;
}

void nytp_output_thread_ends(nytp_recorder *r) {
    if (pthread_equal(r->output.thread, pthread_self())) r->output.thread_used = thread_cpu_ns() - r->output.thread_ns;
}

void nytp_output_be_thread(nytp_recorder *r, const nytp_recorder *of) {
    r->output.is_thread = 1;
    r->output.forked = of->output.forked;
    r->output.opener = of->output.opener;
    r->output.parent_start = of->output.parent_start;
    memcpy(r->output.stream.run, of->output.stream.run, sizeof r->output.stream.run);
}

void nytp_output_put_end(nytp_recorder *r, int64_t ticks) {
    struct rusage u;
    nytp_record out = {.kind = NYTP_REC_PROCESS_END};
    nytp_rec_process_end *end = &out.u.process_end;
    if (!r->front.of && getrusage(RUSAGE_SELF, &u) == 0) {
        end->user_us = (uint64_t)u.ru_utime.tv_sec * 1000000 + (uint64_t)u.ru_utime.tv_usec;
        end->system_us = (uint64_t)u.ru_stime.tv_sec * 1000000 + (uint64_t)u.ru_stime.tv_usec;
        end->max_rss_kb = (uint64_t)u.ru_maxrss;
        end->minor_faults = (uint64_t)u.ru_minflt;
        end->major_faults = (uint64_t)u.ru_majflt;
        end->blocks_in = (uint64_t)u.ru_inblock;
        end->blocks_out = (uint64_t)u.ru_oublock;
        end->switches = (uint64_t)u.ru_nvcsw;
        end->forced_switches = (uint64_t)u.ru_nivcsw;
    }
    end->thread_us = thread_us(r);
    end->end = nytp_clock_epoch_ns();
    end->end_ticks = ticks;
    nytp_writer_put(r->output.writer, &out);
    nytp_writer_end(r->output.writer, r->output.how);
}

void nytp_output_end(nytp_recorder *r) {
    nytp_front_writes(r);
    if (!r->output.has_end) {
        nytp_output_put_end(r, r->window.start);
        nytp_writer_chunk(r->output.writer, r->window.start, r->window.start);
    }
    nytp_front_has_written(r);
    r->output.has_end = 0;
}

void nytp_output_close(nytp_recorder *r) {
    if (!r->output.writer) return;
    nytp_places_drop_texts(r);
    nytp_error e = {0};
    nytp_front_writes(r);
    int code = nytp_writer_finish(r->output.writer, &e);
    nytp_front_has_written(r);
    nytp_clock_release(&r->clock);
    r->output.writer = NULL;
    if (code && !r->output.is_said) {
        char line[NYTP_ERROR_TEXT + 64];
        snprintf(line, sizeof line, "NYTProf: %s: %s", r->output.name, e.text);
        nytp_front_say(r, line);
    }
    uint32_t *mark = nytp_map_at(&r->output.finished, nytp_str_hash(nytp_str_c(r->output.name)));
    if (mark) *mark = 1;
}
