/* SPDX-License-Identifier: MIT */
/* compare.c - two commands are profiled, then timed in turns. The times are those of runs without the profiler; the
 * profiles, whose runs also fill the caches of the machine, are for a look at where the difference is. */
#include "cli/compare.h"

#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/resource.h>
#include <sys/wait.h>
#include <unistd.h>

#include "capture/clock.h"
#include "cli/captures.h"
#include "cli/child.h"
#include "cli/cli.h"
#include "cli/ranks.h"

#define UNLIKELY 0.05 /* chance below which a difference counts */
#define LEAST 4 /* runs of each: with fewer no order of the times is that unlikely */
#define SIDES 2

enum { CPU, WALL, MEASURES };

static const char *const titles[MEASURES] = {"CPU", "wall"};

typedef struct side {
    int argc;
    char **argv; /* as given */
    nytp_program program;
    const char **command; /* without the profiler; owned */
    nytp_buf file, capture; /* names: of the captures, and of the first that was written */
    double seconds[MEASURES][NYTP_RANKS_MOST];
} side;

/* --- the commands --- */

/* Divides the arguments at the first --; 0 if a command is missing. */
static int divide(side sides[SIDES], int argc, char **argv) {
    int at = 0;
    while (at < argc && strcmp(argv[at], "--") != 0) at++;
    sides[0].argc = at;
    sides[0].argv = argv;
    sides[1].argc = argc - at - 1;
    sides[1].argv = argv + at + 1;
    return at && sides[1].argc > 0 && *argv[0] && *argv[at + 1];
}

static int prepare(side *s, const char *file, char letter, nytp_error *e) {
    if (nytp_program_find(&s->program, s->argv[0], e)) return e->code;
    s->command = nytp_launch_command(NULL, &s->program, s->argc - 1, s->argv + 1);
    nytp_buf_bytes(&s->file, file, strlen(file));
    nytp_buf_byte(&s->file, '.');
    nytp_buf_byte(&s->file, (unsigned char)letter);
    nytp_buf_byte(&s->file, 0);
    if (!s->command || s->file.failed) return nytp_error_set(e, NYTP_NOMEM, "out of memory");
    return NYTP_OK;
}

static void release(side *s) {
    free(s->command);
    nytp_buf_free(&s->file);
    nytp_buf_free(&s->capture);
}

/* --- running --- */

static int letter_of(const side *sides, const side *s) { return 'A' + (int)(s - sides); }

/* 0, after an error message, if the command fails. */
static int run(const char *const *command, int letter, nytp_error *e) {
    int ended = nytp_child_run(command, e);
    if (ended < 0 || ended == 0) return ended == 0;
    if (WIFSIGNALED(ended)) nytp_error_set(e, NYTP_IO, "run: %c was ended by signal %d", letter, WTERMSIG(ended));
    else nytp_error_set(e, NYTP_IO, "run: %c failed with exit status %d", letter, WEXITSTATUS(ended));
    return 0;
}

static void keep_name(side *s, struct timespec since, nytp_error *e) {
    size_t n;
    char **names = nytp_captures_since((const char *)s->file.p, since, &n, e);
    if (names && n) nytp_buf_bytes(&s->capture, names[0], strlen(names[0]));
    if (n > 1) nytp_buf_bytes(&s->capture, ".*", 2);
    for (size_t i = 0; names && i < n; i++) free(names[i]);
    free(names);
}

/* In a process of its own, `nytprof run` with our options. */
static void profile(const side *sides, side *s, const nytp_launch *l, nytp_error *e) {
    const char *fixed[] = {"/proc/self/exe", "run", "-o", (const char *)s->file.p}, **command;
    size_t n = sizeof fixed / sizeof *fixed;
    struct timespec since = nytp_captures_now();
    command = calloc(n + 6 + (size_t)s->argc + 1, sizeof *command);
    if (!command) {
        nytp_error_set(e, NYTP_NOMEM, "out of memory");
        return;
    }
    memcpy(command, fixed, sizeof fixed);
    if (l->options) command[n++] = "--options", command[n++] = l->options;
    if (l->children) command[n++] = "--children";
    if (l->preload) command[n++] = "--preload";
    if (l->memory) command[n++] = "--memory";
    command[n++] = "--";
    memcpy(command + n, s->argv, (size_t)s->argc * sizeof *command);
    if (run(command, letter_of(sides, s), e)) keep_name(s, since, e);
    free(command);
}

static double seconds_of(struct timeval t) { return (double)t.tv_sec + 1e-6 * (double)t.tv_usec; }

/* CPU time of all children so far, and of theirs that they have waited for. */
static double cpu_seconds(void) {
    struct rusage usage = {0};
    getrusage(RUSAGE_CHILDREN, &usage);
    return seconds_of(usage.ru_utime) + seconds_of(usage.ru_stime);
}

static void measure(const side *sides, side *s, uint32_t at, nytp_error *e) {
    double cpu = cpu_seconds();
    uint64_t begin = nytp_clock_monotonic_ns();
    if (!run(s->command, letter_of(sides, s), e)) return;
    s->seconds[WALL][at] = 1e-9 * (double)(nytp_clock_monotonic_ns() - begin);
    s->seconds[CPU][at] = cpu_seconds() - cpu;
}

