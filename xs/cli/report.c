/* SPDX-License-Identifier: MIT */
/* report.c - the verb of a report: captures in, pages out. */
#include "cli/report.h"

#include <limits.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "cli/browser.h"
#include "cli/output.h"
#include "cli/parts.h"
#include "cli/period.h"
#include "cli/print.h"
#include "cli/progress.h"
#include "cli/refused.h"
#include "cli/render.h"
#include "cli/report_build.h"
#include "cli/screen.h"
#include "cli/sides.h"
#include "model/load.h"
#include "model/source.h"
#include "report/dot.h"
#include "report/page.h"

/* A report and its options. */
typedef struct job {
    const nytp_report *report;
    const char *const *paths;
    uint32_t paths_n;
    const char *sub;
    const char *out; /* the directory; for a report of one page the file */
    uint32_t mode;   /* permissions of files */
    int is_page;
    int empty; /* 1: delete an earlier report's pages first */
    int opens; /* 1: show it in a browser */
    const char *picture; /* graphviz makes one of the page, in this format; NULL: not */
    int splits; /* 1: a report for each process */
    int cuts;   /* 1: the profile is cut down to what is below the sub of --from */
    const nytp_arg_value *values; /* values of the report's own options */
    const char *metrics; /* names of those to be shown; NULL: all */
    const char *color;   /* auto, always or never */
    const char *classes; /* the file of --classes; NULL: none */
    const char *base;    /* that of --base, likewise */
    const char *asset;   /* the asset that is written instead; NULL: none is */
    nytp_wish wish;
    nytp_load_options load;
    nytp_source_from from;
    nytp_progress progress;
    char module_dir[PATH_MAX];
} job;

/* ---- options ---- */

enum { FILE_NAME, OUT, MODE, RAW, TIME, ROOT, READ, DELETE }; /* a report of one page has no --delete */

static const nytp_arg common_args[] = {
    [FILE_NAME] = NYTP_CLI_ARGS_FILE,
    [OUT] = {.name = "out", .letter = 'o', .kind = NYTP_ARG_DIRECTORY, .value = "DIR", .help = "where to write"},
    [MODE] = NYTP_ARGS_MODE("those of the profile"),
    [RAW] = {.name = "raw", .help = "times as they were measured, with the profiler's own cost in them"},
    [TIME] = {.name = "time", .kind = NYTP_ARG_TEXT, .value = "FROM..TO",
              .help = "only what was measured in this part of the run: 60..90 (seconds), 50%.., or MARK..MARK"},
    [ROOT] = {.name = "source-root", .kind = NYTP_ARG_DIRECTORY, .value = "DIR",
              .help = "take source that is in no capture from this directory"},
    [READ] = {.name = "read-sources", .help = "read any file that a capture names, also if it is not your own"},
    [DELETE] = {.name = "delete", .letter = 'd', .help = "first delete the pages an earlier report left there"},
};

static uint32_t count_common(const nytp_report *report) { return report->is_page ? DELETE : DELETE + 1; }

uint32_t nytp_cli_report_args(const nytp_report *report, nytp_arg *rows) {
    uint32_t n = count_common(report);
    memcpy(rows, common_args, n * sizeof *rows);
    rows[OUT].fallback = report->output;
    if (!report->is_page) return n;
    rows[OUT].kind = NYTP_ARG_FILE;
    rows[OUT].value = "FILE";
    if (strcmp(report->output, "-") != 0) rows[OUT].help = "where to write, - for standard output";
    return n;
}

