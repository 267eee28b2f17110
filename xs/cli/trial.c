/* SPDX-License-Identifier: MIT */
/* trial.c - runs of a probe in a directory of its own. */
#include "cli/trial.h"

#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/resource.h>
#include <sys/stat.h>
#include <unistd.h>

#include "capture/clock.h"
#include "cli/child.h"
#include "cli/launch.h"
#include "model/load.h"

#define PATH 512

enum { PROGRAM, SAID, CAPTURE, FILES };

typedef struct place {
    char directory[PATH], path[FILES][PATH + 16];
} place;

/* --- files --- */

static int make_place(place *at, const nytp_probe *probe, nytp_error *e) {
    const char *const names[FILES] = {[PROGRAM] = probe->file, [SAID] = "said", [CAPTURE] = "nytprof.out"};
    const char *top = getenv("TMPDIR");
    int n = snprintf(at->directory, PATH, "%s/nytprof-XXXXXX", top && *top ? top : "/tmp");
    if (n < 0 || n >= PATH) return nytp_error_set(e, NYTP_IO, "selftest: the name of TMPDIR is too long");
    if (!mkdtemp(at->directory)) return nytp_error_sys(e, "selftest: cannot make %s", at->directory);
    for (int i = 0; i < FILES; i++) snprintf(at->path[i], sizeof at->path[i], "%s/%s", at->directory, names[i]);
    return NYTP_OK;
}

static int write_program(const place *at, const nytp_probe *probe, nytp_error *e) {
    FILE *out = fopen(at->path[PROGRAM], "w");
    int fails = !out || fputs(probe->text, out) < 0;
    if ((out && fclose(out)) || fails) nytp_error_sys(e, "selftest: cannot write %s", at->path[PROGRAM]);
    return e->code;
}

static void remove_place(const place *at) {
    for (int i = 0; i < FILES; i++) unlink(at->path[i]);
    rmdir(at->directory);
}

/* The text of what a run has said; the rest of a longer text is left out. */
static void read_said(const place *at, char *text, size_t room) {
    int fd = open(at->path[SAID], O_RDONLY | O_CLOEXEC);
    ssize_t n = fd < 0 ? 0 : read(fd, text, room - 1);
    if (fd >= 0) close(fd);
    text[n > 0 ? n : 0] = 0;
}

/* --- runs --- */

typedef struct ran {
    int status;    /* waitpid's; -1: it could not be run */
    double waited; /* share of its CPU time, in which it did not run: also for its files */
} ran;

/* Of all children so far. */
static double cpu_ns(void) {
    struct rusage usage = {0};
    getrusage(RUSAGE_CHILDREN, &usage);
    return 1e9 * (double)(usage.ru_utime.tv_sec + usage.ru_stime.tv_sec) +
           1e3 * (double)(usage.ru_utime.tv_usec + usage.ru_stime.tv_usec);
}

static ran run_timed(const char *const *command, nytp_error *e) {
    double before = cpu_ns();
    uint64_t begin = nytp_clock_monotonic_ns();
    int status = nytp_child_run(command, e);
    double wall = (double)(nytp_clock_monotonic_ns() - begin), cpu = cpu_ns() - before;
    return (ran){status, cpu > 0 ? wall / cpu - 1 : 0};
}

/* Standard output and error go to a file meanwhile. */
static ran run_quietly(const place *at, const char *const *command, nytp_error *e) {
    int kept[2], said = open(at->path[SAID], O_WRONLY | O_CREAT | O_TRUNC | O_CLOEXEC, 0600);
    if (said < 0) return nytp_error_sys(e, "selftest: cannot write %s", at->path[SAID]), (ran){.status = -1};
    for (int i = 0; i < 2; i++) {
        kept[i] = fcntl(STDOUT_FILENO + i, F_DUPFD_CLOEXEC, STDERR_FILENO + 1);
        dup2(said, STDOUT_FILENO + i);
    }
    ran run = run_timed(command, e);
    for (int i = 0; i < 2; i++) {
        if (kept[i] < 0) continue;
        dup2(kept[i], STDOUT_FILENO + i);
        close(kept[i]);
    }
    close(said);
    return run;
}

/* The nanoseconds that the run has printed for a part; below 0 if it has not. *waited becomes those that the part has
 * waited, as a share, if the run has printed them, too. */
static double printed_for(const char *said, const char *name, double *waited) {
    char *end;
    size_t n = strlen(name);
    for (const char *line = said; line && *line; line = strchr(line, '\n'), line += line != NULL)
        if (strncmp(line, name, n) == 0 && line[n] == ' ') {
            double ns = strtod(line + n, &end);
            if (*end == ' ' && ns > 0) *waited = strtod(end, NULL) / ns;
            return ns;
        }
    return -1;
}

