/* SPDX-License-Identifier: MIT */
/* str.c - borrowed bytes: a pointer and a length. */
#include "base/str.h"

#include <string.h>

nytp_str nytp_str_c(const char *text) {
    return (nytp_str){text ? text : "", text ? strlen(text) : 0};
}

/* memcmp must not see the NULL of an empty string. */
static int compare(const char *a, const char *b, size_t n) {
    return n ? memcmp(a, b, n) : 0;
}

int nytp_str_eq(nytp_str a, nytp_str b) {
    return a.n == b.n && compare(a.p, b.p, a.n) == 0;
}

int nytp_str_cmp(nytp_str a, nytp_str b) {
    int order = compare(a.p, b.p, a.n < b.n ? a.n : b.n);

    return order ? order : (a.n > b.n) - (a.n < b.n);
}

int nytp_str_starts(nytp_str s, nytp_str prefix) {
    return s.n >= prefix.n && compare(s.p, prefix.p, prefix.n) == 0;
}

int nytp_str_ends(nytp_str s, nytp_str suffix) {
    return s.n >= suffix.n && (!suffix.n || compare(s.p + (s.n - suffix.n), suffix.p, suffix.n) == 0);
}

/* FNV-1a, 64 bits. */
uint64_t nytp_str_hash(nytp_str s) {
    uint64_t h = 0xCBF29CE484222325u;

    for (size_t i = 0; i < s.n; i++) h = (h ^ (unsigned char)s.p[i]) * 0x100000001B3u;
    return h;
}

static uint64_t mixed(uint64_t h, uint64_t word) {
    h = (h ^ word) * 0x9E3779B97F4A7C15u;
    return h ^ h >> 32;
}

uint64_t nytp_str_quick_hash(nytp_str s) {
    uint64_t h = mixed(0xCBF29CE484222325u, s.n), word;

    for (; s.n >= sizeof word; s.p += sizeof word, s.n -= sizeof word) {
        memcpy(&word, s.p, sizeof word);
        h = mixed(h, word);
    }
    for (word = 0; s.n; s.n--) word = word << 8 | (unsigned char)s.p[s.n - 1];
    return mixed(h, word);
}

/* Matches in a block are counted in one byte, so that the compiler can vectorise the loop, which has a constant length:
 * eight times as fast. Counting lines of source would otherwise take as long as deflating them. */
#define BLOCK 64

static unsigned count_block(const char *p, char c) {
    unsigned char n = 0;

    for (int i = 0; i < BLOCK; i++) n = (unsigned char)(n + (p[i] == c));
    return n;
}

size_t nytp_str_count(nytp_str s, char c) {
    size_t n = 0;

    for (; s.n >= BLOCK; s.p += BLOCK, s.n -= BLOCK) n += count_block(s.p, c);
    for (size_t i = 0; i < s.n; i++) n += s.p[i] == c;
    return n;
}
