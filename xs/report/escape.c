/* SPDX-License-Identifier: MIT */
/* escape.c - escapes text of the profiled program for its context. */
#include "report/escape.h"

#include <string.h>

#include "base/utf8.h"
#include "report/text.h"

enum { TO_HTML = 1, TO_ELEMENT = 2, WITH_TABS = 4, WITH_LINES = 8, WITH_COLORS = 16 };

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
    char spelled[NYTP_UTF8_SPELLED];
    nytp_utf8_spell(spelled, c);
    nytp_text_put(out, spelled);
}

/* The number of bytes at p that need no escape anywhere: most of every text, so they are copied at once. */
static size_t plain(const unsigned char *p, size_t n) {
    size_t i = 0;
    while (i < n && p[i] >= 0x20 && p[i] < 0x7F && p[i] != '&' && p[i] != '<' && p[i] != '>' && p[i] != '"' &&
           p[i] != '\'')
        i++;
    return i;
}

static int is_kept(uint32_t c, int how) {
    return (how & WITH_TABS && c == '\t') || (how & WITH_LINES && (c == '\n' || c == '\f'));
}

/* The length of an escape sequence that sets colours, and does nothing else. */
static size_t color(const char *p, size_t n, int how) {
    size_t i = 2;
    if (!(how & WITH_COLORS) || n < 3 || p[0] != '\033' || p[1] != '[') return 0;
    while (i < n && ((p[i] >= '0' && p[i] <= '9') || p[i] == ';')) i++;
    return i < n && p[i] == 'm' ? i + 1 : 0;
}

static void put_all(nytp_buf *out, nytp_str s, int how) {
    const unsigned char *p = (const unsigned char *)s.p;
    for (size_t i = 0, length; i < s.n; i += length) {
        uint32_t c = 0;
        length = plain(p + i, s.n - i);
        if (!length) length = color(s.p + i, s.n - i, how);
        nytp_buf_bytes(out, p + i, length);
        if (length) continue;
        length = nytp_utf8_decode(s.p + i, s.n - i, &c);
        if (length == 0) {
            nytp_text_format(out, "\\x%02X", p[i]);
            length = 1;
        } else if (entity(c, how)) nytp_text_put(out, entity(c, how));
        else if (nytp_utf8_is_hidden(c) && !is_kept(c, how)) put_hidden(out, c);
        else nytp_buf_bytes(out, p + i, length);
    }
}

void nytp_escape_html(nytp_buf *out, nytp_str s) {
    put_all(out, s, TO_HTML);
}

void nytp_escape_text(nytp_buf *out, nytp_str s) {
    put_all(out, s, 0);
}

void nytp_escape_terminal(nytp_buf *out, nytp_str s, int has_colors) {
    put_all(out, s, WITH_TABS | WITH_LINES | (has_colors ? WITH_COLORS : 0));
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

static size_t plain_json(const unsigned char *p, size_t n) {
    size_t i = 0;
    while (i < n && p[i] >= 0x20 && p[i] < 0x7F && p[i] != '"' && p[i] != '\\') i++;
    return i;
}

void nytp_escape_json(nytp_buf *out, nytp_str s) {
    const unsigned char *p = (const unsigned char *)s.p;
    for (size_t i = 0, length; i < s.n; i += length) {
        uint32_t c = 0;
        length = plain_json(p + i, s.n - i);
        nytp_buf_bytes(out, p + i, length);
        if (length) continue;
        length = nytp_utf8_decode(s.p + i, s.n - i, &c);
        if (length == 0) {
            nytp_text_format(out, "\\\\x%02X", p[i]);
            length = 1;
        } else if (c == '\n') nytp_text_put(out, "\\n");
        else if (c == '\t') nytp_text_put(out, "\\t");
        else if (c < 0x20 || c == 0x7F) nytp_text_format(out, "\\u%04x", (unsigned)c);
        else {
            if (c == '"' || c == '\\') nytp_buf_byte(out, '\\');
            nytp_buf_bytes(out, p + i, length);
        }
    }
}
