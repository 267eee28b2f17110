/* SPDX-License-Identifier: MIT */
/* cmd_attach.c - `nytprof attach`: samples a perl that was not prepared for it, from outside. */
#include <dirent.h>
#include <errno.h>
#include <inttypes.h>
#include <limits.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

#include "base/grow.h"
#include "base/ticks.h"
#include "capture/clock.h"
#include "capture/job.h"
#include "cli/after.h"
#include "cli/choices.h"
#include "cli/cli.h"
#include "cli/perls.h"
#include "cli/print.h"
#include "record/output.h"
#include "sample/sampler.h"

enum { OUT, HZ, FOR, ALL, REPORTS };

static const nytp_arg args[] = {
    [OUT] = {.name = "out", .letter = 'o', .kind = NYTP_ARG_FILE, .value = "FILE", .fallback = NYTP_CLI_DEFAULT_FILE,
             .help = "where to write, followed by the PID"},
    [HZ] = {.name = "hz", .kind = NYTP_ARG_NUMBER, .value = "N", .least = 1, .most = 1000, .fallback = "100",
            .help = "samples a second"},
    [FOR] = {.name = "for", .kind = NYTP_ARG_SECONDS, .value = "SECONDS", .least = 0.01, .most = 1e9,
             .help = "end after so long [when the process ends, or is interrupted by Ctrl-C]"},
    [ALL] = {.name = "all-perls", .help = "attach to all processes that run perl and may be looked at"},
    [REPORTS] = {0}, /* those of choices.h */
};

static volatile sig_atomic_t is_over;

static void end_soon(int number) {
    (void)number;
    is_over = 1;
}

typedef struct target {
    nytp_perl perl;
    nytp_sampler sampler;
    char program[256];
    uint64_t start; /* nytp_job_start */
} target;

/* ---- what the capture says of the process ---- */

static void describe(void *self, nytp_writer *w) {
    const target *t = self;
    nytp_writer_pair(w, NYTP_REC_ATTRIBUTE, NYTP_LIT("application"), nytp_str_c(t->program));
    if (t->perl.is_elsewhere) nytp_writer_pair(w, NYTP_REC_PROPERTY, NYTP_LIT("elsewhere"), NYTP_LIT("1"));
    for (uint32_t i = 0; i < t->perl.inc_n; i++)
        nytp_writer_pair(w, NYTP_REC_PROPERTY, NYTP_LIT("inc"), t->perl.inc[i]);
}

/* ---- sampling ---- */

static void wait_until(int64_t ns) {
    struct timespec then = {(time_t)(ns / NYTP_NANOSECONDS), (long)(ns % NYTP_NANOSECONDS)};
    clock_nanosleep(CLOCK_MONOTONIC, TIMER_ABSTIME, &then, NULL);
}

/* The number may be that of another process. */
static int is_alive(const target *t) { return t->start && nytp_job_start((long)t->perl.pid) == t->start; }

static int is_there(const target *t) { return is_alive(t) && nytp_perls_is_there(&t->perl); }

/* 0: there was nothing to sample, as the process has ended since, which is no lost sample; or memory is short. */
static int sample_once(target *t) {
    nytp_weight *w = &t->sampler.weight;
    int64_t lost = w->lost;
    if (!nytp_sampler_sample(&t->sampler)) return 0;
    if (w->lost == lost || is_there(t)) return 1;
    w->lost = lost;
    return 0;
}

/* Until the time is over, or the process. */
static void sample(target *t, int64_t until) {
    int64_t look_again = 0, now;
    nytp_caught_prepare();
    while (!is_over && (now = (int64_t)nytp_clock_monotonic_ns()) < until) {
        if (now >= look_again && !is_there(t)) break;
        if (now >= look_again) look_again = now + NYTP_NANOSECONDS / 4;
        if (!sample_once(t)) break;
        int64_t next = t->sampler.pace.next;
        if (next > look_again) next = look_again;
        wait_until(next < until ? next : until);
    }
}

