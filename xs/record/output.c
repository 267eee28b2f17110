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

#include "capture/job.h"
#include "capture/outfile.h"
#include "record/front.h"
#include "record/places.h"
#include "v5/outlet.h"

static void put_text(nytp_buf *b, const char *text) { nytp_buf_bytes(b, text, strlen(text)); }

static void put_number(nytp_buf *b, const char *format, long long value) {
    char text[32];
    snprintf(text, sizeof text, format, value);
    put_text(b, text);
}

/* FILE[.PID][.SECONDS]; devices keep their name. */
static void compose_name(const nytp_recorder *r, nytp_buf *name) {
    put_text(name, r->output.base);
    if (strncmp(r->output.base, "/dev/", 5) != 0) {
        if (r->options->addpid || r->output.forked) put_number(name, ".%lld", getpid());
        if (r->options->addtimestamp) put_number(name, ".%lld", (long long)time(NULL));
    }
    nytp_buf_byte(name, 0);
}

/* A child without a file of its parent has the same base name as its siblings. */
static int shares_name(const nytp_recorder *r) {
    return r->front.shares_name || (uint32_t)getpid() != r->output.opener;
}

/* Earlier files of this process must not be overwritten. The map has the hashes of their names: for a name that only
 * shares the hash of one, a file that is there is kept under another name instead of removed. */
static int flags_for(const nytp_recorder *r, const char *name) {
    int own = nytp_map_get(&r->output.finished, nytp_str_hash(nytp_str_c(name))) != 0;
    return (own ? NYTP_OUTFILE_OWN : 0) | (shares_name(r) ? NYTP_OUTFILE_SHARED : 0);
}

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
    r->output.stream.pid = (uint32_t)getpid();
    r->output.thread = pthread_self();
    r->output.thread_ns = thread_cpu_ns();
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

/* The reference to the parent's file, if it is beside ours: its name, and the id of the last file with source in it.
 * Otherwise (the program changed its directory, or the file was removed) our file has all source. */
