/* SPDX-License-Identifier: MIT */
/* run.c - facts on the index about the whole run: date, duration, resources, processes.
 *
 * Times of several processes add up to more than wall time, since they run in parallel or wait for each other: the page
 * says which of the two a figure is. */
#include "pages/run.h"

#include <inttypes.h>
#include <time.h>

#include "base/ticks.h"
#include "base/utf8.h"
#include "model/resources.h"
#include "pages/parts.h"
#include "report/escape.h"
#include "report/quoted.h"
#include "report/text.h"
#include "report/units.h"

/* To be freed. `out` fails when memory is short. */
static nytp_resources sum_up(nytp_buf *out, const nytp_profile *p) {
    nytp_resources u;
    if (nytp_resources_sum(&u, p)) out->failed = 1;
    return u;
}

/* ---- the head of the page ---- */

#define MOST_BYTES 64u /* of a name in the head */

/* A long name without its middle, and whole where the pointer rests on it. */
static void put_name(nytp_buf *out, nytp_str name) {
    size_t head = MOST_BYTES / 2, tail = name.n - MOST_BYTES / 2;
    if (name.n <= MOST_BYTES) {
        nytp_text_put(out, "<code>");
        nytp_escape_html(out, name);
    } else {
        head -= nytp_utf8_cut(name.p, head);
        while (tail < name.n && (name.p[tail] & 0xC0) == 0x80) tail++;
        nytp_text_put(out, "<code title=\"");
        nytp_escape_html(out, name);
        nytp_text_put(out, "\">");
        nytp_escape_html(out, (nytp_str){name.p, head});
        nytp_text_put(out, "\xE2\x80\xA6");
        nytp_escape_html(out, (nytp_str){name.p + tail, name.n - tail});
    }
    nytp_text_put(out, "</code>");
}

void nytp_run_name(nytp_buf *out, const nytp_html *h) {
    nytp_str program = h->p->processes_n ? h->p->processes[0].program : nytp_str_c(NULL);
    put_name(out, program.n ? program : NYTP_LIT("(unknown program)"));
}

static void put_date(nytp_buf *out, uint64_t epoch_ns) {
    time_t when = (time_t)(epoch_ns / 1000000000u);
    char text[64];
    struct tm tm;
    if (epoch_ns && localtime_r(&when, &tm) && strftime(text, sizeof text, "%a %d %b %Y %H:%M:%S", &tm))
        nytp_text_put(out, text);
}

static void put_property(nytp_buf *out, nytp_str value) {
    if (!value.n) return;
    nytp_text_put(out, " \xC2\xB7 ");
    nytp_escape_html(out, value);
}

static void put_place(nytp_buf *out, nytp_str host, nytp_str directory) {
    if (host.n || directory.n) nytp_text_put(out, " \xC2\xB7");
    if (host.n) nytp_text_put(out, " on ");
    nytp_escape_html(out, host);
    if (directory.n) nytp_text_put(out, " in ");
    if (directory.n) put_name(out, directory);
}

static void put_how_many(nytp_buf *out, const nytp_resources *r) {
    if (r->processes > 1 || r->threads == 1) nytp_parts_plural(out, r->processes, "process", "processes");
    if (r->processes > 1 && r->threads > r->processes) nytp_text_put(out, ", ");
    if (r->threads > r->processes) nytp_parts_plural(out, r->threads, "thread", "threads");
}

static void put_command(nytp_buf *out, const nytp_profile *p) {
    nytp_buf text = {0};
    nytp_quoted_command(&text, nytp_profile_value(p, NYTP_REC_PROPERTY, "command"));
    if (text.n) {
        put_name(out, nytp_page_bytes(&text));
        nytp_text_put(out, " \xC2\xB7 ");
    }
    nytp_buf_done(&text, out);
}

