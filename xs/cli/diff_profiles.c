/* SPDX-License-Identifier: MIT */
/* diff_profiles.c - `nytprof diff` of profiles of programs. */
#include "cli/diff_profiles.h"

#include <stdlib.h>
#include <string.h>

#include "base/ticks.h"
#include "cli/cli.h"
#include "cli/print.h"
#include "cli/screen.h"
#include "cli/sides.h"
#include "report/noise.h"
#include "report/text.h"
#include "report/units.h"
#include "terminal/differences.h"

typedef struct limits {
    nytp_judged_limits time;
    int has_time, has_calls;
} limits;

/* ---- the options' values ---- */

/* The nanoseconds of a unit; 0: there is none of this name. */
static double unit_of(const char *name, size_t n) {
    static const struct { const char *name; double ns; } units[] = {{"ns", 1}, {"us", 1e3}, {"ms", 1e6}, {"s", 1e9}};
    for (size_t i = 0; i < sizeof units / sizeof *units; i++)
        if (strlen(units[i].name) == n && memcmp(units[i].name, name, n) == 0) return units[i].ns;
    return 0;
}

/* A word of n bytes: 5%, 10us, calls. 0 if it is none of these. */
static int take_word(limits *l, const char *word, size_t n) {
    static const char calls[] = "calls";
    if (n == sizeof calls - 1 && memcmp(word, calls, n) == 0) return l->has_calls = 1;
    size_t length = strspn(word, "0123456789.");
    if (!length || length >= n || length > 15) return 0;
    char *end;
    double number = strtod(word, &end), unit = unit_of(word + length, n - length);
    int is_percent = n - length == 1 && word[length] == '%';
    if (end != word + length || (!is_percent && !(unit > 0))) return 0;
    if (is_percent) l->time.percent = number;
    else l->time.ns = nytp_ticks_whole(number * unit);
    return l->has_time = 1;
}

static void read_limits(limits *l, const char *option, const char *text, int knows_calls, nytp_error *e) {
    *l = (limits){0};
    for (const char *word = text;; word++) {
        size_t n = strcspn(word, ",");
        if (!take_word(l, word, n) || (l->has_calls && !knows_calls)) {
            nytp_error_set(e, NYTP_USAGE, "diff: --%s: expected %s, with commas between, got '%s'", option,
                           knows_calls ? "N%, a time with its unit (10us, 5ms) or calls"
                                       : "N% or a time with its unit (10us, 5ms)", text);
            return;
        }
        word += n;
        if (!*word) return;
    }
}

static void read_renamed(nytp_renamed *renamed, const char *text, nytp_error *e) {
    size_t n = strcspn(text, "=");
    renamed->old = (nytp_str){text, n};
    renamed->new = text[n] ? nytp_str_c(text + n + 1) : (nytp_str){"", 0};
    if (!n || !text[n]) nytp_error_set(e, NYTP_USAGE, "diff: --renamed: expected OLD=NEW, got '%s'", text);
}

/* ---- the report ---- */

/* The format's writer: a report of that name has it. */
static int write_as(const char *format, const nytp_compared_request *r, nytp_sink *sink) {
    for (const nytp_report *const *report = nytp_reports; *report; report++)
        if (strcmp((*report)->name, format) == 0) return (*report)->write_compared(r, sink);
    return nytp_differences_write(r, sink);
}

static void print(const nytp_diff_profiles *d, nytp_sides *s, const nytp_judged_limits *least, nytp_error *e) {
    nytp_sink *sink = nytp_sink_file(d->out, d->mode, e);
    nytp_compared_request r = {.compared = &s->compared, .lines = &s->lines.compared, .limits = *least,
                               .names = d->paths, .paths = s->has_paths ? &s->paths : NULL, .most = d->most,
                               .version = NYTP_VERSION};
    if (!sink) return;
    write_as(d->format, &r, sink);
    nytp_sink_close(sink, e);
}

/* ---- what is over a limit ---- */

