/* SPDX-License-Identifier: MIT */
/* build_tables.c - tables of processes: the longest, those that failed or waited, the chain to the end, profiles. */
#include <inttypes.h>
#include <stdlib.h>

#include "base/ticks.h"
#include "pages/build_page.h"
#include "report/escape.h"
#include "report/page.h"
#include "report/quoted.h"
#include "report/text.h"

#define MOST 100       /* rows */
#define WAITED_NS 1000000000u /* a process that waited took more than that, and less than a tenth of it as CPU time */

static int compare_real(const void *a, const void *b) {
    const nytp_build_process *x = *(const nytp_build_process *const *)a, *y = *(const nytp_build_process *const *)b;
    uint64_t one = nytp_build_parts_real(x), other = nytp_build_parts_real(y);
    if (one != other) return one > other ? -1 : 1;
    return x < y ? -1 : x > y;
}

static void put_status(nytp_buf *out, const nytp_build_process *p) {
    nytp_text_format(out, "<td data-v=%" PRIu32 ">", p->status);
    if (!p->has_end) nytp_text_put(out, "no end");
    else if (p->status >= NYTP_STATUS_SIGNAL) nytp_text_around(out, "signal ", p->status & 255, "");
    else if (p->status) nytp_text_number(out, p->status);
}

static void put_process(nytp_buf *out, const nytp_build *b, const nytp_build_process *p) {
    nytp_text_put(out, "<tr>");
    nytp_build_parts_time(out, (uint64_t)nytp_ticks_minus(p->began, b->first));
    nytp_build_parts_time(out, nytp_build_parts_real(p));
    nytp_build_parts_time(out, 1000 * (p->user_us + p->system_us));
    nytp_build_parts_bytes(out, p->max_rss_kb);
    put_status(out, p);
    nytp_text_put(out, "<td class=text>");
    nytp_build_parts_text(out, b->texts[p->target]);
    nytp_text_put(out, "<td class=text>");
    nytp_build_parts_text(out, b->texts[p->directory]);
    nytp_text_put(out, "<td class=name>");
    nytp_build_parts_command(out, b, p->command);
    nytp_text_put(out, "</tr>\n");
}

#define COLUMNS "Began|*Took|CPU|Memory|Status|<Target|<Directory|Command"

/* The processes of a section, in an order, or that of their begin. */
typedef struct selection {
    const nytp_build_process **list;
    uint64_t n;
} selection;

static selection choose(const nytp_build *b, int (*is_wanted)(const nytp_build_process *p)) {
    selection s = {malloc((b->n + 1u) * sizeof *s.list), 0};
    for (uint32_t i = 0; s.list && i < b->n; i++)
        if (is_wanted(&b->processes[i])) s.list[s.n++] = &b->processes[i];
    return s;
}

static void put_section(nytp_buf *out, const nytp_build *b, const nytp_build_section *section, const selection *s) {
    if (!s->list) out->failed = 1;
    if (!s->list || !s->n) return;
    nytp_build_parts_begin(out, section, s->n);
    for (uint64_t i = 0; i < s->n && i < MOST; i++) put_process(out, b, s->list[i]);
    nytp_build_parts_end(out, s->n < MOST ? s->n : MOST, s->n);
}

static void put_longest(nytp_buf *out, const nytp_build *b, const nytp_build_section *section,
                        int (*is_wanted)(const nytp_build_process *p)) {
    selection s = choose(b, is_wanted);
    if (s.list) qsort(s.list, s.n, sizeof *s.list, compare_real);
    put_section(out, b, section, &s);
    free(s.list);
}

static int is_last(const nytp_build_process *p) { return !p->children; }

void nytp_build_tables_processes(nytp_buf *out, const nytp_build_page *page) {
    static const nytp_build_section section = {
        "processes", "Processes", "Those that have started no other, as recipes of make. CPU time is with the children "
        "that a process has waited for; memory is the largest resident size of any of these.", COLUMNS,
        "Filter processes"};
    put_longest(out, page->b, &section, is_last);
}

static int has_failed(const nytp_build_process *p) { return p->status != 0; }

