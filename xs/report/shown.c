/* SPDX-License-Identifier: MIT */
/* shown.c - chooses metrics, and formats their values. */
#include "report/shown.h"

#include <string.h>

#include "base/ticks.h"
#include "report/escape.h"
#include "report/text.h"
#include "report/units.h"

int nytp_shown_is_list(const char *names) {
    size_t n = strlen(names);
    return n && names[0] != ',' && names[n - 1] != ',' && !strstr(names, ",,");
}

static nytp_str next_name(nytp_str *rest) {
    nytp_str name = {rest->p, 0};
    while (name.n < rest->n && name.p[name.n] != ',') name.n++;
    size_t used = name.n < rest->n ? name.n + 1 : name.n;
    *rest = (nytp_str){rest->p + used, rest->n - used};
    return name;
}

static int refuse(const nytp_profile *p, nytp_str name, nytp_error *e) {
    nytp_buf there = {0};
    for (uint32_t i = 0; i < p->metrics_n; i++) {
        nytp_text_put(&there, ", ");
        nytp_text_str(&there, p->metrics[i].name);
    }
    nytp_error_set(e, NYTP_USAGE, "there is no metric \"%.*s\" in this profile; it has time%.*s", (int)name.n, name.p,
                   (int)there.n, there.n ? (const char *)there.p : "");
    nytp_buf_free(&there);
    return e->code;
}

static int is_shown(const nytp_shown *s, uint32_t metric) {
    uint32_t i = 0;
    while (i < s->n && s->at[i] != metric) i++;
    return i < s->n;
}

static int choose_named(nytp_shown *s, const nytp_profile *p, nytp_str rest, nytp_error *e) {
    for (int is_first = 1; rest.n; is_first = 0) {
        nytp_str name = next_name(&rest);
        uint32_t metric = nytp_metrics_find(p, name);
        if (nytp_str_eq(name, NYTP_LIT("time"))) continue;
        if (metric == p->metrics_n) return refuse(p, name, e);
        if (is_first) s->ranks = 1;
        if (!is_shown(s, metric)) s->at[s->n++] = metric;
    }
    return NYTP_OK;
}

int nytp_shown_choose(nytp_shown *s, const nytp_profile *p, const char *names, nytp_error *e) {
    *s = (nytp_shown){0};
    if (names) return choose_named(s, p, nytp_str_c(names), e);
    for (; s->n < p->metrics_n; s->n++) s->at[s->n] = s->n;
    return NYTP_OK;
}

nytp_shown nytp_shown_of(const nytp_shown *s, const nytp_profile *p, enum nytp_metric_of of) {
    nytp_shown some = {0};
    for (uint32_t i = 0; i < s->n; i++)
        if (p->metrics[s->at[i]].of & (uint32_t)of) some.at[some.n++] = s->at[i];
    some.ranks = s->ranks && some.n && some.at[0] == s->at[0];
    return some;
}

/* The standard deviation of a number of samples is its square root, as of any number of events at random moments. */
static void put_error(nytp_buf *out, int64_t samples) {
    nytp_text_put(out, " \xC2\xB1");
    nytp_units_count(out, nytp_ticks_root(samples));
}

void nytp_shown_points(nytp_buf *out, double points) {
    nytp_text_format(out, points < 0.995 ? "\xC2\xB1%.2f" : "\xC2\xB1%.1f", points);
}

void nytp_shown_share(nytp_buf *out, const nytp_profile *p, int64_t ticks) { nytp_shown_line_share(out, p, ticks, 0); }

void nytp_shown_line_share(nytp_buf *out, const nytp_profile *p, int64_t ticks, float variance) {
    double points = ticks > 0 ? nytp_profile_line_error(p, ticks, variance) : -1;
    nytp_units_percent(out, ticks, p->totals.whole);
    if (points <= 0) return; /* of all of the time, too */
    nytp_buf_byte(out, ' ');
    nytp_shown_points(out, points);
}

nytp_str nytp_shown_amount(nytp_buf *out, const nytp_metric *m, int64_t value) {
    int is_bytes = nytp_str_eq(m->unit, NYTP_LIT("B")), is_time = nytp_str_eq(m->unit, NYTP_LIT("ns"));
    int is_samples = nytp_str_eq(m->unit, NYTP_LIT("samples"));
    if (is_bytes) nytp_units_bytes(out, value);
    else if (is_time) nytp_units_time(out, (double)value / 1e9);
    else nytp_units_count(out, value);
    if (is_samples && value > 0) put_error(out, value);
    return is_bytes || is_time || is_samples ? NYTP_LIT("") : m->unit;
}

void nytp_shown_value(nytp_buf *out, const nytp_metric *m, int64_t value) {
    nytp_str unit = nytp_shown_amount(out, m, value);
    if (unit.n) nytp_buf_byte(out, ' ');
    nytp_escape_html(out, unit);
}

void nytp_shown_heading(nytp_buf *out, const nytp_metric *m) {
    if (nytp_str_eq(m->name, NYTP_LIT("cpu"))) {
        nytp_text_put(out, "CPU");
        return;
    }
    int first = m->name.n ? (unsigned char)m->name.p[0] : '?';
    nytp_buf_byte(out, (unsigned char)(first >= 'a' && first <= 'z' ? first - 'a' + 'A' : first));
    if (m->name.n) nytp_text_str(out, (nytp_str){m->name.p + 1, m->name.n - 1});
}
