/* SPDX-License-Identifier: MIT */
/* cmd_build.c - `nytprof build`: the processes of a build as a text. */
#include <stdio.h>
#include <string.h>

#include "cli/builder.h"
#include "cli/classes.h"
#include "cli/cli.h"
#include "cli/screen.h"
#include "report/drawing.h"
#include "report/outcome.h"
#include "report/profiled.h"
#include "report/tally.h"
#include "report/text.h"

#define RULE "==============================================================================\n" /* 78 columns */
#define PRINTED (64u << 10) /* bytes that are printed at a time */

enum { FILE_NAME, CLASSES, SORT, NO_TIMELINE, WIDTH };

static const nytp_arg args[] = {
    [FILE_NAME] = {.name = "file", .letter = 'f', .kind = NYTP_ARG_FILE, .value = "FILE",
                   .help = "the capture, if there is no argument FILE"},
    [CLASSES] = NYTP_ARGS_CLASSES,
    [SORT] = {.name = "sort", .kind = NYTP_ARG_WORD, .value = "KEY", .words = "first total mean max n",
              .fallback = "first", .help = "the order of classes"},
    [NO_TIMELINE] = {.name = "no-timeline", .letter = 't', .help = "tables only"},
    [WIDTH] = {.name = "width", .kind = NYTP_ARG_NUMBER, .value = "N", .least = 20, .most = 1000000, .fallback = "0",
               .help = "columns of the timeline; longer lines end with >"},
    {0},
};

static enum nytp_tally_sort sort_of(const char *word) {
    static const char *const words[] = {[NYTP_TALLY_FIRST] = "first", [NYTP_TALLY_TOTAL] = "total",
                                        [NYTP_TALLY_MEAN] = "mean", [NYTP_TALLY_MAX] = "max", [NYTP_TALLY_COUNT] = "n"};
    int i = NYTP_TALLY_COUNT;
    while (i > NYTP_TALLY_FIRST && strcmp(words[i], word) != 0) i--;
    return (enum nytp_tally_sort)i;
}

/* ---- the report ---- */

typedef struct report {
    nytp_processes *processes;
    nytp_schemata *schemata;
    nytp_tally *tally;
    nytp_drawing *timeline; /* NULL: none is wanted */
    nytp_outcome outcome;
    nytp_captures *captures;
    nytp_profiled profiled;
    nytp_buf classes, out;
} report;

static void print(nytp_buf *out, nytp_error *e) {
    if (out->failed) nytp_error_set(e, NYTP_NOMEM, "out of memory");
    else if (fwrite(out->p, 1, out->n, stdout) != out->n || fflush(stdout)) nytp_error_sys(e, "standard output");
    nytp_buf_clear(out);
}

/* The timeline is printed while the capture is read. */
static void read_all(report *r, nytp_error *e) {
    nytp_built *process;
    int event;
    while (!e->code && (event = nytp_processes_next(r->processes, &process, e)) > 0) {
        nytp_outcome_take(&r->outcome, event, process);
        nytp_profiled_take(&r->profiled, event, process);
        nytp_schemata_classify(r->schemata, process, &r->classes);
        if (event == NYTP_PROCESSES_ENDED) nytp_tally_add(r->tally, process, &r->classes);
        const char *class = r->classes.n ? (const char *)r->classes.p : "";
        if (r->timeline) nytp_drawing_take(r->timeline, event, process, class, &r->out);
        if (r->out.n > PRINTED || r->out.failed) print(&r->out, e);
    }
    if (r->timeline) nytp_drawing_end(r->timeline, &r->out);
}

static void print_tables(report *r, enum nytp_tally_sort sort, nytp_error *e) {
    nytp_buf *out = &r->out;
    if (r->timeline) nytp_text_put(out, "\n" RULE);
    nytp_outcome_put(out, &r->outcome, nytp_processes_count(r->processes));
    nytp_outcome_put_lists(out, &r->outcome);
    nytp_profiled_put(out, &r->profiled);
    for (uint32_t i = 0; i < nytp_schemata_count(r->schemata); i++) {
        nytp_str name = nytp_schemata_name(r->schemata, i);
        nytp_tally_put(out, r->tally, i, name, sort);
    }
    if (nytp_tally_exceeded(r->tally))
        nytp_text_around(out, "\nOf ", nytp_tally_exceeded(r->tally),
                         " processes the children have used more than the processes themselves, which did not wait for"
                         " them:\ntheir time without children counts as 0.\n");
    nytp_text_put(out, "\n" RULE "END\n");
    print(out, e);
}

static void make_report(report *r, const char *path, const nytp_arg_value *v, nytp_error *e) {
    int has_timeline = !v[NO_TIMELINE].given;
    r->schemata = nytp_cli_classes_read("build", v[CLASSES].text, e);
    r->processes = e->code ? NULL : nytp_processes_open(path, e);
    r->captures = e->code ? NULL : nytp_captured_find(path);
    r->profiled.captures = r->captures;
    r->tally = e->code ? NULL : nytp_tally_make(nytp_schemata_count(r->schemata));
    r->timeline = has_timeline ? nytp_drawing_make((uint32_t)v[WIDTH].number) : NULL;
    if (!e->code && (!r->captures || !r->tally || (has_timeline && !r->timeline)))
        nytp_error_set(e, NYTP_NOMEM, "out of memory");
    nytp_text_format(&r->out, RULE "NYTPROF %s BUILD REPORT\n" RULE "\n", NYTP_VERSION);
    if (!e->code) read_all(r, e);
    if (!e->code && !r->outcome.processes)
        nytp_error_set(e, NYTP_FORMAT, "%s: no processes of a build, expected a capture of `nytprof make`", path);
    if (!e->code) print_tables(r, sort_of(v[SORT].text), e);
    nytp_processes_close(r->processes);
    nytp_schemata_free(r->schemata);
    nytp_tally_free(r->tally);
    nytp_captured_free(r->captures);
    nytp_drawing_free(r->timeline);
    nytp_buf_free(&r->classes);
    nytp_buf_free(&r->out);
}

static int run_build(const nytp_call *call) {
    const nytp_arg_value *v = call->values;
    const char *path = call->argc ? call->argv[0] : v[FILE_NAME].text;
    report r = {0};
    nytp_error e = {0};
    if (nytp_cli_either_file(call, &v[FILE_NAME])) return NYTP_CLI_USAGE;
    if (call->argc > 1) return nytp_cli_usage("build: expected one FILE, got '%s', too", call->argv[1]);
    make_report(&r, path ? path : NYTP_BUILDER_FILE, v, &e);
    if (!e.code) return NYTP_CLI_FINE;
    nytp_screen_end();
    return e.code == NYTP_USAGE ? nytp_cli_usage("%s", e.text) : nytp_cli_failure(&e);
}

const nytp_verb nytp_build_verb = {
    .name = "build",
    .task = NYTP_TASK_LOOK,
    .is_long = 1,
    .arguments = "[OPTIONS] [FILE]",
    .summary = "draws the processes of a build, and prints what they have used",
    .args = args,
    .run = run_build,
};