void nytp_run_when(nytp_buf *out, const nytp_html *h) {
    const nytp_profile *p = h->p;
    if (!p->processes_n) return;
    nytp_resources r = sum_up(out, p);
    put_command(out, p);
    put_date(out, r.begin);
    nytp_text_put(out, " \xC2\xB7 ");
    if (r.threads > 1) {
        nytp_text_put(out, "<a href=#processes>");
        put_how_many(out, &r);
        nytp_text_put(out, "</a>");
    } else nytp_text_format(out, "process %u", p->processes[0].id.pid);
    put_property(out, p->processes[0].interpreter);
    put_place(out, nytp_profile_value(p, NYTP_REC_PROPERTY, "host"), nytp_profile_value(p, NYTP_REC_PROPERTY, "cwd"));
    put_property(out, nytp_profile_value(p, NYTP_REC_PROPERTY, "options"));
    nytp_resources_free(&r);
}

static void figure(nytp_buf *out, nytp_buf *value, const char *what) {
    nytp_text_put(out, "<li><b>");
    nytp_text_str(out, nytp_page_bytes(value));
    nytp_text_format(out, "</b> %s\n", what);
    nytp_buf_rewind(value);
}

static void put_counts(nytp_buf *out, const nytp_html *h, nytp_buf *value) {
    const nytp_totals *t = &h->p->totals;
    const nytp_words *w = h->words;
    const struct {
        int64_t n;
        const char *one, *many;
    } counts[] = {{t->statements, w->statement, w->statements}, {t->calls, w->call, w->calls},
                  {t->subs, w->sub, w->subs}, {t->files, "file", "files"}, {t->evals, w->eval, w->evals}};
    for (size_t i = h->p->is_uncounted ? 2 : h->p->is_seen; i < sizeof counts / sizeof *counts; i++) {
        if (i == 0) nytp_parts_count(value, h, counts[i].n);
        else nytp_units_count(value, counts[i].n);
        figure(out, value, counts[i].n == 1 ? counts[i].one : counts[i].many);
    }
}

static void put_metrics(nytp_buf *out, const nytp_html *h) {
    for (uint32_t i = 0; i < h->shown.n; i++) {
        const nytp_metric *m = &h->p->metrics[h->shown.at[i]];
        nytp_text_put(out, "<li><b>");
        nytp_shown_value(out, m, nytp_metrics_get(h->p, h->shown.at[i], h->p->totals.values));
        nytp_text_put(out, "</b> ");
        nytp_escape_html(out, m->title);
        nytp_buf_byte(out, '\n');
    }
}

void nytp_run_figures(nytp_buf *out, const nytp_html *h) {
    const nytp_totals *t = &h->p->totals;
    nytp_resources r = sum_up(out, h->p);
    nytp_buf value = {0};
    nytp_parts_time(&value, h, t->whole);
    figure(out, &value, r.threads > 1 ? "profiled, added up" : "profiled");
    if (r.threads > 1 && r.wall > 0) nytp_units_time(&value, r.wall);
    else nytp_parts_time(&value, h, t->elapsed);
    figure(out, &value, r.runs > 1 ? "in runs from start to end" : "from start to end");
    if (r.user_us + r.system_us) {
        nytp_units_time(&value, (double)(r.user_us + r.system_us) * 1e-6);
        figure(out, &value, "CPU");
    }
    put_counts(out, h, &value);
    put_metrics(out, h);
    nytp_buf_done(&value, out);
    nytp_resources_free(&r);
}

/* ---- how the time divides ---- */

static void put_how_long(nytp_buf *out, const nytp_html *h, const nytp_resources *r) {
    if (r->threads > 1) {
        if (r->runs > 1) nytp_text_around(out, "In ", r->runs, " runs, one after the other, ");
        else nytp_text_put(out, "From the first start to the last end ");
        nytp_units_time(out, r->wall);
        nytp_text_put(out, " passed, and ");
        nytp_parts_time(out, h, h->p->totals.elapsed);
        nytp_text_put(out, " in the ");
        put_how_many(out, r);
        nytp_text_put(out, " together. Of these, ");
    } else {
        nytp_text_put(out, "Of ");
        nytp_parts_time(out, h, h->p->totals.elapsed);
        nytp_text_put(out, " from start to end, ");
    }
    nytp_parts_time(out, h, h->p->totals.whole);
    nytp_text_put(out, " were the program's own");
    if (r->waited > 0) {
        nytp_text_put(out, ", and of these ");
        nytp_parts_time(out, h, r->waited);
        nytp_text_put(out, " passed in waiting for clients");
    }
    nytp_text_put(out, ".");
}

