/* SPDX-License-Identifier: MIT */
/* gprof.c - numbers and names in columns as gprof has them. */
#include "terminal/gprof.h"

#include <inttypes.h>
#include <string.h>

#include "model/order.h"
#include "model/resources.h"
#include "report/escape.h"
#include "report/names.h"
#include "report/page.h"
#include "report/shown.h"
#include "report/text.h"
#include "report/units.h"
#include "terminal/cells.h"

#define LEAST_NAME 20 /* columns of a name in a narrow terminal */
#define LEAST_TIME 9  /* of a time, as headings need */
#define NS NYTP_GPROF_NS

/* ---- numbers ---- */

uint64_t nytp_gprof_ns(const nytp_profile *p, int64_t ticks) {
    return nytp_units_whole(ticks, p->ticks_per_second, NS);
}

static uint64_t power_of_ten(uint32_t n) {
    uint64_t power = 1;
    while (n--) power *= 10;
    return power;
}

uint32_t nytp_gprof_width(uint64_t n, uint32_t decimals) {
    uint32_t width = decimals ? decimals + 2 : 1;
    for (n /= power_of_ten(decimals); n >= 10; n /= 10) width++;
    return width;
}

void nytp_gprof_decimal(nytp_buf *out, uint32_t width, uint64_t n, uint32_t decimals) {
    uint64_t scale = power_of_ten(decimals);
    uint32_t taken = nytp_gprof_width(n, decimals);
    nytp_cells_blanks(out, taken < width ? width - taken : 0);
    nytp_text_number(out, n / scale);
    if (decimals) nytp_text_format(out, ".%0*" PRIu64, (int)decimals, n % scale);
}

void nytp_gprof_text(nytp_buf *out, uint32_t width, const char *text) {
    nytp_cells_right(out, nytp_str_c(text), width);
}

void nytp_gprof_count(nytp_buf *out, uint32_t width, int64_t n) {
    nytp_gprof_decimal(out, width, n > 0 ? (uint64_t)n : 0, 0);
}

void nytp_gprof_calls(nytp_buf *out, const nytp_gprof *g, uint32_t width, int64_t n) {
    if (n || !g->p->is_uncounted) nytp_gprof_count(out, width, n);
    else nytp_cells_blanks(out, width);
}

/* The share may be of a hostile profile, hence the limit. */
void nytp_gprof_percent(nytp_buf *out, uint32_t width, uint32_t decimals, int64_t part, int64_t whole) {
    double share = part > 0 && whole > 0 ? 100.0 * (double)part / (double)whole : 0;
    if (share > 1e9) share = 1e9;
    nytp_gprof_decimal(out, width, (uint64_t)(share * (double)power_of_ten(decimals) + 0.5), decimals);
}

/* Three decimals of a unit in which the run has two to five digits before the point: no row with a hundred-thousandth
 * of the run has zero, and a run of up to 0.1 s is exact. */
static void round_for_people(nytp_gprof *g, uint64_t total) {
    const uint64_t long_run = 100 * (uint64_t)NS, short_run = NS / 10;
    g->decimals = 3;
    g->unit = total >= long_run ? "seconds" : total >= short_run ? "ms" : "us";
    g->step = total >= long_run ? 1000000 : total >= short_run ? 1000 : 1;
}

nytp_gprof nytp_gprof_of(const nytp_request *r, int is_exact) {
    nytp_gprof g = {.p = r->profiles, .unit = "seconds", .step = 1, .decimals = 9};
    uint64_t total = nytp_gprof_ns(g.p, g.p->totals.whole);
    g.is_for_people = !is_exact && r->is_terminal;
    g.has_points = g.is_for_people && g.p->samples > 0;
    if (!is_exact) g.has_color = r->color;
    if (g.is_for_people) {
        g.width = r->width;
        round_for_people(&g, total);
    }
    g.times = nytp_gprof_width(total / g.step, g.decimals) + 1;
    if (g.times < LEAST_TIME) g.times = LEAST_TIME;
    return g;
}