/* Names of files in a container are not opened here. */
static enum nytp_code set_options(nytp_options *o, const nytp_arg_value *v, const char *file, int is_elsewhere,
                                  nytp_error *e) {
    if (nytp_options_init(o)) return nytp_error_set(e, NYTP_NOMEM, "out of memory");
    if (nytp_options_set(o, "file", file, e) >= 0) nytp_options_set(o, "sample", v[HZ].text, e);
    o->forkdepth = 0;
    if (is_elsewhere) o->savesrc = 0;
    return e->code;
}

static enum nytp_code begin(target *t, nytp_error *e) {
    nytp_sampled what = {.pid = t->perl.pid, .tid = t->perl.pid, .cpu_is = NYTP_CLOCK_OF_PROCESS,
                         .perl = t->perl.at, .layout = &t->perl.layout, .is_elsewhere = t->perl.is_elsewhere};
    nytp_front front = {.self = t, .number = NYTP_FRONT_PERL, .interpreter = t->perl.version,
                        .program = nytp_str_c(t->program), .describe = describe, .of = (uint32_t)t->perl.pid};
    if (clock_getcpuclockid(t->perl.pid, &what.cpu)) what.tid = 0;
    if (!nytp_sampler_open(&t->sampler, &what, "attach", e)) return nytp_sampler_on(&t->sampler, &front, e);
    if (e->sys != ESRCH) return e->code;
    *e = (nytp_error){0};
    return nytp_error_set(e, NYTP_IO, "there is no process %ld", (long)t->perl.pid);
}

/* Relative names of its files are found from its directory. */
static void go_there(pid_t pid) {
    char path[32];
    snprintf(path, sizeof path, "/proc/%ld/cwd", (long)pid);
    if (chdir(path) && errno != ENOENT) /* the process has ended */
        nytp_print_line(stderr, "nytprof: attach: %s: %s; relative names of source are not found", path,
                        strerror(errno));
}

/* The file may be another one than was asked for, which another process writes. */
static const char *written(const target *t) { return nytp_output_name(&t->sampler.session.r); }

static void tell_end(const target *t) {
    const char *why = is_over ? "" : is_there(t) ? "" : ", which has ended or runs another program";
    const nytp_weight *w = &t->sampler.weight;
    nytp_print_line(stderr, "nytprof: %" PRId64 " samples of process %ld%s, %" PRId64 " lost: %s", w->samples,
                    (long)t->perl.pid, why, w->lost, written(t));
}

/* The name of the capture, for the process that makes the reports; reader is -1 if there is none. */
static void report_to(int reader, const char *name) {
    if (reader >= 0 && write(reader, name, strlen(name)) < 0) nytp_print_message("attach: %s", strerror(errno));
}

static enum nytp_code attach(pid_t pid, const nytp_arg_value *v, const char *file, int reader, nytp_error *e) {
    target t = {0};
    double seconds = v[FOR].given ? v[FOR].number : 0;
    int64_t until = seconds > 0 ? (int64_t)nytp_clock_monotonic_ns() + (int64_t)(seconds * 1e9) : INT64_MAX;
    t.start = nytp_job_start((long)pid);
    nytp_options *options = &t.sampler.session.options;
    if (!nytp_perls_find(&t.perl, pid, e) && !set_options(options, v, file, t.perl.is_elsewhere, e)) {
        nytp_perls_script(pid, t.program, sizeof t.program);
        if (!t.perl.is_elsewhere) go_there(pid);
        if (!begin(&t, e)) {
            nytp_print_line(stderr, "nytprof: attached to process %ld (%s), %s samples a second", (long)pid, t.program,
                            v[HZ].text);
            sample(&t, until);
            tell_end(&t);
            report_to(reader, written(&t));
        }
        nytp_sampler_end(&t.sampler);
    }
    nytp_perls_free(&t.perl);
    return e->code;
}

/* ---- several processes ---- */

static int is_pid(const char *text) {
    size_t n = strspn(text, "0123456789");
    return n > 0 && n < 10 && !text[n] && strtol(text, NULL, 10) > 0;
}