static void tell_time(nytp_str name, const char *what, double old, double new) {
    nytp_buf text = {0};
    nytp_units_time(&text, 1e-9 * old);
    nytp_text_put(&text, " and is ");
    nytp_units_time(&text, 1e-9 * new);
    nytp_print_message("diff: %.*s: %s was %.*s", (int)name.n, name.p, what, (int)text.n, (const char *)text.p);
    nytp_buf_free(&text);
}

static uint32_t tell_row(const nytp_compared *c, const nytp_compared_row *row, const limits *l) {
    double old[NYTP_COMPARED_VALUES], new[NYTP_COMPARED_VALUES];
    uint32_t n = 0;
    for (int i = 0; i < NYTP_COMPARED_VALUES; i++) {
        old[i] = nytp_compared_mean(c, row, NYTP_COMPARED_OLD, (enum nytp_compared_value)i);
        new[i] = nytp_compared_mean(c, row, NYTP_COMPARED_NEW, (enum nytp_compared_value)i);
    }
    if (l->has_calls && row->has_calls && new[NYTP_COMPARED_CALLS] > old[NYTP_COMPARED_CALLS]) {
        nytp_print_message("diff: %.*s: calls were %.0f and are %.0f", (int)row->name.n, row->name.p,
                           old[NYTP_COMPARED_CALLS], new[NYTP_COMPARED_CALLS]);
        n++;
    }
    int is_noise = nytp_noise_is_known(c->n) && !row->has_time;
    if (l->has_time && !is_noise && new[NYTP_COMPARED_OWN] > old[NYTP_COMPARED_OWN] &&
        nytp_judged_exceeds(&l->time, old[NYTP_COMPARED_OWN], new[NYTP_COMPARED_OWN])) {
        tell_time(row->name, "exclusive time", old[NYTP_COMPARED_OWN], new[NYTP_COMPARED_OWN]);
        n++;
    }
    return n;
}

static uint32_t tell_offenders(const nytp_compared *c, const limits *l) {
    double old = nytp_compared_total(c, NYTP_COMPARED_OLD, NYTP_COMPARED_PROFILED);
    double new = nytp_compared_total(c, NYTP_COMPARED_NEW, NYTP_COMPARED_PROFILED);
    uint32_t n = 0;
    if (l->has_time && new > old && nytp_judged_exceeds(&l->time, old, new)) {
        tell_time(NYTP_LIT("the program"), "time profiled", old, new);
        n++;
    }
    for (uint32_t i = 0; i < c->rows_n; i++) n += tell_row(c, &c->rows[i], l);
    return n;
}

/* ---- all of it ---- */

static uint32_t compare(const nytp_diff_profiles *d, nytp_sides *s, const limits *least, limits *fail, nytp_error *e) {
    for (uint32_t i = 0; i < d->n[0] + d->n[1] && !e->code; i++) nytp_sides_take(s, &d->paths[i], 1, e);
    if (!e->code) nytp_sides_judge(s, &least->time, e);
    if (!e->code) print(d, s, &least->time, e);
    nytp_screen_end();
    if (!fail->time.ns) fail->time.ns = least->time.ns;
    return e->code ? 0 : tell_offenders(&s->compared, fail);
}

uint32_t nytp_diff_profiles_write(const nytp_diff_profiles *d, nytp_error *e) {
    limits least = {.time = {.percent = nytp_noise_is_known(d->n) ? 0 : NYTP_SIDES_PERCENT, .ns = NYTP_SIDES_NS}};
    limits fail = {0};
    uint32_t offenders = 0;
    nytp_sides *s = nytp_sides_open(d->n, e);
    if (!s) return 0;
    s->has_paths = strcmp(d->format, "folded") == 0;
    if (d->least) read_limits(&least, "least", d->least, 0, e);
    if (d->fail_over) read_limits(&fail, "fail-over", d->fail_over, 1, e);
    if (d->renamed) read_renamed(&s->compared.renamed, d->renamed, e);
    s->lines.compared.renamed = s->compared.renamed;
    if (!e->code) offenders = compare(d, s, &least, &fail, e);
    nytp_sides_free(s);
    return offenders;
}
