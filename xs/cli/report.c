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
#include "model/load.h"
#include "model/source.h"
#include "report/escape.h"

#define PAGES_TOLD 16

/* A report and its options. */
typedef struct job {
    const nytp_report *report;
    const char *const *paths;
    uint32_t paths_n;
    const char *out; /* the directory; for a report of one page the file */
    int is_page;
    int empty; /* 1: delete an earlier report's pages first */
    int opens; /* 1: show it in a browser */
    const nytp_arg_value *values; /* values of the report's own options */
    const char *metrics; /* names of those to be shown; NULL: all */
    nytp_load_options load;
    char module_dir[PATH_MAX];
} job;

/* ---- options ---- */

enum { FILE_NAME, OUT, DELETE }; /* a report of one page has no --delete */

static const nytp_arg common_args[] = {
    [FILE_NAME] = {.name = "file", .letter = 'f', .kind = NYTP_ARG_FILE, .value = "FILE",
                   .help = "the capture, if there is no argument FILE"},
    [OUT] = {.name = "out", .letter = 'o', .kind = NYTP_ARG_DIRECTORY, .value = "DIR", .help = "where to write"},
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
    case NYTP_ARG_FOR_METRIC: j->metrics = v->text; break;
    case NYTP_ARG_FOR_PAGE:
        j->is_page = 1;
        if (!has_out) j->out = row->fallback;
        break;
    case NYTP_ARG_OWN: break;
    }
}

static void take_options(job *j, const nytp_call *call) {
    const nytp_arg *own = j->report->args;
    j->values = call->values + count_common(j->report);
    j->out = call->values[OUT].text;
    j->is_page = j->report->is_page;
    j->empty = !j->is_page && call->values[DELETE].given;
    j->load.tell_outside = j->report->tells_outside;
    for (uint32_t i = 0; own && own[i].name; i++)
        if (j->values[i].given) use(j, &own[i], &j->values[i], call->values[OUT].given != 0);
}

/* ---- messages ---- */

static void tell_part(void *context, const char *name) {
    const job *j = context;
    printf("Writing %s reports to %s directory\n", name, j->out);
}

/* Shows progress every few pages; the last call erases the line. */
static void tell_page(void *context, uint32_t done, uint32_t all) {
    (void)context;
    if (done == all) fputs("\r\033[K", stderr);
    else if (done % PAGES_TOLD == 0) fprintf(stderr, "\rpage %u of %u", done, all);
}

static void announce(const job *j) {
    if (j->report->banner) puts(j->report->banner);
    for (uint32_t i = 0; i < j->paths_n; i++) printf("Reading %s\nProcessing %s data\n", j->paths[i], j->paths[i]);
}

/* Notes are escaped, as a capture may contain control sequences for the terminal. */
static void tell_notes(const nytp_profile *p, nytp_error *e) {
    nytp_buf text = {0};
    for (uint32_t i = 0; i < p->notes_n && !text.failed; i++) {
        nytp_buf_rewind(&text);
        nytp_escape_text(&text, p->notes[i]);
        if (!text.failed) fprintf(stderr, "nytprof: %.*s\n", (int)text.n, text.n ? (const char *)text.p : "");
    }
    if (text.failed) nytp_error_set(e, NYTP_NOMEM, "out of memory while telling what is missing in the report");
    nytp_buf_free(&text);
}

/* Prints the report's path, and opens it in a browser, for which a name that begins with a dash would be an option. */
static void tell_place(const job *j) {
    char page[4096];
    const char *slash = j->is_page ? "" : "/", *first = j->is_page ? "" : j->report->first;
    snprintf(page, sizeof page, "%s%s%s%s", j->out[0] == '-' ? "./" : "", j->out, slash, first);
    printf("The report is in %s%s%s\n", j->out, slash, first);
    fflush(stdout);
    if (j->opens) nytp_cli_browser_open(page);
}

/* ---- making the report ---- */