void nytp_gprof_time(nytp_buf *out, const nytp_gprof *g, uint64_t ns) {
    nytp_gprof_decimal(out, g->times, ns / g->step + (ns % g->step * 2 >= g->step && g->step > 1), g->decimals);
}

void nytp_gprof_points(nytp_buf *out, const nytp_gprof *g, int64_t ticks) {
    nytp_buf points = {0};
    if (!g->has_points) return;
    int is_grey = g->has_color && nytp_profile_are_few(g->p->samples);
    double error = nytp_profile_error(g->p, ticks);
    if (error > 0) nytp_shown_points(&points, error);
    if (is_grey) nytp_cells_grey(out);
    nytp_cells_right(out, nytp_page_bytes(&points), NYTP_GPROF_POINTS);
    if (is_grey) nytp_cells_end(out);
    nytp_buf_done(&points, out);
}

/* ---- names ---- */

/* Up to an offset that many characters follow the first of; the text is valid UTF-8. */
static nytp_str without_first(nytp_str s, uint32_t characters) {
    size_t i = 0;
    while (characters-- && i < s.n)
        for (i++; i < s.n && ((unsigned char)s.p[i] & 0xC0) == 0x80;) i++;
    return (nytp_str){s.p + i, s.n - i};
}

/* The end of a name tells more than its beginning, so it keeps twice as much. */
void nytp_gprof_cut(nytp_buf *out, nytp_str text, uint32_t room) {
    uint32_t n = nytp_cells_width(text), head = room ? (room - 1) / 3 : 0;
    if (!room || n <= room) {
        nytp_text_str(out, text);
        return;
    }
    nytp_buf_bytes(out, text.p, text.n - without_first(text, head).n);
    nytp_text_put(out, "\xE2\x80\xA6");
    nytp_text_str(out, without_first(text, n - (room - 1 - head)));
}

/* Sequences for colours take no column. */
uint32_t nytp_gprof_left(const nytp_buf *out, const nytp_gprof *g, size_t line) {
    uint32_t taken = 0;
    for (size_t i = line; i < out->n; i++) {
        if (out->p[i] == '\033')
            while (i + 1 < out->n && out->p[i] != 'm') i++;
        else taken += (out->p[i] & 0xC0) != 0x80;
    }
    if (!g->width) return 0;
    return g->width >= taken + LEAST_NAME ? g->width - taken : LEAST_NAME;
}

void nytp_gprof_name(nytp_buf *out, nytp_str name, uint32_t room) {
    nytp_buf escaped = {0};
    nytp_escape_text(&escaped, name);
    nytp_gprof_cut(out, nytp_page_bytes(&escaped), room);
    nytp_buf_done(&escaped, out);
}

static int starts_like_column(nytp_str s) {
    return s.n && (s.p[0] == ' ' || s.p[0] == '[' || (s.p[0] >= '0' && s.p[0] <= '9'));
}

/* A number or a blank at its beginning would be another column, a < the mark of a cycle or of a caller that is not
 * known, and a blank at its end nothing. */
static void put_unlike_columns(nytp_buf *out, nytp_str s) {
    for (size_t i = 0; i < s.n; i++) {
        nytp_str rest = {s.p + i, s.n - i};
        int is_mark = nytp_str_starts(rest, NYTP_LIT("<cycle ")) || nytp_str_starts(rest, NYTP_LIT("<spontaneous>"));
        int is_odd = is_mark || (i == 0 && starts_like_column(s)) || (rest.n == 1 && s.p[i] == ' ');
        if (is_odd) nytp_text_format(out, "\\x%02X", (unsigned)(unsigned char)s.p[i]);
        else nytp_buf_byte(out, (unsigned char)s.p[i]);
    }
}

