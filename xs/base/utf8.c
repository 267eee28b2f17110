/* SPDX-License-Identifier: MIT */
/* utf8.c - decodes and spells characters. */
#include "base/utf8.h"

#include <stdio.h>
#include <string.h>

/* By the first byte; 0: no character begins with it. */
static size_t length_of(unsigned char first) {
    if (first < 0x80) return 1;
    return first < 0xC2 ? 0 : first < 0xE0 ? 2 : first < 0xF0 ? 3 : first < 0xF5 ? 4 : 0;
}

size_t nytp_utf8_decode(const char *text, size_t n, uint32_t *code) {
    static const uint32_t least[] = {0, 0, 0x80, 0x800, 0x10000};
    const unsigned char *p = (const unsigned char *)text;
    size_t length = n ? length_of(p[0]) : 0;
    if (length == 0 || length > n) return 0;
    uint32_t c = length == 1 ? p[0] : p[0] & (0x7Fu >> length);
    for (size_t i = 1; i < length; i++) {
        if ((p[i] & 0xC0) != 0x80) return 0;
        c = c << 6 | (p[i] & 0x3Fu);
    }
    if (c < least[length] || c > 0x10FFFF || (c >= 0xD800 && c < 0xE000)) return 0;
    *code = c;
    return length;
}

size_t nytp_utf8_cut(const char *p, size_t n) {
    for (size_t back = 1; back < 4 && back <= n; back++) {
        unsigned char c = (unsigned char)p[n - back];
        if ((c & 0xC0) != 0x80) return length_of(c) > back ? back : 0;
    }
    return 0;
}

int nytp_utf8_is_hidden(uint32_t c) {
    return c < 0x20 || (c >= 0x7F && c < 0xA0) || c == 0x61C || (c >= 0x200E && c <= 0x200F) ||
           (c >= 0x2028 && c <= 0x202E) || (c >= 0x2066 && c <= 0x2069) || c == 0xFEFF || (c & 0xFFFE) == 0xFFFE ||
           (c >= 0xE0000 && c < 0xE0080);
}

void nytp_utf8_spell(char to[NYTP_UTF8_SPELLED], uint32_t c) {
    if (c == '\n') memcpy(to, "\\n", 3);
    else if (c == '\t') memcpy(to, "\\t", 3);
    else if (c == '\r') memcpy(to, "\\r", 3);
    else snprintf(to, NYTP_UTF8_SPELLED, c < 0x80 ? "\\x%02X" : "\\u{%X}", (unsigned)c);
}

void nytp_utf8_mask(char *text) {
    size_t n = strlen(text), length;
    for (char *p = text, *end = text + n; p < end; p += length) {
        uint32_t code = (unsigned char)*p;
        length = nytp_utf8_decode(p, (size_t)(end - p), &code);
        if (!length) length = 1;
        if (nytp_utf8_is_hidden(code)) memset(p, '?', length);
    }
}
