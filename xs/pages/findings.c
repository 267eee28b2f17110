/* SPDX-License-Identifier: MIT */
/* findings.c - a section of the index: what to look at first, a sentence each. */
#include "pages/findings.h"

#include "model/metrics.h"
#include "pages/parts.h"
#include "report/escape.h"
#include "report/findings.h"
#include "report/text.h"
#include "report/units.h"

#define MOST_OF_IT 50 /* percent of a time that a line has: then the line is named */
#define NEARLY_ALL 90 /* the same where a line is only worth naming if it stands out */
#define SEVERAL 3     /* lines of which one stands out */

static void put_line(nytp_buf *out, const nytp_html *h, const nytp_finding *f) {
    int is_linked = nytp_parts_line_href(out, h, f->file, f->line);
    nytp_parts_line_name(out, h, f->file, f->line);
    if (is_linked) nytp_text_put(out, "</a>");
}

/* ": 2,000 calls of 1.24 µs each" */
static void put_count(nytp_buf *out, const nytp_html *h, const nytp_finding *f, const char *one, const char *many) {
    if (f->count <= 0) return;
    nytp_text_put(out, ": ");
    if (f->kind == NYTP_FINDING_LINE || f->kind == NYTP_FINDING_EVALS) {
        nytp_parts_count(out, h, f->count);
        nytp_text_format(out, " %s", f->count == 1 ? one : many);
    } else nytp_parts_plural(out, f->count, one, many);
    if (f->count == 1) return;
    nytp_text_put(out, " of ");
    nytp_parts_average(out, h, f->ticks, f->count);
    nytp_text_put(out, " each");
}

static int has_share_here(const nytp_finding *f, int percent) {
    return f->file && (double)f->here * 100 >= (double)f->ticks * percent;
}

/* ", 1.2 s of it at x.pl:17"; all of it has no number. */
static void put_where(nytp_buf *out, const nytp_html *h, const nytp_finding *f) {
    if (!has_share_here(f, MOST_OF_IT)) return;
    nytp_text_put(out, ", ");
    if (f->here < f->ticks) {
        nytp_parts_time(out, h, f->here);
        nytp_text_put(out, " of it ");
    }
    nytp_text_put(out, "at ");
    put_line(out, h, f);
}

static void put_caller(nytp_buf *out, const nytp_html *h, const nytp_finding *f) {
    if (f->places < SEVERAL || !has_share_here(f, NEARLY_ALL)) return;
    nytp_text_put(out, "; ");
    nytp_units_percent(out, f->here, f->ticks);
    nytp_text_put(out, " of it for calls at ");
    put_line(out, h, f);
    nytp_text_format(out, ", one of %u places", f->places);
}

static void put_calls(nytp_buf *out, const nytp_html *h, const nytp_finding *f) {
    nytp_text_put(out, "goes to calling ");
    nytp_parts_sub_link(out, h, f->sub);
    put_count(out, h, f, "call", "calls");
    put_caller(out, h, f);
    nytp_text_put(out, ". Fewer calls, or its code in place of them, would save time");
}

#define KINDS_SHOWN 3

/* "; the program waited for sleep 1.15 s, child processes 461 ms" */
static void put_kinds(nytp_buf *out, const nytp_profile *p) {
    nytp_str title = NYTP_LIT("Waiting: ");
    uint32_t kinds[NYTP_FORMAT_METRICS], n = 0, row = p->totals.values;
    for (uint32_t i = 0; i < p->metrics_n; i++) {
        uint32_t at = n;
        if (!nytp_str_starts(p->metrics[i].name, NYTP_LIT("wait-")) || nytp_metrics_get(p, i, row) <= 0) continue;
        for (; at && nytp_metrics_get(p, kinds[at - 1], row) < nytp_metrics_get(p, i, row); at--)
            kinds[at] = kinds[at - 1];
        kinds[at] = i;
        n++;
    }
    for (uint32_t i = 0; i < n && i < KINDS_SHOWN; i++) {
        const nytp_metric *m = &p->metrics[kinds[i]];
        int is_titled = nytp_str_starts(m->title, title);
        nytp_text_put(out, i ? ", " : "; the program waited for ");
        nytp_escape_html(out, is_titled ? (nytp_str){m->title.p + title.n, m->title.n - title.n} : m->name);
        nytp_buf_byte(out, ' ');
        nytp_units_time(out, (double)nytp_metrics_get(p, kinds[i], row) / 1e9);
    }
}

static void put_builtins(nytp_buf *out, const nytp_html *h, const nytp_finding *f) {
    static const char *const does[NYTP_FINDING_KINDS] = {
        [NYTP_FINDING_WAITING] = "passes in waiting", [NYTP_FINDING_IO] = "goes to input, output and files",
        [NYTP_FINDING_REGEX] = "goes to matching patterns", [NYTP_FINDING_SORT] = "goes to sorting",
    };
    nytp_text_format(out, "%s, most in ", does[f->kind]);
    nytp_parts_sub_link(out, h, f->sub);
    put_where(out, h, f);
    if (f->kind == NYTP_FINDING_WAITING && nytp_findings_is_measured(h->p)) put_kinds(out, h->p);
}

static void put_in_c(nytp_buf *out, const nytp_html *h, const nytp_finding *f) {
    nytp_text_put(out, "is in the C code of ");
    nytp_parts_sub_link(out, h, f->sub);
    put_count(out, h, f, "call", "calls");
    put_where(out, h, f);
}