/* Files of format 5 have at most one number of it. */
static void put_profiler(nytp_buf *out, const nytp_html *h) {
    const nytp_totals *t = &h->p->totals;
    int64_t profiler = nytp_resources_profiler(h->p);
    int is_known = 0;
    for (uint32_t i = 0; i < h->p->inputs_n; i++) is_known |= h->p->inputs[i].format != 5;
    if (!is_known && !profiler) return;
    nytp_text_put(out, " The profiler itself took ");
    nytp_parts_time(out, h, profiler);
    nytp_text_put(out, " (");
    nytp_units_percent(out, profiler, t->elapsed);
    nytp_text_put(out, "), which is in none of the times above");
    if (is_known) {
        nytp_text_put(out, ": ");
        nytp_parts_time(out, h, t->subtracted);
        nytp_text_put(out, " for its events, by what they cost in calibration, ");
        nytp_parts_time(out, h, t->cold);
        nytp_text_put(out, " for noting what was new and for calibration itself, and ");
        nytp_parts_time(out, h, t->flush);
        nytp_text_put(out, " for writing");
    }
    nytp_text_put(out, ".");
}

static void put_rest(nytp_buf *out, const nytp_html *h) {
    const nytp_totals *t = &h->p->totals;
    int64_t moment = t->elapsed / 1000; /* the time of starting is not worth a sentence */
    int64_t profiler = nytp_resources_profiler(h->p);
    int64_t rest = nytp_ticks_minus(t->elapsed, nytp_ticks_add(profiler, nytp_ticks_add(t->off, t->whole)));
    if (t->off > 0 && t->off >= moment) {
        nytp_text_put(out, " For ");
        nytp_parts_time(out, h, t->off);
        nytp_text_put(out, " profiling was switched off.");
    }
    if (rest < moment || rest <= 0) return;
    nytp_text_put(out, " Of the other ");
    nytp_parts_time(out, h, rest);
    nytp_text_put(out, " nothing is known.");
}

static void put_use(nytp_buf *out, const nytp_resources *r) {
    if (!(r->user_us + r->system_us)) return;
    nytp_text_put(out, r->processes > 1 ? " CPU time of the processes: " : " CPU time of the process: ");
    nytp_units_time(out, (double)r->user_us * 1e-6);
    nytp_text_put(out, " user, ");
    nytp_units_time(out, (double)r->system_us * 1e-6);
    nytp_text_put(out, " system");
    if (r->max_rss_kb) {
        nytp_text_put(out, r->processes > 1 ? "; memory of the largest: " : "; memory: ");
        nytp_units_bytes(out, nytp_ticks_times((int64_t)r->max_rss_kb, 1024));
        nytp_text_put(out, " at most");
    }
    nytp_text_put(out, ".");
}

void nytp_run_summary(nytp_buf *out, const nytp_html *h) {
    nytp_resources r = sum_up(out, h->p);
    put_how_long(out, h, &r);
    put_profiler(out, h);
    put_rest(out, h);
    put_use(out, &r);
    nytp_resources_free(&r);
}

/* ---- the processes ---- */

static void put_seconds_cell(nytp_buf *out, double seconds, int is_known) {
    nytp_text_format(out, "<td data-v=%.0f>", is_known ? seconds * 1e9 : 0);
    if (is_known) nytp_units_time(out, seconds);
}

/* CPU time of a process; of its thread if the process has several. */
static void put_cpu(nytp_buf *out, const nytp_process *of, int is_thread) {
    double user = (double)of->user_us * 1e-6, system = (double)of->system_us * 1e-6;
    int is_known = is_thread ? of->thread_us > 0 : user + system > 0;
    put_seconds_cell(out, is_thread ? (double)of->thread_us * 1e-6 : user + system, is_known);
    put_seconds_cell(out, user, is_known && !is_thread);
    put_seconds_cell(out, system, is_known && !is_thread);
    nytp_text_format(out, "<td data-v=%" PRIu64 ">", is_thread ? 0 : of->max_rss_kb);
    if (of->max_rss_kb && !is_thread) nytp_units_bytes(out, nytp_ticks_times((int64_t)of->max_rss_kb, 1024));
}

