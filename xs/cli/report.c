/* report.c - captures in, a report out: the common course of the verbs that write one. */
#include "cli/report.h"

#include <stdio.h>
#include <sys/stat.h>

#include "cli/cli.h"
#include "model/source.h"
#include "report/escape.h"

static void write_report(const nytp_cli_report *r, const nytp_profile *p, nytp_error *e) {
    nytp_sink *sink = r->is_page ? nytp_sink_file(r->out, e) : nytp_sink_directory(r->out, r->empty, e);
    if (!sink) return;
    int code = r->write ? r->write(r, p, sink) : r->report->write(p, NYTP_VERSION, sink);
    nytp_sink_close(sink, e);
    if (code == NYTP_NOMEM) nytp_error_set(e, NYTP_NOMEM, "out of memory while writing the report");
    if (code) nytp_error_set(e, code, "the report's own pages do not fit together");
}

static void announce(const nytp_cli_report *r, const char *const *paths, uint32_t n) {
    if (r->banner) puts(r->banner);
    for (uint32_t i = 0; i < n; i++) printf("Reading %s\nProcessing %s data\n", paths[i], paths[i]);
}

/* A capture may say anything, also what a terminal takes for an order. */
static void tell_notes(const nytp_profile *p) {
    nytp_buf text = {0};
    for (uint32_t i = 0; i < p->notes_n; i++) {
        nytp_buf_clear(&text);
        nytp_escape_text(&text, p->notes[i]);
        fprintf(stderr, "nytprof: %.*s\n", (int)text.n, text.n ? (const char *)text.p : "");
    }
    nytp_buf_free(&text);
}

/* Counters may all be zero because profiling was never on: then there is time in which it was off, or the end of the
 * process says that this is all. Else there is a report, but it is not what anybody hoped for. */
static int is_cut_short(const nytp_profile *p) {
    for (uint32_t i = 0; i < p->processes_n; i++)
        if (p->processes[i].elapsed || p->processes[i].ending != NYTP_ENDING_MISSING) return 0;
    return 1;
}

/* A report in place of its own capture would be the last one of it. */
static int is_one_of(const char *out, const char *const *paths, uint32_t n) {
    struct stat to, from;
    if (stat(out, &to) || !S_ISREG(to.st_mode)) return 0;
    for (uint32_t i = 0; i < n; i++)
        if (!stat(paths[i], &from) && from.st_dev == to.st_dev && from.st_ino == to.st_ino) return 1;
    return 0;
}

/* An earlier report is touched only when there is a profile to replace it with. */
int nytp_cli_report_run(const nytp_cli_report *r, int files, char **names) {
    const char *single = r->file ? r->file : NYTP_CLI_DEFAULT_FILE;
    const char *const *paths = files ? (const char *const *)names : &single;
    uint32_t n = files ? (uint32_t)files : 1;
    nytp_error e = {0};
    nytp_profile p;
    if (r->is_page && is_one_of(r->out, paths, n))
        return nytp_cli_usage("%s: cannot write to %s, which is to be read", r->report->name, r->out);
    if (!r->is_page) announce(r, paths, n);
    if (!nytp_load(&p, paths, n, &r->load, &e) && nytp_source_find(&p))
        nytp_error_set(&e, NYTP_NOMEM, "out of memory while reading source");
    if (!e.code) write_report(r, &p, &e);
    if (!e.code && is_cut_short(&p))
        nytp_error_set(&e, NYTP_FORMAT, "%s: an empty report: the program ended before anything of it was written",
                       paths[0]);
    if (!e.code && !r->has_notes) tell_notes(&p);
    nytp_profile_close(&p);
    return e.code ? nytp_cli_failure(&e) : NYTP_CLI_FINE;
}