/* An absolute name, as the directory is going to be another one. */
static int name_file(char file[PATH_MAX], const char *base, const char *pid) {
    char here[PATH_MAX] = "";
    if (*base != '/' && !getcwd(here, sizeof here)) return 0;
    int n = snprintf(file, PATH_MAX, "%s%s%s.%s", here, *base == '/' ? "" : "/", base, pid);
    return n > 0 && n < PATH_MAX;
}

static int attach_to(const nytp_call *call, const char *pid, int reader) {
    char file[PATH_MAX];
    nytp_error e = {0};
    if (!name_file(file, call->values[OUT].text, pid))
        nytp_error_set(&e, NYTP_USAGE, "the name of the file is too long");
    else attach((pid_t)strtol(pid, NULL, 10), call->values, file, reader, &e);
    return e.code ? nytp_cli_failure(&e) : NYTP_CLI_FINE;
}

/* What became of a process: its sampler's number while that runs, then 0, or -1 if it failed. */
typedef struct child {
    pid_t pid;
    int names; /* where the name of its capture is to be read; -1: nowhere */
} child;

typedef struct samplers {
    child *children;
    int n, running;
    sigset_t awaited;
} samplers;

/* A failed one has pid -1. */
static child begin_one(const nytp_call *call, const char *pid, const sigset_t *mask) {
    int ends[2];
    child c = {-1, -1};
    if (pipe(ends)) return c;
    c.pid = fork();
    if (!c.pid) {
        close(ends[0]);
        sigprocmask(SIG_SETMASK, mask, NULL);
        setvbuf(stderr, NULL, _IOLBF, 0); /* no other process's message is in a line */
        _exit(attach_to(call, pid, ends[1]));
    }
    int reason = errno;
    close(ends[1]);
    if (c.pid > 0) c.names = ends[0];
    else close(ends[0]);
    errno = reason;
    return c;
}

static void begin_all(samplers *s, const nytp_call *call, char *const *pids) {
    sigset_t before;
    sigemptyset(&s->awaited);
    sigaddset(&s->awaited, SIGINT);
    sigaddset(&s->awaited, SIGTERM);
    sigaddset(&s->awaited, SIGCHLD);
    sigprocmask(SIG_BLOCK, &s->awaited, &before);
    for (int i = 0; i < s->n; i++) {
        s->children[i] = begin_one(call, pids[i], &before);
        if (s->children[i].pid < 0) nytp_print_message("attach: no process for %s: %s", pids[i], strerror(errno));
        s->running += s->children[i].pid > 0;
    }
}

static void take_ended(samplers *s) {
    int ended;
    for (pid_t pid; (pid = waitpid(-1, &ended, WNOHANG)) > 0;)
        for (int i = 0; i < s->n; i++) {
            if (s->children[i].pid != pid) continue;
            s->children[i].pid = WIFEXITED(ended) && !WEXITSTATUS(ended) ? 0 : -1;
            s->running--;
        }
}

/* Signals of the terminal reach all, those of a program this one. */
static void wait_for_all(samplers *s) {
    while (s->running > 0) {
        int number = 0;
        sigwait(&s->awaited, &number);
        if (number == SIGCHLD) take_ended(s);
        for (int i = 0; number != SIGCHLD && i < s->n; i++)
            if (s->children[i].pid > 0) kill(s->children[i].pid, SIGTERM);
    }
    sigprocmask(SIG_UNBLOCK, &s->awaited, NULL);
}

static void free_all(char **texts, int n) {
    for (int i = 0; texts && i < n; i++) free(texts[i]);
    free(texts);
}

/* NULL: it was not sampled, or memory is short. */
static char *take_name(child *c) {
    char name[PATH_MAX];
    ssize_t n = c->names < 0 || c->pid ? 0 : read(c->names, name, sizeof name - 1);
    if (c->names >= 0) close(c->names);
    name[n > 0 ? n : 0] = '\0';
    return n > 0 ? strdup(name) : NULL;
}

/* Each is sampled by a process of its own. files come to have the names of the captures, of those that were sampled;
 * returns their number. */