void nytp_gprof_sub(nytp_buf *out, const nytp_profile *p, uint32_t sub, uint32_t room) {
    nytp_buf name = {0}, escaped = {0}, safe = {0};
    nytp_names_sub(&name, p, &p->subs[sub]);
    nytp_escape_text(&escaped, nytp_page_bytes(&name));
    put_unlike_columns(&safe, nytp_page_bytes(&escaped));
    nytp_gprof_cut(out, nytp_page_bytes(&safe), room);
    nytp_buf_done(&name, out);
    nytp_buf_done(&escaped, out);
    nytp_buf_done(&safe, out);
}

/* ---- lines ---- */

static void put_seconds(nytp_buf *out, const char *before, double seconds, const char *behind) {
    nytp_text_put(out, before);
    nytp_units_time(out, seconds);
    nytp_text_put(out, behind);
}

/* The rest of the run's time; that of starting is not worth a line. */
static void put_unprofiled(nytp_buf *out, const nytp_profile *p) {
    int64_t profiler = nytp_resources_profiler(p);
    if (profiler > 0)
        put_seconds(out, "Another ", nytp_profile_seconds(p, profiler), " were the profiler's own work.\n");
    if (p->totals.off > 0 && p->totals.off >= p->totals.elapsed / 1000)
        put_seconds(out, "For ", nytp_profile_seconds(p, p->totals.off), " profiling was switched off.\n");
}

/* For layouts that have no column for it. */
static void put_samples(nytp_buf *out, const nytp_profile *p) {
    if (p->samples <= 0) return;
    nytp_text_put(out, "Times are of ");
    nytp_units_count(out, p->samples);
    nytp_text_put(out, p->samples == 1 ? " sample" : " samples");
    if (nytp_profile_are_few(p->samples)) nytp_text_put(out, ", too few samples to say much");
    nytp_text_put(out, ": a share of 10 % is ");
    nytp_shown_points(out, nytp_profile_deviation(p->samples, 0.1));
    nytp_text_put(out, " points.\n");
}

/* Times of one process are those that its clock measured. */
void nytp_gprof_run(nytp_buf *out, const nytp_profile *p) {
    nytp_resources u;
    if (nytp_resources_sum(&u, p)) out->failed = 1;
    nytp_resources_free(&u);
    if (!p->processes_n) return;
    double elapsed = u.threads > 1 && u.wall > 0 ? u.wall : nytp_profile_seconds(p, p->totals.elapsed);
    if (u.runs > 1) nytp_text_number(out, u.runs);
    put_seconds(out, u.runs > 1 ? " runs took " : "The run took ", elapsed, "");
    if (u.threads > 1) nytp_text_around(out, " in ", u.processes, u.processes == 1 ? " process" : " processes");
    if (u.threads > u.processes) nytp_text_around(out, " with ", u.threads, " threads");
    put_seconds(out, ", ", nytp_profile_seconds(p, p->totals.whole),
                u.threads > 1 ? " profiled in all.\n" : " of it profiled.\n");
    put_unprofiled(out, p);
    put_samples(out, p);
    if (!(u.user_us + u.system_us)) return;
    put_seconds(out, "CPU time: ", (double)u.user_us * 1e-6, " user and ");
    put_seconds(out, "", (double)u.system_us * 1e-6, " system.\n");
}

void nytp_gprof_feed(nytp_buf *out, const nytp_gprof *g) {
    nytp_text_put(out, g->is_for_people ? "\n" : "\f\n");
}

void nytp_gprof_hot(nytp_buf *out, const nytp_gprof *g, int64_t ticks) {
    if (g->has_color) nytp_cells_hot(out, nytp_order_heat(ticks, g->p->totals.whole));
}

void nytp_gprof_end(nytp_buf *out, const nytp_gprof *g, int64_t ticks) {
    if (g->has_color) nytp_cells_plain(out, nytp_order_heat(ticks, g->p->totals.whole));
    nytp_buf_byte(out, '\n');
}
