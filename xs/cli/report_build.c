/* SPDX-License-Identifier: MIT */
/* report_build.c - the verb of a report, on captures of builds. */
#include "cli/report_build.h"

#include <stdlib.h>

#include "cli/classes.h"
#include "report/text.h"

int nytp_report_build_is(const char *const *paths, uint32_t n, nytp_error *e) {
    for (uint32_t i = 0; i < n; i++)
        if (nytp_build_is(paths[i], e)) return 1;
    return 0;
}

/* ---- what cannot be done ---- */

/* Options of profiles only would be given for nothing. */
static int is_for_builds(enum nytp_arg_use use) {
    return use == NYTP_ARG_OWN || use == NYTP_ARG_FOR_PAGE || use == NYTP_ARG_FOR_BROWSER ||
           use == NYTP_ARG_FOR_COLOR || use == NYTP_ARG_FOR_CLASSES;
}

/* "build, html or info" */
static void refuse_report(const nytp_report_build *r, nytp_error *e) {
    nytp_buf verbs = {0};
    nytp_text_put(&verbs, "build");
    for (const nytp_report *const *other = nytp_reports; *other; other++)
        if ((*other)->write_build) nytp_text_format(&verbs, ", %s", (*other)->name);
    nytp_text_put(&verbs, ", info and dump");
    nytp_error_set(e, NYTP_USAGE, "%s: %s is the capture of a build, which is for the verbs %.*s", r->report->name,
                   r->paths[0], (int)verbs.n, verbs.n ? (const char *)verbs.p : "");
    nytp_buf_free(&verbs);
}

static void refuse(const nytp_report_build *r, nytp_error *e) {
    const nytp_arg *own = r->report->args;
    if (!r->report->write_build) refuse_report(r, e);
    for (uint32_t i = 0; own && own[i].name; i++)
        if (r->request.values[i].given && !is_for_builds(own[i].use))
            nytp_error_set(e, NYTP_USAGE, "%s: --%s is for profiles, and %s is the capture of a build",
                           r->report->name, own[i].name, r->paths[0]);
    if (!r->report->profiles && r->paths_n != 1)
        nytp_error_set(e, NYTP_USAGE, "%s: expected one capture of a build, got %u files", r->report->name,
                       (unsigned)r->paths_n);
}

/* ---- the report ---- */

static void write(const nytp_report_build *r, const nytp_build_request *request, nytp_error *e) {
    nytp_sink *sink = r->open(r->context, e);
    if (sink) r->close(r->context, sink, r->report->write_build(request, sink), e);
}

void nytp_report_build_make(const nytp_report_build *r, nytp_error *e) {
    refuse(r, e);
    nytp_schemata *rules = e->code ? NULL : nytp_cli_classes_read(r->report->name, r->classes, e);
    nytp_build *builds = calloc(r->paths_n, sizeof *builds);
    nytp_classes *classes = calloc(r->paths_n, sizeof *classes);
    if (!builds || !classes) nytp_error_set(e, NYTP_NOMEM, "out of memory");
    for (uint32_t i = 0; i < r->paths_n && !e->code; i++)
        if (!nytp_build_load(&builds[i], r->paths[i], e) && nytp_classes_make(&classes[i], rules, &builds[i]))
            nytp_error_set(e, NYTP_NOMEM, "out of memory");
    nytp_build_request request = r->request;
    request.builds = builds;
    request.classes = classes;
    request.builds_n = r->paths_n;
    if (!e->code) write(r, &request, e);
    for (uint32_t i = 0; i < r->paths_n; i++) {
        if (classes) nytp_classes_free(&classes[i]);
        if (builds) nytp_build_free(&builds[i]);
    }
    nytp_schemata_free(rules);
    free(classes);
    free(builds);
}