static void write_report(job *j, const nytp_profile *profiles, uint32_t n, nytp_error *e) {
    nytp_shown shown;
    if (nytp_shown_choose(&shown, profiles, j->metrics, e)) return;
    nytp_sink *sink = j->is_page ? nytp_sink_file(j->out, e) : nytp_sink_directory(j->out, j->empty, e);
    nytp_request request = {.profiles = profiles, .profiles_n = n, .version = NYTP_VERSION, .values = j->values,
                            .shown = shown, .listener = {.part = tell_part, .context = j}};
    if (!sink) return;
    if (isatty(STDERR_FILENO)) request.listener.page = tell_page;
    int code = j->report->write(&request, sink);
    nytp_sink_close(sink, e);
    if (code == NYTP_NOMEM) nytp_error_set(e, NYTP_NOMEM, "out of memory while writing the report");
    if (code) nytp_error_set(e, code, "the templates of this program's reports are damaged");
}

/* A profile without counters is complete if profiling was never on: then it has time switched off, or its process has
 * ended. Otherwise the capture was cut short. */
static int is_cut_short(const nytp_profile *p) {
    for (uint32_t i = 0; i < p->processes_n; i++)
        if (p->processes[i].elapsed || p->processes[i].ending != NYTP_ENDING_MISSING) return 0;
    return 1;
}

/* A report must not overwrite its own capture. */
static int is_one_of(const char *out, const char *const *paths, uint32_t n) {
    struct stat to, from;
    if (stat(out, &to) || !S_ISREG(to.st_mode)) return 0;
    for (uint32_t i = 0; i < n; i++)
        if (!stat(paths[i], &from) && from.st_dev == to.st_dev && from.st_ino == to.st_ino) return 1;
    return 0;
}

static void load(const job *j, nytp_profile *p, const char *const *paths, uint32_t n, nytp_error *e) {
    if (!nytp_load(p, paths, n, &j->load, e) && nytp_source_find(p))
        nytp_error_set(e, NYTP_NOMEM, "out of memory while reading source");
}

/* Deletes an earlier report only when the profile is loaded. */
static void make(job *j, nytp_profile *profiles, uint32_t n, nytp_error *e) {
    uint32_t files = n > 1 ? 1 : j->paths_n; /* in each profile */
    for (uint32_t i = 0; i < n && !e->code; i++) load(j, &profiles[i], j->paths + i, files, e);
    if (!e->code) write_report(j, profiles, n, e);
    for (uint32_t i = 0; i < n && !e->code; i++)
        if (is_cut_short(&profiles[i]))
            nytp_error_set(e, NYTP_FORMAT, "%s: an empty report: the program ended before anything of it was written",
                           j->paths[i]);
    for (uint32_t i = 0; i < n && !e->code && !j->report->has_notes; i++) tell_notes(&profiles[i], e);
}

int nytp_cli_report(const nytp_call *call) {
    const char *file = call->values[FILE_NAME].text ? call->values[FILE_NAME].text : NYTP_CLI_DEFAULT_FILE;
    const nytp_report *report = call->verb->report;
    job j = {.report = report, .paths = call->argc ? (const char *const *)call->argv : &file,
             .paths_n = call->argc ? (uint32_t)call->argc : 1};
    uint32_t n = report->profiles ? report->profiles : 1;
    nytp_error e = {0};
    take_options(&j, call);
    if (j.metrics && !nytp_shown_is_list(j.metrics))
        return nytp_cli_usage("%s: --metric: expected names, separated by commas, got '%s'", report->name, j.metrics);
    if (n > 1 && j.paths_n != n) return nytp_cli_usage("%s: wants %u files", report->name, n);
    if (j.is_page && is_one_of(j.out, j.paths, j.paths_n))
        return nytp_cli_usage("%s: cannot write to %s, which is to be read", report->name, j.out);
    nytp_profile *profiles = calloc(n, sizeof *profiles);
    if (!profiles) return nytp_error_set(&e, NYTP_NOMEM, "out of memory"), nytp_cli_failure(&e);
    if (!j.is_page) announce(&j);
    make(&j, profiles, n, &e);
    for (uint32_t i = 0; i < n; i++) nytp_profile_close(&profiles[i]);
    free(profiles);
    if (e.code) return nytp_cli_failure(&e);
    if (report->first && !(j.is_page && strcmp(j.out, "-") == 0)) tell_place(&j);
    return NYTP_CLI_FINE;
}