static void use(job *j, const nytp_arg *row, const nytp_arg_value *v, int has_out) {
    switch (row->use) {
    case NYTP_ARG_FOR_LIBRARY: j->load.module_dir = realpath(v->text, j->module_dir); break;
    case NYTP_ARG_FOR_EVALS: j->load.keep_evals = 1; break;
    case NYTP_ARG_FOR_BROWSER: j->opens = 1; break;
    case NYTP_ARG_FOR_SPLIT: j->splits = 1; break;
    case NYTP_ARG_FOR_RENDERER: j->picture = v->text; break;
    case NYTP_ARG_FOR_METRIC: j->metrics = v->text; break;
    case NYTP_ARG_FOR_FILTER: j->wish.filter = v->text; break;
    case NYTP_ARG_FOR_PACKAGE: j->wish.package = v->text; break;
    case NYTP_ARG_FOR_SOURCE: j->wish.source = v->text; break;
    case NYTP_ARG_FOR_FROM: j->wish.from = v->text; break;
    case NYTP_ARG_FOR_BELOW:
        j->wish.from = v->text;
        j->cuts = 1;
        break;
    case NYTP_ARG_FOR_PERCENT: j->wish.percent = v->number; break;
    case NYTP_ARG_FOR_TOP: j->wish.top = v->number; break;
    case NYTP_ARG_FOR_COLOR: j->color = v->text; break;
    case NYTP_ARG_FOR_ASSET: j->asset = row->fallback; break;
    case NYTP_ARG_FOR_PAGE:
        j->is_page = 1;
        if (!has_out) j->out = row->fallback;
        break;
    case NYTP_ARG_FOR_CLASSES: j->classes = v->text; break;
    case NYTP_ARG_FOR_BASE: j->base = v->text; break;
    case NYTP_ARG_OWN: break;
    }
}

static void take_options(job *j, const nytp_call *call) {
    const nytp_arg *own = j->report->args;
    j->values = call->values + count_common(j->report);
    j->out = call->values[OUT].text;
    j->is_page = j->report->is_page;
    j->empty = !j->is_page && call->values[DELETE].given;
    j->from = (nytp_source_from){.root = call->values[ROOT].text, .all = call->values[READ].given != 0};
    j->load.raw = call->values[RAW].given != 0;
    j->load.tell_outside = j->report->tells_outside;
    j->load.whole = j->report->is_whole;
    j->load.keep_processes = j->report->is_apart;
    j->load.keep_stretches = j->report->wants_stretches;
    j->load.keep_calls = j->report->wants_calls;
    for (uint32_t i = 0; own && own[i].name; i++)
        if (j->values[i].given) use(j, &own[i], &j->values[i], call->values[OUT].given != 0);
    j->mode = nytp_cli_mode(&call->values[MODE], j->paths, j->asset ? 0 : j->paths_n);
}

/* ---- messages ---- */

static void tell_part(void *context, const char *name) {
    const job *j = context;
    nytp_print_line(stdout, "Writing %s reports to %s directory", name, j->out);
}

static void tell_page(void *context, uint32_t done, uint32_t all) {
    job *j = context;
    if (done < all) nytp_progress_show(&j->progress, "of pages written", done, all);
    else nytp_progress_end(&j->progress);
}

static void tell_reading(void *context, const char *path, uint64_t done) {
    job *j = context;
    struct stat st;
    uint64_t all = stat(path, &st) == 0 && S_ISREG(st.st_mode) ? (uint64_t)st.st_size : 0;
    nytp_progress_show(&j->progress, path, done, all);
}

static void announce(const job *j) {
    if (j->report->banner) puts(j->report->banner);
    for (uint32_t i = 0; i < j->paths_n; i++) {
        nytp_print_line(stdout, "Reading %s", j->paths[i]);
        nytp_print_line(stdout, "Processing %s data", j->paths[i]);
    }
}

static void tell_notes(const nytp_profile *p) {
    for (uint32_t i = 0; i < p->notes_n; i++) nytp_print_message("%.*s", (int)p->notes[i].n, p->notes[i].p);
}

/* A report that wants calls in their order and is made without them has less than the user expects. */
static void tell_missing_calls(const job *j, const nytp_profile *p) {
    uint64_t calls = 0;
    for (uint32_t i = 0; i < p->processes_n; i++) calls += p->processes[i].spans_n;
    if (j->report->wants_calls && !calls)
        nytp_print_message("%s: processes only, as there are no calls in their order: profile with NYTPROF=calls=2",
                           j->report->name);
}

/* Prints the report's path, and opens it in a browser, for which a name that begins with a dash would be an option. */
static void tell_place(const job *j) {
    char page[4096];
    const char *slash = j->is_page ? "" : "/", *first = j->is_page ? "" : j->report->first;
    snprintf(page, sizeof page, "%s%s%s%s", j->out[0] == '-' ? "./" : "", j->out, slash, first);
    nytp_print_line(stdout, "The report is in %s%s%s", j->out, slash, first);
    fflush(stdout);
    if (j->opens) nytp_cli_browser_open(page);
}