static int attach_to_all(const nytp_call *call, char *const *pids, int n, char **files) {
    samplers s = {.children = calloc((size_t)n, sizeof *s.children), .n = n};
    int good = 0;
    if (!s.children) {
        nytp_print_message("attach: out of memory");
        return 0;
    }
    begin_all(&s, call, pids);
    wait_for_all(&s);
    for (int i = 0; i < n; i++)
        if ((files[good] = take_name(&s.children[i]))) good++;
    free(s.children);
    return good;
}

/* ---- reports ---- */

/* They are interrupted as any other program, by a second Ctrl-C. */
static int report_on(const nytp_call *call, char **files, int n) {
    signal(SIGINT, SIG_DFL);
    signal(SIGTERM, SIG_DFL);
    return nytp_after_report(call->values + REPORTS, files, (size_t)n);
}

static int check_reports(const nytp_call *call, char *const *pids, int n) {
    char file[PATH_MAX];
    for (int i = 0, status; i < n; i++) {
        snprintf(file, sizeof file, "%s.%s", call->values[OUT].text, pids[i]);
        if ((status = nytp_after_check("attach", call->values + REPORTS, file))) return status;
    }
    return NYTP_CLI_FINE;
}

/* A process of its own has the current directory of the program. */
static int attach_and_report(const nytp_call *call, char **pids, int n) {
    nytp_choice choice = {0};
    int has_reports = nytp_choices_next(&choice, call->values + REPORTS), refused = check_reports(call, pids, n);
    if (refused) return refused;
    if (n == 1 && !has_reports) return attach_to(call, pids[0], -1);
    char **files = calloc((size_t)n, sizeof *files);
    int good = files ? attach_to_all(call, pids, n, files) : 0;
    int status = good && has_reports ? report_on(call, files, good) : NYTP_CLI_FINE;
    if (!files) nytp_print_message("attach: out of memory");
    free_all(files, good);
    return good < n ? NYTP_CLI_FAILURE : status;
}

/* ---- the verb ---- */

/* Processes whose program is called perl, or perl5.36 and so on. *n is their number; the caller frees the array and its
 * strings. */
static char **find_perls(int *n) {
    char **pids = NULL;
    DIR *all = opendir("/proc");
    uint32_t found = 0, room = 0;
    for (struct dirent *entry; all && (entry = readdir(all));) {
        char program[PATH_MAX];
        if (!is_pid(entry->d_name) || !nytp_perls_program((pid_t)strtol(entry->d_name, NULL, 10), program) ||
            !nytp_perls_is_called(program))
            continue;
        char **to = nytp_grow_owned(&pids, found, &room, sizeof *to);
        if (to && (*to = strdup(entry->d_name))) found++;
    }
    if (all) closedir(all);
    *n = (int)found;
    return pids;
}

static int attach_to_perls(const nytp_call *call) {
    int n, status;
    char **pids = find_perls(&n);
    if (!n) {
        nytp_error e = {0};
        nytp_error_set(&e, NYTP_FORMAT, "attach: no process runs perl");
        status = nytp_cli_failure(&e);
    } else status = attach_and_report(call, pids, n);
    free_all(pids, n);
    return status;
}

static int run_attach(const nytp_call *call) {
    struct sigaction end = {.sa_handler = end_soon};
    for (int i = 0; i < call->argc; i++)
        if (!is_pid(call->argv[i]))
            return nytp_cli_usage("attach: expected the number of a process, got '%s'", call->argv[i]);
    if (!call->argc && !call->values[ALL].given) return nytp_cli_usage("attach: expected PID... or --all-perls");
    sigaction(SIGINT, &end, NULL);
    sigaction(SIGTERM, &end, NULL);
    return call->argc ? attach_and_report(call, call->argv, call->argc) : attach_to_perls(call);
}

const nytp_verb nytp_attach_verb = {
    .name = "attach",
    .task = NYTP_TASK_PROFILE,
    .arguments = "[OPTIONS] PID...",
    .summary = "samples a running perl that was not prepared for it",
    .args = args,
    .makes_reports = 1,
    .run = run_attach,
};
