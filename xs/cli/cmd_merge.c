/* SPDX-License-Identifier: MIT */
/* cmd_merge.c - `nytprof merge`: several captures made one. */
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "base/buf.h"
#include "capture/join.h"
#include "cli/cli.h"
#include "cli/merge_v5.h"
#include "cli/output.h"
#include "cli/print.h"
#include "cli/secret.h"
#include "model/build.h"

enum { OUT, MODE, VERBOSE, EVERY, REDACT };

static const nytp_arg args[] = {
    [OUT] = {.name = "out", .letter = 'o', .kind = NYTP_ARG_FILE, .value = "FILE", .fallback = "nytprof-merged.out",
             .help = "where to write"},
    [MODE] = NYTP_ARGS_MODE("600"),
    [VERBOSE] = {.name = "verbose", .letter = 'v', .help = "say when it is done"},
    [EVERY] = {.name = "every-event",
               .help = "to format 5: also the many statements of a profile that is not your own, each an event"},
    [REDACT] = {.name = "redact", .kind = NYTP_ARG_TEXT, .value = "WHAT",
                .help = "leave out text of: evals, commands, or all; of commands of a build what matches /REGEX/"},
    {0},
};

/* Says on standard error which parts of a capture were left out. */
static void remark(const char *path, const nytp_join_counts *n) {
    if (n->damages) nytp_print_damaged(path, n->damages, n->lost);
    if (n->repeated)
        nytp_print_message("%s: %" PRIu64 " of its %" PRIu64 " chunks are in an earlier file, and counted once", path,
                           n->repeated, n->repeated + n->chunks);
}

/* All of them at once. */
static void join_files(nytp_join *j, char **paths, size_t n, nytp_error *e) {
    nytp_join_input *inputs = calloc(n, sizeof *inputs);
    if (!inputs) {
        nytp_error_set(e, NYTP_NOMEM, "out of memory");
        return;
    }
    for (size_t i = 0; i < n && !e->code; i++) {
        nytp_print_line(stdout, "Reading %s", paths[i]);
        inputs[i] = (nytp_join_input){.path = paths[i], .reader = nytp_reader_open(paths[i], e)};
    }
    if (!e->code && !nytp_join_add(j, inputs, n, e))
        for (size_t i = 0; i < n; i++) remark(paths[i], &inputs[i].counts);
    for (size_t i = 0; i < n; i++) nytp_reader_close(inputs[i].reader);
    free(inputs);
}

/* Moves builds, whose captures are joined at once, ahead of the others. Returns their number. */
static size_t builds_first(char **paths, int n, nytp_error *e) {
    size_t builds = 0;
    for (int i = 0; i < n && !e->code; i++) {
        char *path = paths[i];
        if (!nytp_build_is(path, e)) continue;
        memmove(paths + builds + 1, paths + builds, ((size_t)i - builds) * sizeof *paths);
        paths[builds++] = path;
    }
    return builds;
}

static nytp_join *begin(int fd, char **paths, int n, const nytp_cli_secret *secret, nytp_error *e) {
    nytp_buf names = {0};
    for (int i = 0; i < n; i++) {
        if (i) nytp_buf_byte(&names, ' ');
        nytp_buf_bytes(&names, paths[i], nytp_str_c(paths[i]).n);
    }
    nytp_join *j = names.failed ? NULL : nytp_join_open(fd, (nytp_str){(const char *)names.p, names.n}, secret->words,
                                                        nytp_cli_secret_mask(secret));
    nytp_buf_free(&names);
    if (j) return j;
    nytp_error_set(e, NYTP_NOMEM, "out of memory");
    close(fd);
    return j;
}

/* Captures can be converted to format 5, but not the reverse: with one file of format 5 the output is of format 5. */
static int any_v5(char **paths, int n, nytp_error *e) {
    for (int i = 0; i < n && !e->code; i++)
        if (nytp_merge_v5_is(paths[i], e)) return 1;
    return 0;
}

/* Standard input can be read only once, but formats are looked up first, and format 5 needs two passes. */
static int any_stdin(char **paths, int n) {
    for (int i = 0; i < n; i++)
        if (strcmp(paths[i], "-") == 0) return 1;
    return 0;
}

static void merge_ours(int fd, char **paths, int n, const nytp_cli_secret *secret, nytp_error *e) {
    nytp_join *j = begin(fd, paths, n, secret, e);
    uint32_t missing = 0;
    size_t builds = e->code ? 0 : builds_first(paths, n, e);
    if (builds && !e->code) join_files(j, paths, builds, e);
    for (size_t i = builds; i < (size_t)n && !e->code; i++) join_files(j, paths + i, 1, e);
    if (!e->code) missing = nytp_join_sources(j);
    if (missing)
        nytp_print_message("the source of %" PRIu32 " %s, which was left beside the profiles, is missing", missing,
                           missing == 1 ? "file" : "files");
    nytp_join_close(j, e->code ? NULL : e);
}

static int merge(const nytp_call *call, const nytp_cli_secret *secret) {
    const nytp_arg_value *mode = &call->values[MODE];
    const char *out = call->values[OUT].text;
    nytp_cli_output o;
    nytp_error e = {0};
    int fd = nytp_cli_output_begin(&o, out, mode->given ? (uint32_t)mode->number : NYTP_CLI_PRIVATE, &e);
    if (fd < 0) return nytp_cli_failure(&e);
    int every_event = call->values[EVERY].given != 0;
    int is_v5 = any_v5(call->argv, call->argc, &e);
    if (is_v5 && (secret->words || nytp_cli_secret_mask(secret)))
        nytp_error_set(&e, NYTP_USAGE, "merge: --redact is for captures, not for format 5");
    else if (is_v5) nytp_merge_v5(fd, call->argv, call->argc, every_event, &e);
    else merge_ours(fd, call->argv, call->argc, secret, &e);
    nytp_cli_output_end(&o, &e);
    if (e.code) return nytp_cli_failure(&e);
    if (call->values[VERBOSE].given) nytp_print_line(stdout, "Wrote %s", out);
    return NYTP_CLI_FINE;
}

static int run_merge(const nytp_call *call) {
    const nytp_arg_value *redact = &call->values[REDACT];
    nytp_cli_secret secret = {0};
    int status = NYTP_CLI_FINE;
    if (!call->argc) return nytp_cli_usage("merge: expected FILE...");
    if (any_stdin(call->argv, call->argc)) return nytp_cli_usage("merge: standard input is no file to merge");
    if (strcmp(call->values[OUT].text, "-") == 0)
        return nytp_cli_usage("merge: expected --out FILE, as standard output has messages");
    if (redact->given)
        status = nytp_cli_secret_read(&secret, "merge", redact->text, "evals, commands, all, none or /REGEX/");
    if (status == NYTP_CLI_FINE) status = merge(call, &secret);
    nytp_cli_secret_free(&secret);
    return status;
}

const nytp_verb nytp_merge_verb = {
    .name = "merge",
    .task = NYTP_TASK_CAPTURES,
    .arguments = "[OPTIONS] FILE...",
    .summary = "merges several captures into one",
    .args = args,
    .run = run_merge,
};
