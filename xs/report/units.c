/* units.c - numbers as people read them. */
#include "report/units.h"

#include <inttypes.h>
#include <stdio.h>

#include "report/text.h"

void nytp_units_count(nytp_buf *out, int64_t n) {
    char digits[24];
    int length = snprintf(digits, sizeof digits, "%" PRId64, n < 0 ? 0 : n);
    for (int i = 0; i < length; i++) {
        if (i && (length - i) % 3 == 0) nytp_buf_byte(out, ',');
        nytp_buf_byte(out, (unsigned char)digits[i]);
    }
}

/* Three significant digits of a number from 1 to just under 1000, which rounding may make 1000. */
static void put_digits(nytp_buf *out, double v, const char *unit) {
    nytp_text_format(out, "%.*f %s", v < 9.995 ? 2 : v < 99.95 ? 1 : 0, v, unit);
}

void nytp_units_time(nytp_buf *out, double seconds) {
    if (!(seconds > 0)) nytp_text_put(out, "0 s");
    else if (seconds < 0.5e-9) nytp_text_put(out, "0 ns");
    else if (seconds < 999.5e-9) nytp_text_format(out, "%.0f ns", seconds * 1e9);
    else if (seconds < 999.5e-6) put_digits(out, seconds * 1e6, "\xC2\xB5s");
    else if (seconds < 999.5e-3) put_digits(out, seconds * 1e3, "ms");
    else if (seconds < 999.5) put_digits(out, seconds, "s");
    else {
        nytp_units_count(out, seconds < 9e15 ? (int64_t)(seconds + 0.5) : INT64_MAX);
        nytp_text_put(out, " s");
    }
}

void nytp_units_bytes(nytp_buf *out, int64_t n) {
    double bytes = n > 0 ? (double)n : 0;
    if (bytes < 999.5) nytp_text_format(out, "%.0f B", bytes);
    else if (bytes < 999.5e3) put_digits(out, bytes / 1e3, "kB");
    else if (bytes < 999.5e6) put_digits(out, bytes / 1e6, "MB");
    else if (bytes < 999.5e9) put_digits(out, bytes / 1e9, "GB");
    else {
        nytp_units_count(out, (int64_t)(bytes / 1e9 + 0.5));
        nytp_text_put(out, " GB");
    }
}

void nytp_units_percent(nytp_buf *out, int64_t part, int64_t whole) {
    if (whole <= 0) return;
    double share = part > 0 ? 100.0 * (double)part / (double)whole : 0;
    nytp_text_format(out, share < 9.995 ? "%.2f %%" : "%.1f %%", share);
}

/* Whole seconds apart from the rest, so that nothing overflows before the result does. */
uint64_t nytp_units_whole(int64_t ticks, uint64_t per_second, uint64_t rate) {
    if (ticks <= 0 || !per_second) return 0;
    uint64_t t = (uint64_t)ticks;
    return t / per_second * rate + (t % per_second * rate + per_second / 2) / per_second;
}
