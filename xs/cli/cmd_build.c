/* SPDX-License-Identifier: MIT */
/* cmd_build.c - `nytprof build`: the processes of a build as a text. */
#include <stdio.h>
#include <string.h>

#include "cli/builder.h"
#include "cli/classes.h"
#include "cli/cli.h"
#include "cli/screen.h"
#include "report/costly.h"
#include "report/drawing.h"
#include "report/outcome.h"
#include "report/profiled.h"
#include "report/tallied.h"
#include "report/text.h"

#define RULE "==============================================================================\n" /* 78 columns */
#define PRINTED (64u << 10) /* bytes that are printed at a time */

enum { FILE_NAME, CLASSES, SORT, PERCENT, HISTOGRAM, LINEAR, LOG, NO_TIMELINE, WIDTH };

static const nytp_arg args[] = {
    [FILE_NAME] = {.name = "file", .letter = 'f', .kind = NYTP_ARG_FILE, .value = "FILE",
                   .help = "the capture, if there is no argument FILE"},
    [CLASSES] = NYTP_ARGS_CLASSES,
    [SORT] = {.name = "sort", .kind = NYTP_ARG_WORD, .value = "KEY", .words = "first total mean max n",
              .fallback = "first", .help = "the order of classes"},
    [PERCENT] = {.name = "percent", .kind = NYTP_ARG_WORD, .value = "OF", .words = "table once", .fallback = "table",
                 .help = "whole of CPU times with children: the table's, or the build's, in which each second is once"},
    [HISTOGRAM] = {.name = "histogram", .letter = 'H', .kind = NYTP_ARG_NUMBER, .value = "N", .least = 2, .most = 200,
                   .fallback = "0", .help = "median, 95 % and a histogram of N columns for each class"},
    [LINEAR] = {.name = "linear", .letter = 'i', .without = "log", .help = "histograms are linear"},
    [LOG] = {.name = "log", .letter = 'l', .without = "linear", .help = "histograms are logarithmic, as by default"},
    [NO_TIMELINE] = {.name = "no-timeline", .letter = 't', .help = "tables only"},
    [WIDTH] = {.name = "width", .kind = NYTP_ARG_NUMBER, .value = "N", .least = 20, .most = 1000000, .fallback = "0",
               .help = "columns of the timeline; longer lines end with >"},
    {0},
};

static enum nytp_tallied_sort sort_of(const char *word) {
    static const char *const words[] = {[NYTP_TALLIED_FIRST] = "first", [NYTP_TALLIED_TOTAL] = "total",
                                        [NYTP_TALLIED_MEAN] = "mean", [NYTP_TALLIED_MAX] = "max",
                                        [NYTP_TALLIED_COUNT] = "n"};
    int i = NYTP_TALLIED_COUNT;
    while (i > NYTP_TALLIED_FIRST && strcmp(words[i], word) != 0) i--;
    return (enum nytp_tallied_sort)i;
}

static nytp_tallied how_of(const nytp_arg_value *v) {
    return (nytp_tallied){.sort = sort_of(v[SORT].text), .is_once = strcmp(v[PERCENT].text, "once") == 0,
                          .is_linear = v[LINEAR].given != 0, .columns = (uint32_t)v[HISTOGRAM].number};
}

/* ---- the report ---- */

typedef struct report {
    nytp_processes *processes;
    nytp_schemata *schemata;
    nytp_tally *tally;
    nytp_costly *recipes, *repeats;
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
        r->tally->began = r->outcome.first;
        nytp_schemata_classify(r->schemata, process, &r->classes);
        r->out.failed |= r->classes.failed;
        if (event == NYTP_PROCESSES_ENDED) nytp_tally_add(r->tally, process, &r->classes);
        if (event == NYTP_PROCESSES_ENDED) nytp_costly_add(r->repeats, process);
        if (event == NYTP_PROCESSES_ENDED && process->depth && !process->children)
            nytp_costly_add(r->recipes, process);
        const char *class = r->classes.n ? (const char *)r->classes.p : "";
        if (r->timeline) nytp_drawing_take(r->timeline, event, process, class, &r->out);
        if (r->out.n > PRINTED || r->out.failed) print(&r->out, e);
    }
    while (!e->code && r->timeline && nytp_drawing_end(r->timeline, &r->out))
        if (r->out.n > PRINTED || r->out.failed) print(&r->out, e);
}

