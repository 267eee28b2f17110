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