static void write_parent(nytp_recorder *r) {
    const char *slash = r->output.parent_name ? strrchr(r->output.parent_name, '/') : NULL;
    const char *base = slash ? slash + 1 : r->output.parent_name, *own_slash = strrchr(r->output.name, '/');
    nytp_buf path = {0};
    struct stat st;
    char until[16];
    if (!base) return;
    nytp_buf_bytes(&path, r->output.name, own_slash ? (size_t)(own_slash + 1 - r->output.name) : 0);
    nytp_buf_bytes(&path, base, strlen(base) + 1);
    if (!path.failed && lstat((const char *)path.p, &st) == 0 && S_ISREG(st.st_mode)) {
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
    if (!shares_sources(r)) return;
    put_text(&path, r->output.base);
    put_text(&path, NYTP_STORE_SUFFIX);
    nytp_buf_byte(&path, 0);
    if (!path.failed && strcmp(r->output.name, r->output.base) == 0)
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

static void write_opening(nytp_recorder *r) {
    nytp_buf summary = {0};
    char host[256] = "", cwd[4096] = "";
    nytp_record out = {.kind = NYTP_REC_PROCESS_START};
    nytp_rec_process_start *start = &out.u.process_start;
    start->parent_pid = (uint64_t)getppid();
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
    gethostname(host, sizeof host - 1);
    nytp_writer_pair(r->output.writer, NYTP_REC_PROPERTY, NYTP_LIT("host"), nytp_str_c(host));
    if (!getcwd(cwd, sizeof cwd)) *cwd = 0;
    nytp_writer_pair(r->output.writer, NYTP_REC_PROPERTY, NYTP_LIT("cwd"), nytp_str_c(cwd));
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

/* Removes an output that could not be begun, unless it is a device. */
static void remove_if_file(const char *name) {
    struct stat st;
    if (lstat(name, &st) == 0 && S_ISREG(st.st_mode)) unlink(name);
}

static nytp_writer *open_writer(const nytp_recorder *r, int fd) {
    int level = (int)r->options->compress;
    if (r->options->format == NYTP_OUTPUT_V5) return nytp_v5_outlet_open(fd, &r->output.stream, level);
    return nytp_writer_open(fd, &r->output.stream, level);
}

/* A duplicate, which shares lock and position. */
static int duplicate(int fd) { return fcntl(fd, F_DUPFD_CLOEXEC, 100); }

/* The file, under whatever name: the one we have may be relative to a directory that the program has left. */
static int is_still_there(const nytp_outlet *o) {
    struct stat open;
    return fstat(o->fd, &open) == 0 && open.st_nlink > 0;
}

void nytp_output_leave_elsewhere(nytp_outlet *o) {
    struct stat open, named;
    if (o->fd < 0) return;
    if (fstat(o->fd, &open) == 0 && stat(o->name, &named) == 0 && open.st_dev == named.st_dev &&
        open.st_ino == named.st_ino) return;
    close(o->fd);
    o->fd = -1;
}

/* -1: there is none to join, or an error. */
static int join_outlet(const nytp_recorder *r, nytp_buf *used, nytp_error *e) {
    const nytp_outlet *o = r->front.outlet;
    if (!o || o->fd < 0 || o->pid != (uint32_t)getpid() || strcmp(o->base, r->output.base) != 0) return -1;
    if (r->options->format == NYTP_OUTPUT_V5 || !is_still_there(o)) return -1;
    put_text(used, o->name);
    nytp_buf_byte(used, 0);
    if (!used->failed) return duplicate(o->fd);
    nytp_error_set(e, NYTP_NOMEM, "out of memory");
    return -1;
}

/* Makes the open file the one that other recorders may share. Returns 0 when memory is short. */
static int set_outlet(const nytp_recorder *r, int fd, const nytp_buf *used) {
    nytp_outlet *o = r->front.outlet;
    if (!o || r->options->format == NYTP_OUTPUT_V5) return 1;
    char *base = strdup(r->output.base), *name = strdup((const char *)used->p);
    if (!base || !name) {
        free(base);
        free(name);
        return 0;
    }
    if (o->fd >= 0) close(o->fd);
    free(o->base);
    free(o->name);
    o->fd = duplicate(fd);
    o->pid = (uint32_t)getpid();
    o->base = base;
    o->name = name;
    return 1;
}

static int open_new(const nytp_recorder *r, nytp_buf *used, nytp_error *e) {
    nytp_buf name = {0};
    int fd = -1;
    compose_name(r, &name);
    if (name.failed) nytp_error_set(e, NYTP_NOMEM, "out of memory");
    else fd = nytp_outfile_open((const char *)name.p, flags_for(r, (const char *)name.p), used, e);
    nytp_buf_free(&name);
    if (fd < 0 || set_outlet(r, fd, used)) return fd;
    close(fd);
    remove_if_file((const char *)used->p);
    nytp_error_set(e, NYTP_NOMEM, "out of memory");
    return -1;
}

/* The file, and 1 in is_new if no other recorder writes to it. */
static int open_file(const nytp_recorder *r, nytp_buf *used, int *is_new, nytp_error *e) {
    int fd = join_outlet(r, used, e);
    *is_new = fd < 0;
    return fd < 0 && !e->code ? open_new(r, used, e) : fd;
}

int nytp_output_open(nytp_recorder *r, nytp_error *e) {
    nytp_buf used = {0};
    int is_new, fd = open_file(r, &used, &is_new, e);
    if (fd < 0) {
        nytp_buf_free(&used);
        return e->code;
    }
    name_stream(r);
    r->output.writer = open_writer(r, fd);
    if (!r->output.writer) {
        close(fd);
        if (is_new) remove_if_file((const char *)used.p);
        nytp_buf_free(&used);
        return nytp_error_set(e, NYTP_NOMEM, "out of memory");
    }
    if (r->front.outlet) nytp_writer_shares(r->output.writer);
    remember_name(r, &used);
    r->output.generation++;
    r->places.carried_written = 0;
    r->output.notices_written = 0;
    write_opening(r);
    if (nytp_writer_chunk(r->output.writer, r->window.start, r->window.start)) {
        *e = *nytp_writer_error(r->output.writer);
        nytp_writer_close(r->output.writer);
        r->output.writer = NULL;
        if (is_new) remove_if_file(r->output.name);
    }
    return e->code;
}

void nytp_output_notices(nytp_recorder *r) {
    static const struct {
        uint32_t notice;
        const char *text;
    } texts[] = {
        {NYTP_NOTICE_OTHER_CLOCK, "This machine does not have the clock that was asked for; another one was used."},
        {NYTP_NOTICE_EVALS, "There were more string evals than are kept apart: later ones share an entry for each "
                            "place. With larger values of maxevals and maxsiteevals (in NYTPROF) they do not."},
        {NYTP_NOTICE_DEEP, "There were more calling contexts than are kept apart: recursion was folded, and for some "
                           "calls only the caller is known, not the path to it. A larger maxnodes (in NYTPROF) keeps "
                           "more apart."},
        {NYTP_NOTICE_THREADS, "The program started other interpreters (threads); what they did is not in this "
                              "profile."},
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
    return pthread_equal(r->output.thread, pthread_self()) && used > 0 ? (uint64_t)used / 1000 : 0;
}

void nytp_output_end(nytp_recorder *r, int how) {
    struct rusage u;
    nytp_record out = {.kind = NYTP_REC_PROCESS_END};
    nytp_rec_process_end *end = &out.u.process_end;
    if (getrusage(RUSAGE_SELF, &u) == 0) {
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
    end->end_ticks = r->window.start;
    nytp_writer_put(r->output.writer, &out);
    nytp_writer_end(r->output.writer, (uint64_t)how);
    nytp_writer_chunk(r->output.writer, r->window.start, r->window.start);
}

void nytp_output_close(nytp_recorder *r) {
    if (!r->output.writer) return;
    nytp_places_drop_texts(r);
    nytp_error e = *nytp_writer_error(r->output.writer);
    int code = nytp_writer_close(r->output.writer);
    r->output.writer = NULL;
    if (code && !r->output.is_said) {
        char line[NYTP_ERROR_TEXT + 64];
        snprintf(line, sizeof line, "NYTProf: %s: %s", r->output.name, e.code ? e.text : "cannot be closed");
        nytp_front_say(r, line);
    }
    uint32_t *mark = nytp_map_at(&r->output.finished, nytp_str_hash(nytp_str_c(r->output.name)));
    if (mark) *mark = 1;
}
