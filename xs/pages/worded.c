/* SPDX-License-Identifier: MIT */
/* worded.c - the strip of time in words: its range, what passed in all, its slices as a table, its marks and spans as
 * a list. */
#include "pages/worded.h"

#include <inttypes.h>
#include <time.h>

#include "base/ticks.h"
#include "pages/parts.h"
#include "report/escape.h"
#include "report/findings.h"
#include "report/text.h"
#include "report/units.h"

#define MOST_ROWS 10u /* of the table */

/* Colours are those of kinds of code, html/app.css, where such time is of one kind. */
const nytp_worded nytp_worded_passed[NYTP_PASSED] = {
    [NYTP_PASSED_RUNNING] = {"k0", "running"}, [NYTP_PASSED_IO] = {"k6", "input and output"},
    [NYTP_PASSED_WAITING] = {"k8", "waiting"}, [NYTP_PASSED_LOADING] = {"k2", "compiling and loading"},
    [NYTP_PASSED_PROFILER] = {"profiler", "the profiler"}, [NYTP_PASSED_OFF] = {"off", "switched off"},
};

uint64_t nytp_worded_since(const nytp_strip *d, uint64_t epoch) {
    uint64_t begin = d->h->p->processes[0].id.process_start;
    return epoch > begin ? epoch - begin : 0;
}

uint64_t nytp_worded_ns(const nytp_strip *d, int64_t ticks) {
    double ns = nytp_profile_seconds(d->h->p, ticks) * NYTP_NANOSECONDS;
    return ns > 0 && ns < 9e18 ? (uint64_t)(ns + 0.5) : 0;
}

/* Bar and table leave out what has less than a microsecond of the run. */
static int is_shown(const nytp_strip *d, int what) { return nytp_worded_ns(d, d->s.sums[what]) >= 1000; }

void nytp_worded_process(const nytp_strip *d, uint32_t lane) {
    const nytp_process *process = &d->h->p->processes[d->s.lanes[lane]];
    nytp_text_format(d->out, "process %u", process->id.pid);
    if (process->id.thread) nytp_text_format(d->out, ", thread %u", process->id.thread);
}

/* 1 if all that was recorded are threads of one process. */
static int are_threads(const nytp_profile *p) {
    for (uint32_t i = 1; i < p->processes_n; i++)
        if (p->processes[i].id.pid != p->processes[0].id.pid) return 0;
    return 1;
}

static void put_left_out(const nytp_strip *d) {
    nytp_text_put(d->out, " Without the ");
    if (are_threads(d->h->p)) nytp_parts_plural(d->out, d->s.left_out, "thread", "threads");
    else nytp_parts_plural(d->out, d->s.left_out, "process", "processes");
    nytp_text_put(d->out, d->s.left_out == 1 ? " that took the least time." : " that took the least times.");
}

void nytp_worded_when(const nytp_strip *d) {
    uint64_t begin = d->h->p->processes[0].id.process_start;
    time_t when = (time_t)(begin / NYTP_NANOSECONDS);
    char text[64];
    struct tm tm;
    nytp_text_put(d->out, "<p class=muted>What passed from ");
    nytp_units_time(d->out, (double)d->s.first / NYTP_NANOSECONDS);
    nytp_text_put(d->out, " to ");
    nytp_units_time(d->out, (double)d->s.last / NYTP_NANOSECONDS);
    if (begin && localtime_r(&when, &tm) && strftime(text, sizeof text, "%H:%M:%S", &tm))
        nytp_text_format(d->out, ", where 0 s is at %s", text);
    if (d->s.lanes_n > 1)
        nytp_text_put(d->out, are_threads(d->h->p) ? ", a lane for each thread" : ", a lane for each process");
    nytp_text_put(d->out, ".");
    if (d->s.left_out) put_left_out(d);
    if (d->marks_more) {
        nytp_text_put(d->out, " Behind the last mark there ");
        nytp_text_put(d->out, d->marks_more == 1 ? "is " : "are ");
        nytp_parts_plural(d->out, d->marks_more, "more.", "more.");
    }
    if (d->spans_n) nytp_text_put(d->out, " Of spans the longest of each name is shown.");
    nytp_text_put(d->out, "</p>");
}

static void put_bar(const nytp_strip *d) {
    nytp_text_put(d->out, "<div class=bar aria-hidden=true>");
    for (int k = 0; k < NYTP_PASSED; k++)
        if (is_shown(d, k)) nytp_text_format(d->out, "<i class=%s style=flex-grow:%" PRIu64 "></i>",
                                             nytp_worded_passed[k].class, nytp_worded_ns(d, d->s.sums[k]) / 1000);
    nytp_text_put(d->out, "</div>");
}

static void put_whose(const nytp_strip *d) {
    nytp_text_put(d->out, "<span>In ");
    if (d->s.left_out) nytp_text_format(d->out, "%" PRIu32 " of ", d->s.lanes_n);
    nytp_text_format(d->out, "%" PRIu32 " %s:</span>\n", d->s.lanes_n + d->s.left_out,
                     are_threads(d->h->p) ? "threads" : "processes");
}

