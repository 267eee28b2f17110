/* SPDX-License-Identifier: MIT */
/* units.c - numbers as people read them. */
#include "report/units.h"

#include "report/text.h"

void nytp_units_count(nytp_buf *out, int64_t n) {
    uint64_t rest = n < 0 ? 0 : (uint64_t)n, power = 1;
    while (rest / power >= 1000) power *= 1000;
    nytp_text_number(out, rest / power);
    while (power >= 1000) {
        rest %= power;
        power /= 1000;
        unsigned group = (unsigned)(rest / power);
        const char text[] = {',', (char)('0' + group / 100), (char)('0' + group / 10 % 10), (char)('0' + group % 10)};
        nytp_buf_bytes(out, text, sizeof text);
    }
}

/* 0 <= v < 1e16, with so many digits behind the point, two at most. */
static void put_decimal(nytp_buf *out, double v, int places) {
    unsigned scale = places == 2 ? 100 : places == 1 ? 10 : 1;
    uint64_t rounded = (uint64_t)(v * scale + 0.5);
    unsigned behind = (unsigned)(rounded % scale);
    nytp_text_number(out, rounded / scale);
    if (places) nytp_buf_byte(out, '.');
    if (places == 2) nytp_buf_byte(out, (unsigned char)('0' + behind / 10));
    if (places) nytp_buf_byte(out, (unsigned char)('0' + behind % 10));
}

/* Three significant digits of a number from 1 to just under 1000, which rounding may make 1000. */
static void put_digits(nytp_buf *out, double v, const char *unit) {
    put_decimal(out, v, v < 9.995 ? 2 : v < 99.95 ? 1 : 0);
    nytp_text_put(out, unit);
}

static void put_whole(nytp_buf *out, double v, const char *unit) {
    put_decimal(out, v, 0);
    nytp_text_put(out, unit);
}

void nytp_units_time(nytp_buf *out, double seconds) {
    if (seconds < 0) nytp_text_put(out, "~0 s"); /* the profiler's cost was overestimated */
    else if (!(seconds > 0)) nytp_text_put(out, "0 s");
    else if (seconds < 0.5e-9) nytp_text_put(out, "0 ns");
    else if (seconds < 999.5e-9) put_whole(out, seconds * 1e9, " ns");
    else if (seconds < 999.5e-6) put_digits(out, seconds * 1e6, " \xC2\xB5s");
    else if (seconds < 999.5e-3) put_digits(out, seconds * 1e3, " ms");
    else if (seconds < 999.5) put_digits(out, seconds, " s");
    else {
        nytp_units_count(out, seconds < 9e15 ? (int64_t)(seconds + 0.5) : INT64_MAX);
        nytp_text_put(out, " s");
    }
}

void nytp_units_bytes(nytp_buf *out, int64_t n) {
    double bytes = n > 0 ? (double)n : 0;
    if (bytes < 999.5) put_whole(out, bytes, " B");
    else if (bytes < 999.5e3) put_digits(out, bytes / 1e3, " kB");
    else if (bytes < 999.5e6) put_digits(out, bytes / 1e6, " MB");
    else if (bytes < 999.5e9) put_digits(out, bytes / 1e9, " GB");
    else {
        nytp_units_count(out, (int64_t)(bytes / 1e9 + 0.5));
        nytp_text_put(out, " GB");
    }
}

void nytp_units_percent(nytp_buf *out, int64_t part, int64_t whole) {
    if (whole <= 0) return;
    double share = part > 0 ? 100.0 * (double)part / (double)whole : 0;
    if (share > 1e15) share = 1e15; /* of a hostile profile */
    put_decimal(out, share, share < 9.995 ? 2 : 1);
    nytp_text_put(out, " %");
}

/* Converts whole seconds and the rest separately, so that no intermediate result overflows. */
uint64_t nytp_units_whole(int64_t ticks, uint64_t per_second, uint64_t rate) {
    if (ticks <= 0 || !per_second) return 0;
    uint64_t t = (uint64_t)ticks;
    return t / per_second * rate + (t % per_second * rate + per_second / 2) / per_second;
}

/* The sum of a hostile profile stays at its end. */
uint64_t nytp_units_next(nytp_units_sum *s, int64_t ticks) {
    if (ticks > 0) s->ticks = ticks < INT64_MAX - s->ticks ? s->ticks + ticks : INT64_MAX;
    uint64_t sum = nytp_units_whole(s->ticks, s->per_second, s->rate), before = s->given;
    s->given = sum;
    return sum > before ? sum - before : 0;
}