void nytp_build_tables_failed(nytp_buf *out, const nytp_build_page *page) {
    static const nytp_build_section section = {
        "failed", "Failed", "Processes with an exit status other than 0, or ended by a signal.",
        "Began|Took|CPU|Memory|Status|<Target|<Directory|Command", "Filter failed processes"};
    selection s = choose(page->b, has_failed);
    put_section(out, page->b, &section, &s);
    free(s.list);
}

static int has_waited(const nytp_build_process *p) {
    uint64_t real = nytp_build_parts_real(p);
    return p->has_end && !p->children && real > WAITED_NS && (p->user_us + p->system_us) < real / 10000;
}

void nytp_build_tables_waited(nytp_buf *out, const nytp_build_page *page) {
    static const nytp_build_section section = {
        "waited", "Much time, little CPU", "CPU time is less than a tenth of the time taken: these processes "
        "waited for something, or left children to themselves.", COLUMNS, "Filter these"};
    put_longest(out, page->b, &section, has_waited);
}

void nytp_build_tables_critical(nytp_buf *out, const nytp_build_page *page) {
    static const nytp_build_section section = {
        "chain", "Chain to the end", "From the end of the build backwards: the process that ended last, before its "
        "begin the one that ended last until then, and so on. A guess at what the build has waited for, as only make "
        "knows what depends on what.", "Began|Took|CPU|Memory|Status|<Target|<Directory|Command", "Filter the chain"};
    const nytp_critical *c = &page->critical;
    selection s = {malloc((c->n + 1u) * sizeof *s.list), c->n};
    for (uint32_t i = 0; s.list && i < c->n; i++) s.list[i] = &page->b->processes[c->processes[i]];
    put_section(out, page->b, &section, &s);
    free(s.list);
}

/* ---- profiles ---- */

/* A name and what is behind it as one word of a shell's command. */
static void put_word(nytp_buf *out, const char *name, const char *suffix) {
    nytp_buf word = {0};
    nytp_text_put(&word, name);
    nytp_text_put(&word, suffix);
    nytp_quoted_html(out, nytp_page_bytes(&word));
    nytp_buf_done(&word, out);
}

static void put_profile(nytp_buf *out, const nytp_build *b, const nytp_build_process *p, const nytp_captured *c) {
    nytp_buf link = {0};
    nytp_text_put(out, "<tr>");
    nytp_build_parts_time(out, nytp_build_parts_real(p));
    nytp_text_put(out, "<td class=text>");
    nytp_build_parts_text(out, b->texts[p->target]);
    nytp_text_put(out, "<td class=text>");
    nytp_build_parts_text(out, c->program);
    nytp_text_put(out, "<td class=name>");
    nytp_build_parts_link(&link, c);
    if (link.n) {
        nytp_text_put(out, "<a href=\"");
        nytp_escape_html(out, (nytp_str){(const char *)link.p, link.n});
        nytp_text_put(out, "\">");
        nytp_build_parts_text(out, nytp_str_c(c->path));
        nytp_text_put(out, "</a>");
    } else {
        nytp_text_put(out, "nytprof html --single -o ");
        put_word(out, c->path, ".html");
        nytp_text_put(out, " ");
        put_word(out, c->path, "");
    }
    nytp_buf_done(&link, out);
    nytp_text_put(out, "</tr>\n");
}

void nytp_build_tables_profiles(nytp_buf *out, const nytp_build_page *page) {
    static const nytp_build_section section = {
        "profiles", "Profiles of scripts", "Programs of the build that were profiled, too. A report beside the "
        "capture, as CAPTURE.html, is a link when this page is made; else the command makes one.",
        "Took|<Target|<Script|Report", "Filter scripts"};
    const nytp_build *b = page->b;
    uint64_t all = nytp_captured_count(page->captures), shown = 0;
    if (!all) return;
    nytp_build_parts_begin(out, &section, all);
    for (uint32_t i = 0; i < b->n && shown < MOST; i++) {
        nytp_built view = nytp_build_view(b, &b->processes[i]);
        uint32_t n;
        const nytp_captured *of = nytp_captured_of(page->captures, &view, &n);
        for (uint32_t k = 0; of && k < n && shown < MOST; k++, shown++) put_profile(out, b, &b->processes[i], &of[k]);
    }
    nytp_build_parts_end(out, shown, all);
}