void nytp_worded_bar(const nytp_strip *d) {
    int64_t whole = 0;
    for (int k = 0; k < NYTP_PASSED; k++) whole = nytp_ticks_add(whole, d->s.sums[k]);
    nytp_text_put(d->out, "<div class=took>");
    put_bar(d);
    nytp_text_put(d->out, "<p class=passed>");
    if (d->s.lanes_n > 1) put_whose(d);
    for (int k = 0; k < NYTP_PASSED; k++) {
        if (!is_shown(d, k)) continue;
        const nytp_worded *what = &nytp_worded_passed[k];
        nytp_text_format(d->out, "<span><span class=\"swatch %s\"></span>%s <b>", what->class, what->name);
        nytp_parts_time(d->out, d->h, d->s.sums[k]);
        nytp_text_put(d->out, "</b> ");
        nytp_units_percent(d->out, d->s.sums[k], whole);
        nytp_text_put(d->out, "</span>\n");
    }
    nytp_text_put(d->out, "</p></div>\n");
}

void nytp_worded_untold(const nytp_strip *d) {
    if (!is_shown(d, NYTP_PASSED_IO) && !d->h->p->is_uncounted) return;
    nytp_text_put(d->out, "<p class=muted>");
    if (is_shown(d, NYTP_PASSED_IO))
        nytp_text_put(d->out, nytp_findings_is_measured(d->h->p)
                                  ? "Input and output is shown with what it waited. "
                                  : "How much of input and output was waiting is not told. ");
    if (d->h->p->is_uncounted)
        nytp_text_put(d->out, "Code that runs may wait for a CPU: samples tell no more.");
    nytp_text_put(d->out, "</p>");
}

static void put_row(const nytp_strip *d, const nytp_piece *sum) {
    nytp_text_put(d->out, "<tr>");
    if (d->s.lanes_n > 1) {
        nytp_text_put(d->out, "<td>");
        nytp_worded_process(d, sum->lane);
    }
    nytp_text_put(d->out, "<td>");
    nytp_units_time(d->out, (double)sum->begin / NYTP_NANOSECONDS);
    nytp_text_put(d->out, "<td>");
    nytp_units_time(d->out, (double)sum->end / NYTP_NANOSECONDS);
    for (int k = 0; k < NYTP_PASSED; k++) {
        if (!is_shown(d, k)) continue;
        nytp_text_put(d->out, "<td>");
        nytp_units_time(d->out, (double)nytp_worded_ns(d, sum->ticks[k]) / NYTP_NANOSECONDS);
    }
    nytp_text_put(d->out, "</tr>\n");
}

/* Some slices of a lane in each row. */
static void put_rows(const nytp_strip *d) {
    uint32_t most = MOST_ROWS / d->s.lanes_n, each = (d->s.n / d->s.lanes_n + most - 1) / most, seen = 0;
    nytp_piece sum = {0};
    for (uint32_t i = 0; i < d->s.n; i++) {
        const nytp_piece *piece = &d->s.at[i];
        if (!seen++) sum = *piece;
        else for (int k = 0; k < NYTP_PASSED; k++) sum.ticks[k] = nytp_ticks_add(sum.ticks[k], piece->ticks[k]);
        if (piece->end > sum.end) sum.end = piece->end;
        if (seen < each && i + 1 < d->s.n && d->s.at[i + 1].lane == piece->lane) continue;
        put_row(d, &sum);
        seen = 0;
    }
}

static void put_names(const nytp_strip *d) {
    if (!d->marks_n && !d->spans_n) return;
    nytp_text_put(d->out, "<ul>");
    for (uint32_t i = 0; i < d->marks_n; i++) {
        const nytp_mark *m = &d->h->p->marks[d->marks[i]];
        nytp_text_put(d->out, "<li>Mark ");
        nytp_escape_html(d->out, m->name);
        nytp_text_put(d->out, " at ");
        nytp_units_time(d->out, (double)nytp_worded_since(d, m->at) / NYTP_NANOSECONDS);
    }
    for (uint32_t i = 0; i < d->spans_n; i++) {
        nytp_text_put(d->out, "<li>Longest span ");
        nytp_escape_html(d->out, d->spans[i]->name);
        nytp_text_put(d->out, ", from ");
        nytp_units_time(d->out, (double)nytp_worded_since(d, d->spans[i]->all.began) / NYTP_NANOSECONDS);
        nytp_text_put(d->out, ", took ");
        nytp_units_time(d->out, (double)d->spans[i]->all.longest / NYTP_NANOSECONDS);
    }
    nytp_text_put(d->out, "</ul>");
}

void nytp_worded_table(const nytp_strip *d) {
    nytp_text_put(d->out, "<details><summary>The same as a table</summary><div class=scroll tabindex=0 role=region "
                          "aria-label=\"What passed when\"><table class=passed><thead><tr>");
    if (d->s.lanes_n > 1) nytp_text_put(d->out, "<th scope=col>process");
    nytp_text_put(d->out, "<th scope=col>from<th scope=col>to");
    for (int k = 0; k < NYTP_PASSED; k++)
        if (is_shown(d, k)) nytp_text_format(d->out, "<th scope=col>%s", nytp_worded_passed[k].name);
    nytp_text_put(d->out, "</tr></thead><tbody>\n");
    put_rows(d);
    nytp_text_put(d->out, "</tbody></table></div>");
    put_names(d);
    nytp_text_put(d->out, "</details>");
}
