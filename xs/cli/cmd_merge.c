/* SPDX-License-Identifier: MIT */
/* cmd_merge.c - `nytprof merge`: several captures made one. */
#include <inttypes.h>
#include <stdio.h>
#include <string.h>
#include <unistd.h>

#include "base/buf.h"
#include "capture/join.h"
#include "cli/cli.h"
#include "cli/merge_v5.h"
#include "cli/output.h"
#include "cli/print.h"

enum { OUT, VERBOSE };

static const nytp_arg args[] = {
    [OUT] = {.name = "out", .letter = 'o', .kind = NYTP_ARG_FILE, .value = "FILE", .fallback = "nytprof-merged.out",
             .help = "where to write"},
    [VERBOSE] = {.name = "verbose", .letter = 'v', .help = "say when it is done"},
    {0},
};

/* Says on standard error which parts of a capture were left out. */
static void remark(const char *path, const nytp_join_counts *n) {
    if (n->damages) nytp_print_damaged(path, n->damages, n->lost);
    if (n->repeated)
        fprintf(stderr, "nytprof: %s: %" PRIu64 " of its %" PRIu64 " chunks are in an earlier file, and counted once\n",
                path, n->repeated, n->repeated + n->chunks);
}

static void join_file(nytp_join *j, const char *path, nytp_error *e) {
    nytp_join_counts counts;
    nytp_reader *reader = nytp_reader_open(path, e);
    if (!reader) return;
    if (!nytp_join_add(j, path, reader, &counts, e)) remark(path, &counts);
    nytp_reader_close(reader);
}

static nytp_join *begin(int fd, char **paths, int n, nytp_error *e) {
    nytp_buf names = {0};
    for (int i = 0; i < n; i++) {
        if (i) nytp_buf_byte(&names, ' ');
        nytp_buf_bytes(&names, paths[i], nytp_str_c(paths[i]).n);
    }
    nytp_join *j = names.failed ? NULL : nytp_join_open(fd, (nytp_str){(const char *)names.p, names.n});
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

static void merge_ours(int fd, char **paths, int n, nytp_error *e) {
    nytp_join *j = begin(fd, paths, n, e);
    uint32_t missing = 0;
    for (int i = 0; i < n && !e->code; i++) {
        printf("Reading %s\n", paths[i]);
        join_file(j, paths[i], e);
    }
    if (!e->code) missing = nytp_join_sources(j);
    if (missing)
        fprintf(stderr, "nytprof: the source of %" PRIu32 " %s, which was left beside the profiles, is missing\n",
                missing, missing == 1 ? "file" : "files");
    nytp_join_close(j, e->code ? NULL : e);
}

static int run_merge(const nytp_call *call) {
    const char *out = call->values[OUT].text;
    nytp_cli_output o;
    nytp_error e = {0};
    if (!call->argc) return nytp_cli_usage("merge: expected FILE...");
    if (any_stdin(call->argv, call->argc)) return nytp_cli_usage("merge: standard input is no file to merge");
    int fd = nytp_cli_output_begin(&o, out, &e);
    if (fd < 0) return nytp_cli_failure(&e);
    if (any_v5(call->argv, call->argc, &e)) nytp_merge_v5(fd, call->argv, call->argc, &e);
    else merge_ours(fd, call->argv, call->argc, &e);
    nytp_cli_output_end(&o, &e);
    if (e.code) return nytp_cli_failure(&e);
    if (call->values[VERBOSE].given) printf("Wrote %s\n", out);
    return NYTP_CLI_FINE;
}

const nytp_verb nytp_merge_verb = {
    .name = "merge",
    .arguments = "[OPTIONS] FILE...",
    .summary = "merges several captures into one",
    .args = args,
    .run = run_merge,
};
