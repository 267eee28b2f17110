/* SPDX-License-Identifier: MIT */
/* pairs.c - taking NAME=VALUE:NAME=VALUE apart. */
#include "base/pairs.h"

/* Copies up to the first character of ends, without backslashes; returns the address of that character. */
static const char *take(const char *p, const char *ends, nytp_buf *to) {
    nytp_buf_clear(to);
    for (; *p && !strchr(ends, *p); p++) {
        if (*p == '\\' && p[1]) p++;
        nytp_buf_byte(to, (unsigned char)*p);
    }
    nytp_buf_byte(to, 0);
    if (!to->failed) to->n--;
    return p;
}

const char *nytp_pairs_next(const char *p, nytp_assignment *pair) {
    p = take(p, ":=", &pair->name);
    pair->has_value = *p == '=';
    if (pair->has_value) p = take(p + 1, ":", &pair->value);
    pair->failed |= pair->name.failed || pair->value.failed;
    return p;
}

int nytp_pairs_is(const nytp_assignment *pair, const char *name) {
    return !pair->failed && pair->has_value && strcmp((const char *)pair->name.p, name) == 0;
}

void nytp_pairs_free(nytp_assignment *pair) {
    nytp_buf_free(&pair->name);
    nytp_buf_free(&pair->value);
}
