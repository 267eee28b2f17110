/* SPDX-License-Identifier: MIT */
/* str.h - borrowed bytes: a pointer and a length, never owned, never NUL-terminated by contract. */
#ifndef NYTP_BASE_STR_H
#define NYTP_BASE_STR_H

#include <stddef.h>
#include <stdint.h>

typedef struct nytp_str {
    const char *p;
    size_t n;
} nytp_str;

#define NYTP_LIT(literal) ((nytp_str){(literal), sizeof(literal) - 1})

/* Pure functions: nothing is copied or kept. */
nytp_str nytp_str_c(const char *text); /* borrows; NULL counts as empty */
int nytp_str_eq(nytp_str a, nytp_str b);
int nytp_str_cmp(nytp_str a, nytp_str b); /* byte order, as memcmp; a prefix sorts first */
int nytp_str_starts(nytp_str s, nytp_str prefix);
int nytp_str_ends(nytp_str s, nytp_str suffix);
uint64_t nytp_str_hash(nytp_str s); /* the same in every process and on every machine */
uint64_t nytp_str_quick_hash(nytp_str s); /* of this machine, eight bytes at a time */
size_t nytp_str_count(nytp_str s, char c); /* how often c is in s */

#endif