/* Each of two neighbouring rounds begins with another command, so that neither is always behind the other. */
static void run_all(side sides[SIDES], const nytp_launch *l, uint32_t runs, nytp_error *e) {
    for (int i = 0; i < SIDES && !e->code; i++) profile(sides, &sides[i], l, e);
    for (uint32_t round = 0; round < runs; round++)
        for (uint32_t i = 0; i < SIDES && !e->code; i++) measure(sides, &sides[(round + i) % SIDES], round, e);
}

/* --- the table --- */

static int by_value(const void *a, const void *b) {
    double x = *(const double *)a, y = *(const double *)b;
    return (x > y) - (x < y);
}

static double median(const double *sorted, uint32_t n) { return (sorted[(n - 1) / 2] + sorted[n / 2]) / 2; }

static const char *verdict(double ratio, double chance, uint32_t runs) {
    if (runs < LEAST) return "too few runs to tell";
    if (chance >= UNLIKELY) return "no difference outside the noise";
    return ratio < 1 ? "B takes less" : "B takes more";
}

/* The values are sorted after they are compared. */
static void print_measure(side sides[SIDES], int measure, uint32_t runs) {
    double *a = sides[0].seconds[measure], *b = sides[1].seconds[measure], chance = nytp_ranks_chance(a, b, runs);
    for (int i = 0; i < SIDES; i++) {
        double *v = sides[i].seconds[measure];
        qsort(v, runs, sizeof *v, by_value);
        printf("%-5s %c    %10.4f %10.4f %10.4f %10.4f\n", i ? "" : titles[measure], letter_of(sides, &sides[i]), v[0],
               median(v, runs), v[runs - 1], v[runs - 1] - v[0]);
    }
    double ratio = median(a, runs) > 0 ? median(b, runs) / median(a, runs) : 1;
    printf("      B/A  %10.4f %10.4f    %s (p %s %.4f)\n\n", a[0] > 0 ? b[0] / a[0] : 1, ratio,
           verdict(ratio, chance, runs), chance < 0.0001 ? "<" : "=", chance < 0.0001 ? 0.0001 : chance);
}

/* As a shell takes it. */
static void print_word(const char *word) {
    static const char plain[] = "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789%+,-./:=@_";
    if (*word && !word[strspn(word, plain)]) {
        printf(" %s", word);
        return;
    }
    fputs(" '", stdout);
    for (; *word; word++) {
        if (*word == '\'') fputs("'\\''", stdout);
        else putchar(*word);
    }
    putchar('\'');
}

static void print_side(const side *sides, const side *s) {
    printf("%c ", letter_of(sides, s));
    for (int i = 0; i < s->argc; i++) print_word(s->argv[i]);
    if (s->capture.n) printf("\n   profile: %.*s\n", (int)s->capture.n, (const char *)s->capture.p);
    else puts("\n   no profile");
}

static void print(side sides[SIDES], uint32_t runs) {
    printf("%u runs of each in turns, without the profiler\n\nseconds           min     median        max     spread\n",
           (unsigned)runs);
    for (int i = 0; i < MEASURES; i++) print_measure(sides, i, runs);
    for (int i = 0; i < SIDES; i++) print_side(sides, &sides[i]);
    puts("p is the chance of such a difference between runs of one program (rank-sum\n"
         "test). Below 0.05 a difference is outside the noise.");
}

/* --- all of it --- */

/* Standard input and output become /dev/null; a duplicate of the latter remains, or -1 after an error. */
static int leave_streams(nytp_error *e) {
    int output = fcntl(STDOUT_FILENO, F_DUPFD_CLOEXEC, STDERR_FILENO + 1), null = open("/dev/null", O_RDWR | O_CLOEXEC);
    if (null < 0 || dup2(null, STDIN_FILENO) < 0 || dup2(null, STDOUT_FILENO) < 0)
        nytp_error_sys(e, "run: cannot use /dev/null");
    if (null > STDERR_FILENO) close(null);
    return output;
}

int nytp_compare(const nytp_launch *l, const char *file, uint32_t runs, int argc, char **argv, nytp_error *e) {
    side *sides = calloc(SIDES, sizeof *sides);
    if (!sides) return nytp_error_set(e, NYTP_NOMEM, "out of memory"), NYTP_CLI_FAILURE;
    if (!divide(sides, argc, argv)) {
        free(sides);
        return nytp_cli_usage("run: --compare: expected two commands, A... -- B...");
    }
    for (int i = 0; i < SIDES && !e->code; i++) prepare(&sides[i], file, (char)('a' + i), e);
    int output = e->code ? -1 : leave_streams(e);
    if (!e->code) run_all(sides, l, runs, e);
    if (output >= 0) dup2(output, STDOUT_FILENO), close(output);
    if (!e->code) print(sides, runs);
    for (int i = 0; i < SIDES; i++) release(&sides[i]);
    free(sides);
    return e->code ? NYTP_CLI_FAILURE : NYTP_CLI_FINE;
}