static void print_tables(report *r, const nytp_tallied *how, nytp_error *e) {
    nytp_buf *out = &r->out;
    if (r->timeline) nytp_text_put(out, "\n" RULE);
    nytp_outcome_put(out, &r->outcome, nytp_processes_count(r->processes));
    r->outcome.levels.longest = nytp_costly_longest(r->recipes);
    nytp_outcome_put_lists(out, &r->outcome);
    nytp_costly_put(out, r->recipes);
    nytp_costly_put(out, r->repeats);
    nytp_profiled_put(out, &r->profiled);
    for (uint32_t i = 0; i < nytp_schemata_count(r->schemata); i++) {
        nytp_str name = nytp_schemata_name(r->schemata, i);
        nytp_tallied_put(out, r->tally, i, name, how);
    }
    if (r->tally->exceeded)
        nytp_text_around(out, "\nOf ", r->tally->exceeded,
                         " processes the children have used more than the processes themselves, which did not wait for"
                         " them:\ntheir time without children counts as 0.\n");
    nytp_text_put(out, "\n" RULE "END\n");
    print(out, e);
}

static void open_all(report *r, const char *path, const nytp_arg_value *v, nytp_error *e) {
    int has_timeline = !v[NO_TIMELINE].given;
    r->schemata = nytp_cli_classes_read("build", v[CLASSES].text, e);
    r->processes = e->code ? NULL : nytp_processes_open(path, e);
    r->captures = e->code ? NULL : nytp_captured_find(path);
    r->profiled.captures = r->captures;
    r->recipes = nytp_costly_make(NYTP_COSTLY_RECIPES);
    r->repeats = nytp_costly_make(NYTP_COSTLY_REPEATS);
    r->tally = e->code ? NULL : nytp_tally_make(nytp_schemata_count(r->schemata), v[HISTOGRAM].number > 0);
    r->timeline = has_timeline ? nytp_drawing_make((uint32_t)v[WIDTH].number) : NULL;
    if (!e->code && (!r->captures || !r->tally || !r->recipes || !r->repeats || (has_timeline && !r->timeline)))
        nytp_error_set(e, NYTP_NOMEM, "out of memory");
}

static void free_all(report *r) {
    nytp_processes_close(r->processes);
    nytp_schemata_free(r->schemata);
    nytp_tally_free(r->tally);
    nytp_costly_free(r->recipes);
    nytp_costly_free(r->repeats);
    nytp_captured_free(r->captures);
    nytp_drawing_free(r->timeline);
    nytp_buf_free(&r->classes);
    nytp_buf_free(&r->out);
}

/* A capture of a build in which nothing was recorded has the banner; one of something else has none. */
static void complain(report *r, const char *path, nytp_error *e) {
    const nytp_processes_counts *c = nytp_processes_count(r->processes);
    nytp_text_put(&r->out, "no records\n");
    if (c->streams[NYTP_PROCESSES_LAUNCHER] || c->streams[NYTP_PROCESSES_PRELOAD] || c->streams[NYTP_PROCESSES_WRAPPER])
        print(&r->out, e);
    nytp_error_set(e, NYTP_FORMAT, "%s: no processes of a build, expected a capture of `nytprof make`", path);
}

static void make_report(const char *path, const nytp_arg_value *v, nytp_error *e) {
    report r = {0};
    nytp_tallied how = how_of(v);
    open_all(&r, path, v, e);
    nytp_text_format(&r.out, RULE "NYTPROF %s BUILD REPORT\n" RULE "\n", NYTP_VERSION);
    if (!e->code) read_all(&r, e);
    if (!e->code && !r.outcome.processes) complain(&r, path, e);
    if (!e->code) print_tables(&r, &how, e);
    free_all(&r);
}

static int run_build(const nytp_call *call) {
    const nytp_arg_value *v = call->values;
    const char *path = call->argc ? call->argv[0] : v[FILE_NAME].text;
    nytp_error e = {0};
    if (nytp_cli_either_file(call, &v[FILE_NAME])) return NYTP_CLI_USAGE;
    if (call->argc > 1) return nytp_cli_usage("build: expected one FILE, got '%s', too", call->argv[1]);
    make_report(path ? path : NYTP_BUILDER_FILE, v, &e);
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
