/* SPDX-License-Identifier: MIT */
/* exports.c - a list of the reports that are files for other programs. */
#include "pages/exports.h"

#include "report/escape.h"
#include "report/quoted.h"
#include "report/text.h"

void nytp_exports_files(nytp_buf *out, const nytp_profile *p) {
    for (uint32_t i = 0; i < p->inputs_n; i++) {
        if (i) nytp_text_put(out, " ");
        nytp_quoted_html(out, p->inputs[i].name);
    }
}

void nytp_exports_put(nytp_buf *out, const nytp_html *h) {
    nytp_text_put(out, "<section aria-labelledby=exports><h2 id=exports>For other programs</h2><p class=muted>"
                       "Each of these commands writes a file of the same profile.</p><ul class=exports>\n");
    for (const nytp_report *const *report = nytp_reports; *report; report++) {
        if ((*report)->task != NYTP_TASK_EXPORT) continue;
        nytp_text_format(out, "<li><code>nytprof %s ", (*report)->name);
        nytp_exports_files(out, h->p);
        nytp_text_format(out, "</code> <span class=muted>%s</span>\n", (*report)->summary);
    }
    nytp_text_put(out, "</ul></section>\n");
}