/* Keeps the times that a run has printed; a run that has failed is a problem, with the first line it has said. */
static void keep_times(nytp_trial *t, const nytp_probe *probe, const place *at, int round, int is_bare, ran run) {
    char said[1024];
    read_said(at, said, sizeof said);
    for (int i = 0; probe->parts[i].event && !run.status; i++) {
        double waited = run.waited, ns = printed_for(said, probe->parts[i].printed, &waited);
        enum nytp_trial_time time = is_bare ? NYTP_TRIAL_BARE : NYTP_TRIAL_PROFILED;
        t->parts[i].ns[time][round] = ns / (double)probe->parts[i].events;
        t->parts[i].waited[round] = waited; /* the profiled run is the last one */
        if (ns < 0) run.status = 1;
    }
    if (!run.status) return;
    said[strcspn(said, "\n")] = 0;
    snprintf(t->problem, sizeof t->problem, "%s: %.80s", is_bare ? "does not run" : "cannot be profiled", said);
}

/* --- the profile --- */

static const nytp_sub *find_sub(const nytp_profile *p, const char *name) {
    for (uint32_t i = 1; i < p->subs_n; i++)
        if (nytp_str_eq(p->subs[i].name, nytp_str_c(name))) return &p->subs[i];
    return NULL;
}

/* Lines of the part: each of ten has to have its tenth of the events, or the total is not that of the events. */
static int64_t count_lines(const nytp_profile *p, const nytp_sub *part, int64_t events) {
    int64_t total = 0;
    for (uint32_t i = 2; i < 12; i++) {
        const nytp_line *line = nytp_profile_line(&p->files[part->file], NYTP_LEVEL_LINE, part->first_line + i);
        int64_t count = line ? line->count : 0;
        if (count != events / 10) return count;
        total += count;
    }
    return total;
}

static void keep_part(nytp_trial_part *kept, const nytp_probe_part *part, const nytp_profile *p, int round) {
    const nytp_sub *sub = find_sub(p, part->sub), *counted = part->counted ? find_sub(p, part->counted) : NULL;
    int64_t count = part->counted ? (counted ? counted->calls : 0) : sub ? count_lines(p, sub, part->events) : 0;
    if (!round || count != part->events) kept->counted = count;
    double ns = sub ? 1e9 * nytp_profile_seconds(p, sub->inclusive) : 0;
    kept->ns[NYTP_TRIAL_CORRECTED][round] = ns / (double)part->events;
}

static void keep_profile(nytp_trial *t, const nytp_probe *probe, const place *at, int round, nytp_error *e) {
    nytp_profile p;
    const char *capture = at->path[CAPTURE];
    const nytp_load_options options = {0};
    if (!nytp_load(&p, &capture, 1, &options, e)) {
        for (int i = 0; probe->parts[i].event; i++) keep_part(&t->parts[i], &probe->parts[i], &p, round);
        if (p.processes_n)
            snprintf(t->interpreter, sizeof t->interpreter, "%.*s", (int)p.processes[0].interpreter.n,
                     p.processes[0].interpreter.p);
    }
    nytp_profile_close(&p);
}

/* --- all rounds --- */

static void run_round(nytp_trial *t, const nytp_probe *probe, const place *at, const char *const *bare, int round,
                      nytp_error *e) {
    const char *const profiled[] = {"/proc/self/exe", "run", "-o", at->path[CAPTURE], at->path[PROGRAM], NULL};
    for (int is_bare = 1; is_bare >= 0 && !e->code && !*t->problem; is_bare--) {
        ran run = run_quietly(at, is_bare ? bare : profiled, e);
        if (!e->code) keep_times(t, probe, at, round, is_bare, run);
    }
    if (!e->code && !*t->problem) keep_profile(t, probe, at, round, e);
}

double nytp_trial_ns(const nytp_trial_part *part, enum nytp_trial_time time) {
    if (time == NYTP_TRIAL_CORRECTED) return nytp_rounds_calm(part->ns[time], part->waited);
    return nytp_rounds_quartile(part->ns[time]);
}

static void run_rounds(nytp_trial *t, const nytp_probe *probe, const place *at, nytp_error *e) {
    nytp_program program;
    char found[NYTP_PROGRAM_PATH];
    const char **bare = NULL;
    if (!nytp_program_find(&program, at->path[PROGRAM], e)) bare = nytp_launch_command(NULL, &program, 0, NULL);
    if (!e->code && !bare) nytp_error_set(e, NYTP_NOMEM, "out of memory");
    if (bare && !nytp_program_in_path(bare[0], found, sizeof found))
        snprintf(t->problem, sizeof t->problem, "not on this machine: there is no %.40s in PATH", bare[0]);
    for (int round = 0; bare && round < NYTP_ROUNDS; round++) run_round(t, probe, at, bare, round, e);
    free(bare);
}

int nytp_trial_run(nytp_trial *t, const nytp_probe *probe, nytp_error *e) {
    place at = {0};
    *t = (nytp_trial){0};
    if (make_place(&at, probe, e)) return e->code;
    if (!write_program(&at, probe, e)) run_rounds(t, probe, &at, e);
    remove_place(&at);
    return e->code;
}