static void put_evals(nytp_buf *out, const nytp_html *h, const nytp_finding *f) {
    nytp_text_put(out, "is in ");
    put_line(out, h, f);
    nytp_text_format(out, ", which compiles %s", h->languages[h->p->files[f->file].process].evals);
    put_count(out, h, f, "run", "runs");
}

static void put_module(nytp_buf *out, const nytp_html *h, const nytp_finding *f) {
    if (!f->name.n) {
        nytp_text_put(out, "goes to <a href=#loading>compiling the program</a>");
        return;
    }
    nytp_text_put(out, "goes to loading ");
    int is_linked = nytp_parts_line_href(out, h, f->file, f->line);
    nytp_escape_html(out, f->name);
    if (is_linked) nytp_text_put(out, "</a>");
    nytp_text_put(out, ", the modules that it uses aside");
}

static void put_of_line(nytp_buf *out, const nytp_html *h, const nytp_finding *f) {
    nytp_text_put(out, "is in ");
    put_line(out, h, f);
    put_count(out, h, f, "run", "runs");
}

static void put_sub(nytp_buf *out, const nytp_html *h, const nytp_finding *f) {
    nytp_text_put(out, "is in the code of ");
    nytp_parts_sub_link(out, h, f->sub);
    put_count(out, h, f, "call", "calls");
    put_caller(out, h, f);
}

static void put_deep(nytp_buf *out, const nytp_html *h, const nytp_finding *f) {
    nytp_text_put(out, "is in ");
    nytp_parts_sub_link(out, h, f->sub);
    nytp_text_put(out, " with all that it calls; it calls itself, ");
    nytp_units_count(out, f->count);
    nytp_text_put(out, " deep");
}

static void put_loading(nytp_buf *out, const nytp_html *h, const nytp_finding *f) {
    (void)h, (void)f;
    nytp_text_put(out, "goes to <a href=#loading>compiling the program and loading modules</a>");
}

static void put_idle(nytp_buf *out, const nytp_html *h, const nytp_finding *f) {
    nytp_text_put(out, "of ");
    nytp_parts_time(out, h, f->whole);
    nytp_text_put(out, " from start to end, passed without a CPU: the process waited, or other processes had it");
}

static void put_no_cpu(nytp_buf *out, const nytp_html *h, const nytp_finding *f) {
    nytp_text_put(out, "of ");
    nytp_parts_time(out, h, f->whole);
    nytp_text_put(out, " from start to end, the program was ready to run, but other programs had the CPU");
}

static void put_growth(nytp_buf *out, const nytp_html *h, const nytp_finding *f) {
    const nytp_metric *made = &h->p->metrics[nytp_metrics_growth(h->p).made];
    nytp_shown_value(out, made, f->growth);
    nytp_text_put(out, " of ");
    nytp_shown_value(out, made, f->kept);
    nytp_text_put(out, made->unit.n ? ", was made and not freed at " : " values, was made and not freed at ");
    put_line(out, h, f);
    nytp_text_put(out, ": ");
    nytp_parts_count(out, h, f->count);
    nytp_text_put(out, f->count == 1 ? " run" : " runs");
}

static void (*const sentences[NYTP_FINDING_KINDS])(nytp_buf *, const nytp_html *, const nytp_finding *) = {
    [NYTP_FINDING_CALLS] = put_calls, [NYTP_FINDING_WAITING] = put_builtins, [NYTP_FINDING_IO] = put_builtins,
    [NYTP_FINDING_REGEX] = put_builtins, [NYTP_FINDING_SORT] = put_builtins, [NYTP_FINDING_IN_C] = put_in_c,
    [NYTP_FINDING_EVALS] = put_evals, [NYTP_FINDING_MODULE] = put_module, [NYTP_FINDING_LINE] = put_of_line,
    [NYTP_FINDING_SUB] = put_sub, [NYTP_FINDING_DEEP] = put_deep, [NYTP_FINDING_LOADING] = put_loading,
    [NYTP_FINDING_IDLE] = put_idle, [NYTP_FINDING_NO_CPU] = put_no_cpu, [NYTP_FINDING_GROWTH] = put_growth,
};

/* "12.3 % of the time, 1.2 s, " */
static void put_share(nytp_buf *out, const nytp_html *h, const nytp_finding *f) {
    nytp_text_put(out, "<b>");
    if (f->growth) nytp_units_percent(out, f->growth, f->kept);
    else nytp_units_percent(out, f->ticks, f->whole);
    nytp_text_put(out, f->growth ? "</b> of what is left at the end, " : "</b> of the time, ");
    if (f->growth) return;
    nytp_parts_time(out, h, f->ticks);
    nytp_text_put(out, f->kind == NYTP_FINDING_IDLE || f->kind == NYTP_FINDING_NO_CPU ? " " : ", ");
}

void nytp_pages_findings_put(nytp_buf *out, const nytp_html *h, const nytp_loading *l) {
    const nytp_findings found = nytp_findings_find(h->p, l);
    if (!found.n) return;
    nytp_text_put(out, "<section aria-labelledby=findings><h2 id=findings>What to look at first</h2>\n"
                       "<ul class=findings>\n");
    for (uint32_t i = 0; i < found.n; i++) {
        const nytp_finding *f = &found.at[i];
        nytp_text_put(out, "<li>");
        put_share(out, h, f);
        sentences[f->kind](out, h, f);
        nytp_text_put(out, ".\n");
    }
    nytp_text_put(out, "</ul></section>\n");
}
