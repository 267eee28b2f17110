/* SPDX-License-Identifier: MIT */
/* mask.c - parts of commands that match an expression are left out of captures of builds. */
#include "capture/mask.h"

#include <locale.h>
#include <string.h>

int nytp_mask_begin(nytp_mask *m, const char *text) {
    locale_t plain = newlocale(LC_ALL_MASK, "C", (locale_t)0); /* the C library's own: nothing to free */
    locale_t before = uselocale(plain);
    int is_fine = regcomp(&m->expression, text, REG_EXTENDED) == 0;
    uselocale(before);
    return is_fine;
}

void nytp_mask_end(nytp_mask *m) { regfree(&m->expression); }

/* A text of which a part has room. */
typedef struct text {
    char *to;
    size_t n, room;
} text;

static void put(text *t, const char *p, size_t n) {
    size_t left = t->n < t->room ? t->room - t->n : 0;
    if (left) memcpy(t->to + t->n, p, n < left ? n : left);
    t->n += n;
}

size_t nytp_mask_put(const nytp_mask *m, char *to, size_t room, const char *argument) {
    text t = {to, 0, room};
    const char *p = argument;
    regmatch_t found;
    int code;
    while (!(code = regexec(&m->expression, p, 1, &found, p == argument ? 0 : REG_NOTBOL))) {
        size_t begin = (size_t)found.rm_so, end = (size_t)found.rm_eo;
        if (begin == end && !p[end]) break; /* nothing is found at the end */
        put(&t, p, begin == end ? begin + 1 : begin);
        if (begin < end) put(&t, NYTP_MASK_TEXT, strlen(NYTP_MASK_TEXT));
        p += begin == end ? begin + 1 : end;
    }
    if (code && code != REG_NOMATCH) return 0;
    put(&t, p, strlen(p) + 1);
    return t.n;
}
