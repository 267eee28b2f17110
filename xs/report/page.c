/* SPDX-License-Identifier: MIT */
/* page.c - fills the holes of a template. */
#include "report/page.h"

#include <string.h>

#include "base/error.h"
#include "report/assets.h"

nytp_str nytp_page_asset(const char *name) {
    for (const nytp_asset *a = nytp_assets; a->name; a++)
        if (nytp_str_eq(nytp_str_c(a->name), nytp_str_c(name))) return (nytp_str){a->bytes, a->n};
    return nytp_str_c(NULL);
}

static const nytp_hole *find_hole(nytp_str name, const nytp_hole *holes, size_t n) {
    for (size_t i = 0; i < n; i++)
        if (nytp_str_eq(name, nytp_str_c(holes[i].name))) return &holes[i];
    return NULL;
}

static const char *find_pair(const char *p, const char *end, char c) {
    for (; p + 1 < end; p++)
        if (p[0] == c && p[1] == c) return p;
    return NULL;
}

int nytp_page_fill(nytp_buf *out, nytp_str template, const nytp_hole *holes, size_t n) {
    const char *p = template.p, *end = template.p + template.n;
    int code = NYTP_OK;
    for (const char *open; (open = find_pair(p, end, '{')) != NULL;) {
        const char *close = find_pair(open + 2, end, '}');
        if (!close) break;
        nytp_buf_bytes(out, p, (size_t)(open - p));
        const nytp_hole *hole = find_hole((nytp_str){open + 2, (size_t)(close - open) - 2}, holes, n);
        if (hole) nytp_buf_bytes(out, hole->value.p, hole->value.n);
        else code = NYTP_USAGE;
        p = close + 2;
    }
    nytp_buf_bytes(out, p, (size_t)(end - p));
    return code;
}

nytp_str nytp_page_bytes(const nytp_buf *b) {
    return (nytp_str){(const char *)b->p, b->n};
}
