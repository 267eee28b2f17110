/* SPDX-License-Identifier: MIT */
/* escape.c - escapes text of the profiled program for its context. */
#include "report/escape.h"

#include <string.h>

#include "report/text.h"

/* Length of the UTF-8 sequence at p and its code point; 0 where there is none. Overlong forms and surrogates are
 * none. */
static size_t decode(const unsigned char *p, size_t n, uint32_t *code) {
    static const uint32_t least[] = {0, 0, 0x80, 0x800, 0x10000};
    size_t length = p[0] < 0x80 ? 1 : p[0] < 0xC2 ? 0 : p[0] < 0xE0 ? 2 : p[0] < 0xF0 ? 3 : p[0] < 0xF5 ? 4 : 0;
    if (length == 0 || length > n) return 0;
    *code = length == 1 ? p[0] : p[0] & (0x7Fu >> length);
    for (size_t i = 1; i < length; i++) {
        if ((p[i] & 0xC0) != 0x80) return 0;
        *code = *code << 6 | (p[i] & 0x3Fu);
    }
    return *code < least[length] || *code > 0x10FFFF || (*code >= 0xD800 && *code < 0xE000) ? 0 : length;
}

/* Characters that are invisible, or change the order of others. */
static int is_hidden(uint32_t c) {
    return c < 0x20 || (c >= 0x7F && c < 0xA0) || (c >= 0x200E && c <= 0x200F) || (c >= 0x2028 && c <= 0x202E) ||
           (c >= 0x2066 && c <= 0x2069) || c == 0xFEFF || c >= 0xFFFE;
}

enum { TO_HTML = 1, TO_ELEMENT = 2, WITH_TABS = 4 };

/* In an element's text only two characters mean something; in an attribute, quotes as well. */
static const char *entity(uint32_t c, int how) {
    if (c == '&' && how & (TO_HTML | TO_ELEMENT)) return "&amp;";
    if (c == '<' && how & (TO_HTML | TO_ELEMENT)) return "&lt;";
    if (!(how & TO_HTML)) return NULL;
    switch (c) {
    case '>': return "&gt;";
    case '"': return "&quot;";
    case '\'': return "&#39;";
    default: return NULL;
    }
}

static void put_hidden(nytp_buf *out, uint32_t c) {
    if (c == '\n') nytp_text_put(out, "\\n");
    else if (c == '\t') nytp_text_put(out, "\\t");
    else if (c == '\r') nytp_text_put(out, "\\r");
    else if (c < 0x80) nytp_text_format(out, "\\x%02X", (unsigned)c);
    else nytp_text_format(out, "\\u{%X}", (unsigned)c);
}

/* The number of bytes at p that need no escape anywhere: most of every text, so they are copied at once. */
static size_t plain(const unsigned char *p, size_t n) {
    size_t i = 0;
    while (i < n && p[i] >= 0x20 && p[i] < 0x7F && p[i] != '&' && p[i] != '<' && p[i] != '>' && p[i] != '"' &&
           p[i] != '\'')
        i++;
    return i;
}

static void put_all(nytp_buf *out, nytp_str s, int how) {
    const unsigned char *p = (const unsigned char *)s.p;
    for (size_t i = 0, length; i < s.n; i += length) {
        uint32_t c = 0;
        length = plain(p + i, s.n - i);
        nytp_buf_bytes(out, p + i, length);
        if (length) continue;
        length = decode(p + i, s.n - i, &c);
        if (length == 0) {
            nytp_text_format(out, "\\x%02X", p[i]);
            length = 1;
        } else if (entity(c, how)) nytp_text_put(out, entity(c, how));
        else if (is_hidden(c) && !(how & WITH_TABS && c == '\t')) put_hidden(out, c);
        else nytp_buf_bytes(out, p + i, length);
    }
}

void nytp_escape_html(nytp_buf *out, nytp_str s) {
    put_all(out, s, TO_HTML);
}

void nytp_escape_text(nytp_buf *out, nytp_str s) {
    put_all(out, s, 0);
}

void nytp_escape_dot(nytp_buf *out, nytp_str s) {
    nytp_buf text = {0};
    put_all(&text, s, 0);
    for (size_t i = 0; i < text.n; i++) {
        if (text.p[i] == '"' || text.p[i] == '\\') nytp_buf_byte(out, '\\');
        nytp_buf_byte(out, text.p[i]);
    }
    nytp_buf_done(&text, out);
}

void nytp_escape_url(nytp_buf *out, nytp_str s) {
    for (size_t i = 0; i < s.n; i++) {
        unsigned char c = (unsigned char)s.p[i];
        int is_plain = (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || (c >= '0' && c <= '9');
        if (is_plain || memchr("._~-/", c, 5)) nytp_buf_byte(out, c);
        else nytp_text_format(out, "%%%02X", c);
    }
}

void nytp_escape_source(nytp_buf *out, nytp_str s) {
    if (s.n && s.p[s.n - 1] == '\n') s.n--;
    if (s.n && s.p[s.n - 1] == '\r') s.n--;
    put_all(out, s, TO_ELEMENT | WITH_TABS);
}
