/* SPDX-License-Identifier: MIT */
/* filename.c - parses perl's names for files and evals. */
#include "perl/filename.h"

#include <stdlib.h>
#include <string.h>

int nytp_filename_is_special(nytp_str name) {
    return nytp_str_eq(name, NYTP_LIT("-e")) || nytp_str_eq(name, NYTP_LIT("-"));
}

int nytp_filename_is_loader(nytp_str name) { return nytp_str_starts(name, NYTP_LIT("/loader/0x")); }

int nytp_filename_is_eval(nytp_str name) {
    return nytp_str_starts(name, NYTP_LIT("(eval ")) || nytp_str_starts(name, NYTP_LIT("(re_eval "));
}

static const char *find(nytp_str text, nytp_str what) {
    for (size_t i = 0; i + what.n <= text.n; i++)
        if (memcmp(text.p + i, what.p, what.n) == 0) return text.p + i;
    return NULL;
}

/* The last colon and the bracket that ends the name frame the line. */
static int eval_origin(nytp_str name, nytp_str *file, uint32_t *line) {
    const char *open = memchr(name.p, '[', name.n), *end = name.p + name.n - 1, *colon = end;
    if (!open || *end != ']') return 0;
    while (colon > open && *colon != ':') colon--;
    if (colon == open) return 0;
    *file = (nytp_str){open + 1, (size_t)(colon - open - 1)};
    *line = (uint32_t)strtoul(colon + 1, NULL, 10);
    return 1;
}

int nytp_filename_origin(nytp_str name, nytp_str *file, uint32_t *line) {
    static const nytp_str marker = {" defined at ", 12};
    if (nytp_filename_is_eval(name)) return eval_origin(name, file, line);
    const char *at = find(name, marker);
    if (!at) return 0;
    *file = (nytp_str){at + marker.n, (size_t)(name.p + name.n - at) - marker.n};
    *line = 1;
    return file->n > 0;
}

nytp_str nytp_filename_base(nytp_str name) {
    size_t at = name.n;
    while (at && name.p[at - 1] != '/') at--;
    return (nytp_str){name.p + at, name.n - at};
}

nytp_str nytp_filename_autosplit_from(nytp_str name) {
    const char *at = nytp_str_ends(name, NYTP_LIT(")")) ? find(name, NYTP_LIT(" (autosplit ")) : NULL;
    return at ? nytp_filename_base((nytp_str){name.p, (size_t)(at - name.p)}) : (nytp_str){name.p, 0};
}
