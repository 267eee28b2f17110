/* SPDX-License-Identifier: MIT */
/* json_findings.c - what to look at first, for the JSON export: an object for each finding. */
#include "export/json_findings.h"

#include "report/findings.h"

static const char *const kinds[NYTP_FINDING_KINDS] = {
    [NYTP_FINDING_CALLS] = "calls",     [NYTP_FINDING_WAITING] = "waiting", [NYTP_FINDING_IO] = "io",
    [NYTP_FINDING_REGEX] = "regex",     [NYTP_FINDING_SORT] = "sort",       [NYTP_FINDING_IN_C] = "in_c",
    [NYTP_FINDING_EVALS] = "evals",     [NYTP_FINDING_MODULE] = "module",   [NYTP_FINDING_LINE] = "line",
    [NYTP_FINDING_SUB] = "sub",         [NYTP_FINDING_DEEP] = "deep",       [NYTP_FINDING_LOADING] = "loading",
    [NYTP_FINDING_IDLE] = "idle",       [NYTP_FINDING_NO_CPU] = "no_cpu",   [NYTP_FINDING_GROWTH] = "growth",
};

static void put_finding(nytp_tables *t, const nytp_finding *f) {
    nytp_json *j = &t->json;
    nytp_json_object(j, NULL);
    nytp_json_text(j, "kind", kinds[f->kind]);
    nytp_tables_amount(t, "time", f->ticks);
    nytp_tables_amount(t, "of", f->whole);
    if (f->sub != NYTP_ROOT) nytp_json_number(j, "sub", t->sub[f->sub]);
    if (f->file) nytp_json_number(j, "file", t->file[f->file]);
    if (f->line) nytp_json_number(j, "line", f->line);
    if (f->name.n) nytp_json_string(j, "name", f->name);
    nytp_tables_amount(t, "here", f->here);
    nytp_tables_amount(t, "count", f->count);
    nytp_json_number(j, "places", f->places);
    if (f->growth) nytp_json_signed(j, "growth", f->growth);
    if (f->growth) nytp_json_signed(j, "kept", f->kept);
    nytp_json_end(j);
}

int nytp_json_findings_put(nytp_tables *t) {
    nytp_loading loading = {0};
    int code = nytp_loading_find(&loading, t->p);
    if (!code) {
        const nytp_findings found = nytp_findings_find(t->p, &loading);
        nytp_json_array(&t->json, "findings");
        for (uint32_t i = 0; i < found.n; i++) put_finding(t, &found.at[i]);
        nytp_json_end(&t->json);
    }
    nytp_loading_free(&loading);
    return code;
}