/* A person who has not named the file is told its name. */
static void tell_file(const job *j, uint32_t is_named) {
    if (is_named || j->splits || strcmp(j->out, "-") == 0 || !isatty(STDOUT_FILENO)) return;
    nytp_print_line(stdout, "The report is in %s", j->out);
}

/* ---- making the report ---- */

static int is_for_terminal(const job *j) { return strcmp(j->out, "-") == 0 && isatty(STDOUT_FILENO); }

static int has_color(const job *j) {
    if (j->color && strcmp(j->color, "auto") != 0) return strcmp(j->color, "always") == 0;
    return is_for_terminal(j) && nytp_screen_has_color();
}

/* Bytes that are no text would confuse the terminal. */
static int is_for_eyes(const job *j) {
    int is_binary = j->picture ? strcmp(j->picture, "svg") != 0 : j->report->is_binary;
    return !is_binary || !is_for_terminal(j);
}

static uint32_t width_of(const job *j) { return is_for_terminal(j) ? nytp_screen_width() : NYTP_SCREEN_WIDTH; }

/* The sink of the report; a terminal that reads it has its pager. */
static nytp_sink *open_sink(void *context, nytp_error *e) {
    job *j = context;
    nytp_sink *sink = j->picture   ? nytp_sink_memory(e)
                      : j->is_page ? nytp_sink_file(j->out, j->mode, e)
                                   : nytp_sink_directory(j->out, j->empty, j->mode, e);
    if (sink && has_color(j)) nytp_sink_has_colors(sink);
    if (sink && is_for_terminal(j)) nytp_screen_begin();
    return sink;
}

/* Ends a report that has returned this code. */
static void close_sink(void *context, nytp_sink *sink, int code, nytp_error *e) {
    job *j = context;
    nytp_progress_end(&j->progress);
    if (j->picture && !code) nytp_cli_render(nytp_sink_page(sink, NYTP_LIT(NYTP_DOT_PAGE)), j->picture, j->out, j->mode,
                                             e);
    nytp_sink_close(sink, e);
    if (code == NYTP_NOMEM) nytp_error_set(e, NYTP_NOMEM, "out of memory while writing the report");
    if (code) nytp_error_set(e, code, "the templates of this program's reports are damaged");
}

static void write_report(job *j, const nytp_profile *profiles, uint32_t n, const nytp_selection *selection,
                         nytp_error *e) {
    nytp_shown shown;
    nytp_compared_request base;
    if (nytp_shown_choose(&shown, profiles, j->metrics, e)) return;
    nytp_sides *sides = j->base ? nytp_sides_since(&base, j->base, j->paths, j->paths_n, e) : NULL;
    nytp_sink *sink = e->code ? NULL : open_sink(j, e);
    nytp_request request = {.profiles = profiles, .profiles_n = n, .version = NYTP_VERSION, .values = j->values,
                            .shown = shown, .selection = selection, .base = sides ? &base : NULL, .sub = j->sub,
                            .color = has_color(j), .is_terminal = is_for_terminal(j), .width = width_of(j),
                            .listener = {.part = tell_part, .page = tell_page, .context = j}};
    if (sink) close_sink(j, sink, j->report->write(&request, sink), e);
    nytp_sides_free(sides);
}

/* The same of captures of builds. */
static void make_of_builds(job *j, nytp_error *e) {
    nytp_build_request request = {.version = NYTP_VERSION, .values = j->values, .color = has_color(j),
                                  .is_terminal = is_for_terminal(j), .width = width_of(j),
                                  .listener = {.part = tell_part, .page = tell_page, .context = j}};
    nytp_report_build_make(&(nytp_report_build){.report = j->report, .paths = j->paths, .paths_n = j->paths_n,
                                                .classes = j->classes, .request = request, .open = open_sink,
                                                .close = close_sink, .context = j}, e);
    nytp_screen_end();
}

