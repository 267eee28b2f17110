/* SPDX-License-Identifier: MIT */
/* period.c - FROM..TO: two decimal numbers, shares, or names of marks. */
#include "cli/period.h"

#include <string.h>

#include "base/ticks.h"
#include "report/escape.h"
#include "report/text.h"

#define MOST 9000000000u /* seconds */
#define MOST_NAMES 8     /* that a message names */

/* ---- as it is written ---- */

/* Steps over digits and a fraction of which nanoseconds are kept. Returns 0 if the number is too large. */
static int take_seconds(nytp_str *text, uint64_t *ns) {
    const char *at = text->p, *end = at + text->n;
    uint64_t whole = 0, part = 0, unit = NYTP_NANOSECONDS;
    for (; at < end && *at >= '0' && *at <= '9' && whole < MOST; at++) whole = whole * 10 + (uint64_t)(*at - '0');
    if (end - at > 1 && *at == '.' && at[1] >= '0' && at[1] <= '9')
        for (at++; at < end && *at >= '0' && *at <= '9'; at++) part += (uint64_t)(*at - '0') * (unit /= 10);
    *text = (nytp_str){at, (size_t)(end - at)};
    *ns = whole * NYTP_NANOSECONDS + part;
    return whole < MOST;
}

/* What is no number is a name. */
static int parse(nytp_str text, nytp_moment *m) {
    nytp_str rest = text;
    uint64_t number;
    int is_sound = take_seconds(&rest, &number), is_number = rest.p != text.p;
    *m = (nytp_moment){0};
    if (is_number && !rest.n) m->ns = number;
    else if (is_number && nytp_str_eq(rest, NYTP_LIT("%"))) m->share = (double)number / (100.0 * NYTP_NANOSECONDS);
    else m->mark = text;
    return is_sound && m->share <= 1;
}

static int is_missing(const nytp_moment *m) { return !m->ns && m->share <= 0 && !m->mark.n; }

int nytp_period_parse(const char *text, nytp_period *period) {
    const char *dots = strstr(text, "..");
    nytp_moment *from = &period->from, *to = &period->to;
    if (!dots || !parse((nytp_str){text, (size_t)(dots - text)}, from) || !parse(nytp_str_c(dots + 2), to)) return 0;
    if (!dots[2]) return !is_missing(from);
    if (from->mark.n || to->mark.n || (from->share > 0) != (to->share > 0)) return !is_missing(to);
    return from->ns < to->ns || from->share < to->share;
}

/* ---- in a profile ---- */

static uint64_t begin_of(const nytp_profile *p) { return p->processes_n ? p->processes[0].id.process_start : 0; }

static uint64_t length_of(const nytp_profile *p) {
    uint64_t begin = begin_of(p), last = begin;
    for (uint32_t i = 0; i < p->processes_n; i++) {
        double took = nytp_profile_seconds(p, p->processes[i].elapsed) * NYTP_NANOSECONDS;
        uint64_t end = p->processes[i].start + (took > 0 && took < 9e18 ? (uint64_t)took : 0);
        if (end > last) last = end;
    }
    return last - begin;
}

/* The first mark of that name behind `after`; NULL: there is none. */
static const nytp_mark *find_mark(const nytp_profile *p, nytp_str name, uint64_t after) {
    const nytp_mark *found = NULL;
    for (uint32_t i = 0; i < p->marks_n; i++) {
        const nytp_mark *m = &p->marks[i];
        if (m->at > after && nytp_str_eq(m->name, name) && (!found || m->at < found->at)) found = m;
    }
    return found;
}

static int refuse(const nytp_profile *p, nytp_str name, nytp_error *e) {
    nytp_buf text = {0};
    nytp_text_put(&text, "--time: expected seconds, percent or a mark, got '");
    nytp_escape_text(&text, name);
    nytp_text_put(&text, p->marks_n ? "'; marks are " : "'; the profile has no marks");
    for (uint32_t i = 0; i < p->marks_n && i < MOST_NAMES; i++) {
        if (i) nytp_text_put(&text, ", ");
        nytp_escape_text(&text, p->marks[i].name);
    }
    if (p->marks_n > MOST_NAMES) nytp_text_put(&text, ", ...");
    if (text.failed) nytp_error_set(e, NYTP_NOMEM, "out of memory");
    else nytp_error_set(e, NYTP_FORMAT, "%.*s", (int)text.n, (const char *)text.p);
    nytp_buf_free(&text);
    return e->code;
}

/* Into *ns. A mark comes behind `after`; one at the very beginning is a nanosecond later, as 0 is none. */
static int find(const nytp_profile *p, const nytp_moment *m, uint64_t after, uint64_t *ns, nytp_error *e) {
    uint64_t begin = begin_of(p);
    const nytp_mark *mark = m->mark.n ? find_mark(p, m->mark, begin + after) : NULL;
    if (m->mark.n && !mark) return refuse(p, m->mark, e);
    *ns = m->ns;
    if (mark) *ns = mark->at > begin ? mark->at - begin : 1;
    else if (m->share > 0) *ns = (uint64_t)(m->share * (double)length_of(p));
    return NYTP_OK;
}

static int is_known(const nytp_moment *m) { return !m->mark.n && m->share <= 0; }

int nytp_period_find(const nytp_period *period, const char *const *paths, uint32_t n, nytp_load_options *load,
                     nytp_error *e) {
    load->from = period->from.ns;
    load->to = period->to.ns;
    if (is_known(&period->from) && is_known(&period->to)) return NYTP_OK;
    nytp_profile whole = {0};
    int code = nytp_load(&whole, paths, n, &(nytp_load_options){0}, e);
    if (!code) code = find(&whole, &period->from, 0, &load->from, e);
    if (!code) code = find(&whole, &period->to, load->from, &load->to, e);
    nytp_profile_close(&whole);
    return code;
}