static void put_start(nytp_buf *out, uint64_t begin, uint64_t start) {
    nytp_text_format(out, "<td data-v=%" PRIu64 " title=\"", start - begin);
    put_date(out, start);
    nytp_text_format(out, "\">+%.1f ms", (double)(start - begin) * 1e-6);
}

static void put_metric_headings(nytp_buf *out, const nytp_html *h, const nytp_shown *shown) {
    for (uint32_t i = 0; i < shown->n; i++) {
        const nytp_metric *m = &h->p->metrics[shown->at[i]];
        nytp_text_put(out, "<th scope=col title=\"");
        nytp_escape_html(out, m->title);
        nytp_text_put(out, "\">");
        nytp_shown_heading(out, m);
    }
}

static void put_metric_cells(nytp_buf *out, const nytp_html *h, const nytp_shown *shown, uint32_t row) {
    for (uint32_t i = 0; i < shown->n; i++) {
        int64_t value = nytp_metrics_get(h->p, shown->at[i], row);
        nytp_text_format(out, "<td data-v=%" PRId64 ">", value);
        nytp_shown_value(out, &h->p->metrics[shown->at[i]], value);
    }
}

static void put_process(nytp_buf *out, const nytp_html *h, const nytp_resources *r, const nytp_shown *shown,
                        uint32_t i) {
    static const char *const endings[] = {"not cleanly", "finished", "exec", "exit without farewell", "running"};
    const nytp_process *process = &h->p->processes[i];
    nytp_text_format(out, "<tr><td>%u<td>%" PRIu64 "<td>%u", process->id.pid, process->parent_pid, process->id.thread);
    if (process->threads > 1) nytp_text_around(out, " and ", process->threads - 1, " more");
    if (process->start) put_start(out, r->begin, process->start);
    else nytp_text_put(out, "<td>");
    put_seconds_cell(out, nytp_profile_seconds(h->p, process->elapsed), 1);
    put_cpu(out, process, r->siblings && r->siblings[i] > 1);
    put_metric_cells(out, h, shown, process->values);
    nytp_text_format(out, "<td>%s<td class=name>", endings[process->ending]);
    nytp_escape_html(out, process->program);
    if (process->start_sub.n) nytp_text_put(out, ": ");
    nytp_escape_html(out, process->start_sub);
    nytp_text_put(out, "</tr>\n");
}

void nytp_run_processes(nytp_buf *out, const nytp_html *h) {
    nytp_shown shown = nytp_shown_of(&h->shown, h->p, NYTP_OF_PROCESS);
    if (h->p->processes_n < 2 && !(h->p->processes_n && shown.n)) return;
    nytp_resources r = sum_up(out, h->p);
    nytp_text_put(out, "<section aria-labelledby=processes><h2 id=processes>");
    put_how_many(out, &r);
    nytp_text_put(out, "</h2><p class=muted>Start is counted from the first one's. CPU time is a thread's own where a "
                       "process has several.</p><div class=scroll tabindex=0 role=region "
                       "aria-label=\"Table of processes\"><table class=sort data-filter=\"Filter processes\">"
                       "<thead><tr><th scope=col>Process<th scope=col>Parent<th scope=col>Thread<th scope=col>Start"
                       "<th scope=col>Elapsed<th scope=col>CPU<th scope=col>User<th scope=col>System"
                       "<th scope=col>Memory");
    put_metric_headings(out, h, &shown);
    nytp_text_put(out, "<th scope=col>End<th scope=col class=name>Program<tbody>\n");
    for (uint32_t i = 0; i < h->p->processes_n; i++) put_process(out, h, &r, &shown, i);
    nytp_text_put(out, "</table></div></section>");
    nytp_resources_free(&r);
}