static int write_asset(const job *j) {
    nytp_error e = {0};
    nytp_str asset = nytp_page_asset(j->asset);
    nytp_sink *sink = nytp_sink_file(j->out, j->mode, &e);
    if (sink) nytp_sink_put(sink, nytp_str_c(j->asset), asset.p, asset.n);
    if (sink) nytp_sink_close(sink, &e);
    return e.code ? nytp_cli_failure(&e) : NYTP_CLI_FINE;
}

/* A report must not overwrite its own capture. */
static int is_one_of(const char *out, const char *const *paths, uint32_t n) {
    struct stat to, from;
    if (stat(out, &to) || !S_ISREG(to.st_mode)) return 0;
    for (uint32_t i = 0; i < n; i++)
        if (!stat(paths[i], &from) && from.st_dev == to.st_dev && from.st_ino == to.st_ino) return 1;
    return 0;
}

/* Told ahead of reading, which may take long; what else is wrong with it the sink finds. */
static int is_no_directory(const char *out) {
    struct stat st;
    return !stat(out, &st) && !S_ISDIR(st.st_mode);
}

static void load(job *j, nytp_profile *p, const char *const *paths, uint32_t n, nytp_error *e) {
    j->progress = nytp_progress_begin();
    if (j->progress.begun) j->load.read = tell_reading;
    j->load.context = j;
    if (!nytp_load(p, paths, n, &j->load, e) && nytp_source_find(p, &j->from))
        nytp_error_set(e, NYTP_NOMEM, "out of memory while reading source");
    nytp_progress_end(&j->progress);
    if (!e->code) nytp_refused_ruin(p, e);
    if (!e->code && j->report->wants_counts) nytp_refused_uncounted(p, paths[0], e);
}

/* Deletes an earlier report only when the profile is loaded. */
static void make(job *j, nytp_profile *profiles, uint32_t n, nytp_error *e) {
    uint32_t files = n > 1 ? 1 : j->paths_n; /* in each profile */
    nytp_selection selection = {0};
    for (uint32_t i = 0; i < n && !e->code; i++) load(j, &profiles[i], j->paths + i, files, e);
    if (!e->code && !nytp_selection_make(&selection, profiles, &j->wish, e) && j->cuts &&
        nytp_selection_cut(&selection, profiles))
        nytp_error_set(e, NYTP_NOMEM, "out of memory");
    if (!e->code && nytp_selection_is_empty(&selection, profiles)) nytp_refused_nothing(&j->wish, e);
    if (!e->code) write_report(j, profiles, n, &selection, e);
    nytp_selection_free(&selection);
    nytp_screen_end();
    for (uint32_t i = 0; i < n && !e->code; i++) nytp_refused_empty(&profiles[i], j->paths[i], e);
    for (uint32_t i = 0; i < n && !e->code; i++) {
        if (!j->report->has_notes) tell_notes(&profiles[i]);
        tell_missing_calls(j, &profiles[i]);
    }
}

/* A part that fails does not keep the others from being written. */
static void make_part(const job *all, const nytp_profile *whole, uint32_t process, nytp_error *e) {
    nytp_cli_part part;
    nytp_error failure = {0};
    nytp_profile p = {0};
    job one = *all;
    int found = nytp_cli_part_of(&part, whole, process, all->out);
    if (!found) return;
    one.out = part.out;
    one.paths = part.paths;
    one.paths_n = part.paths_n;
    one.load.only = part.only;
    if (found < 0) nytp_error_set(&failure, NYTP_NOMEM, "out of memory");
    else if (is_one_of(one.out, all->paths, all->paths_n))
        nytp_error_set(&failure, NYTP_IO, "cannot write to %s, which is to be read", one.out);
    else make(&one, &p, 1, &failure);
    nytp_profile_close(&p);
    free(part.paths);
    if (failure.code) nytp_error_set(e, failure.code, "%s", failure.text);
}

/* Reads all to learn which processes there are, then each alone. */
static void make_parts(const job *j, nytp_error *e) {
    nytp_profile whole;
    if (!nytp_load(&whole, j->paths, j->paths_n, &j->load, e)) nytp_refused_ruin(&whole, e);
    uint32_t n = e->code ? 0 : whole.processes_n;
    if (!e->code && !n) nytp_refused_empty(&whole, j->paths[0], e);
    for (uint32_t i = 0; i < n; i++) make_part(j, &whole, i, e);
    nytp_profile_close(&whole);
}

