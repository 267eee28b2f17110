/* SPDX-License-Identifier: MIT */
/* base64.c - bytes as letters. */
#include "base/base64.h"

void nytp_base64_put(nytp_buf *out, const void *p, size_t n) {
    static const char letters[] = "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/";
    const unsigned char *from = p;
    unsigned char *to = nytp_buf_room(out, (n + 2) / 3 * 4);
    if (!to) return;
    for (size_t i = 0; i < n; i += 3) {
        uint32_t three = (uint32_t)from[i] << 16;
        if (i + 1 < n) three |= (uint32_t)from[i + 1] << 8;
        if (i + 2 < n) three |= from[i + 2];
        *to++ = (unsigned char)letters[three >> 18];
        *to++ = (unsigned char)letters[three >> 12 & 63];
        *to++ = (unsigned char)(i + 1 < n ? letters[three >> 6 & 63] : '=');
        *to++ = (unsigned char)(i + 2 < n ? letters[three & 63] : '=');
    }
    out->n += (n + 2) / 3 * 4;
}

/* The six bits of a character; above 63: it is none of these. */
static uint32_t bits_of(char c) {
    if (c >= 'A' && c <= 'Z') return (uint32_t)(c - 'A');
    if (c >= 'a' && c <= 'z') return (uint32_t)(c - 'a') + 26;
    if (c >= '0' && c <= '9') return (uint32_t)(c - '0') + 52;
    return c == '+' ? 62 : c == '/' ? 63 : 64;
}

int nytp_base64_get(nytp_buf *out, const char *text, size_t n) {
    for (size_t i = 0; i + 4 <= n; i += 4) {
        uint32_t a = bits_of(text[i]), b = bits_of(text[i + 1]), c = bits_of(text[i + 2]), d = bits_of(text[i + 3]);
        if ((a | b | c | d) > 63) return 0;
        const unsigned char three[] = {(unsigned char)(a << 2 | b >> 4), (unsigned char)(b << 4 | c >> 2),
                                       (unsigned char)(c << 6 | d)};
        nytp_buf_bytes(out, three, sizeof three);
    }
    return 1;
}