static int write_files(const nytp_call *call, const char *sub) {
    const char *file = call->values[FILE_NAME].text ? call->values[FILE_NAME].text : NYTP_CLI_DEFAULT_FILE;
    const nytp_report *report = call->verb->report;
    job j = {.report = report, .sub = sub, .paths = call->argc ? (const char *const *)call->argv : &file,
             .paths_n = call->argc ? (uint32_t)call->argc : 1};
    uint32_t n = report->profiles ? report->profiles : 1;
    nytp_period period = {0};
    nytp_error e = {0};
    if (nytp_cli_either_file(call, &call->values[FILE_NAME])) return NYTP_CLI_USAGE;
    take_options(&j, call);
    if (j.asset) return write_asset(&j);
    if (j.metrics && !nytp_shown_is_list(j.metrics))
        return nytp_cli_usage("%s: --metric: expected names, separated by commas, got '%s'", report->name, j.metrics);
    const char *times = call->values[TIME].text;
    if (times && !nytp_period_parse(times, &period))
        return nytp_cli_usage("%s: --time: expected FROM..TO, got '%s'", report->name, times);
    if (nytp_selection_check(&j.wish, &e)) return nytp_cli_usage("%s: %s", report->name, e.text);
    if (n > 1 && j.paths_n != n) return nytp_cli_usage("%s: wants %u files", report->name, n);
    if (j.splits && strcmp(j.out, "-") == 0)
        return nytp_cli_usage("%s: --split writes files, expected --out FILE", report->name);
    if (!j.is_page && strcmp(j.out, "-") == 0)
        return nytp_cli_usage("%s: standard output is no directory to write a report to", report->name);
    if (!is_for_eyes(&j))
        return nytp_cli_usage("%s: this is no text for a terminal, expected -o FILE", report->name);
    if (j.is_page && is_one_of(j.out, j.paths, j.paths_n))
        return nytp_cli_usage("%s: cannot write to %s, which is to be read", report->name, j.out);
    if (!j.is_page && is_no_directory(j.out))
        nytp_error_set(&e, NYTP_USAGE, "%s is a file, not a directory to write a report to", j.out);
    if (e.code) return nytp_cli_failure(&e);
    nytp_profile *profiles = calloc(n, sizeof *profiles);
    if (!profiles) return nytp_error_set(&e, NYTP_NOMEM, "out of memory"), nytp_cli_failure(&e);
    if (!j.is_page) announce(&j);
    int is_build = nytp_report_build_is(j.paths, j.paths_n, &e);
    if (is_build && times)
        nytp_error_set(&e, NYTP_FORMAT, "--time: %s is a capture of a build, expected a profile", j.paths[0]);
    else if (is_build) make_of_builds(&j, &e);
    else if (!e.code && j.classes)
        nytp_error_set(&e, NYTP_FORMAT, "--classes: %s is no capture of a build", j.paths[0]);
    else if (!e.code && !nytp_period_find(&period, j.paths, j.paths_n, &j.load, &e)) {
        if (j.splits) make_parts(&j, &e);
        else make(&j, profiles, n, &e);
    }
    for (uint32_t i = 0; i < n; i++) nytp_profile_close(&profiles[i]);
    free(profiles);
    if (e.code == NYTP_USAGE && is_build) return nytp_cli_usage("%s", e.text);
    if (e.code) return nytp_cli_failure(&e);
    if (report->first && !(j.is_page && strcmp(j.out, "-") == 0)) tell_place(&j);
    else if (j.is_page) tell_file(&j, call->values[OUT].given);
    return NYTP_CLI_FINE;
}

int nytp_cli_report(const nytp_call *call) {
    nytp_call rest = *call;
    if (!call->verb->report->takes_sub) return write_files(call, NULL);
    if (!call->argc) return nytp_cli_usage("%s: expected the name of a sub", call->verb->name);
    rest.argc--;
    rest.argv++;
    return write_files(&rest, call->argv[0]);
}
