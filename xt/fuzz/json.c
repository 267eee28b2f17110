/* SPDX-License-Identifier: MIT */
/* json.c - a reader of JSON that accepts nothing but JSON: a function for each rule of its grammar, which moves behind
 * what it has read and returns 0, or returns 1 where it stopped. */
#include "json.h"

#include <string.h>

#define DEEPEST 2000

typedef struct reader {
    const unsigned char *p, *end;
    int depth;
} reader;

static int read_value(reader *r);

static int next(const reader *r) { return r->p < r->end ? *r->p : -1; }

static void skip_blanks(reader *r) {
    while (next(r) == ' ' || next(r) == '\n' || next(r) == '\t' || next(r) == '\r') r->p++;
}

static int read_word(reader *r, const char *word) {
    size_t n = strlen(word);
    if ((size_t)(r->end - r->p) < n || memcmp(r->p, word, n) != 0) return 1;
    r->p += n;
    return 0;
}

/* One character of several bytes: neither too long, nor a surrogate, nor beyond U+10FFFF. */
static int read_long_character(reader *r) {
    unsigned lead = *r->p, bytes = lead >= 0xF0 ? 4 : lead >= 0xE0 ? 3 : 2;
    unsigned code = lead & (0xFFu >> (bytes + 1));
    static const unsigned least[] = {0, 0, 0x80, 0x800, 0x10000};
    if (lead < 0xC2 || lead > 0xF4 || (size_t)(r->end - r->p) < bytes) return 1;
    for (unsigned i = 1; i < bytes; i++) {
        if ((r->p[i] & 0xC0) != 0x80) return 1;
        code = code << 6 | (r->p[i] & 0x3Fu);
    }
    if (code < least[bytes] || (code >= 0xD800 && code < 0xE000) || code > 0x10FFFF) return 1;
    r->p += bytes;
    return 0;
}

static int read_escape(reader *r) {
    r->p++;
    if (next(r) != 'u') return next(r) < 0 || !strchr("\"\\/bfnrt", next(r)) || (r->p++, 0);
    r->p++;
    for (int i = 0; i < 4; i++, r->p++)
        if (next(r) < 0 || !next(r) || !strchr("0123456789abcdefABCDEF", next(r))) return 1;
    return 0;
}

static int read_string(reader *r) {
    if (read_word(r, "\"")) return 1;
    while (next(r) >= 0x20 && next(r) != '"') {
        int wrong = 0;
        if (next(r) == '\\') wrong = read_escape(r);
        else if (next(r) >= 0x80) wrong = read_long_character(r);
        else r->p++;
        if (wrong) return 1;
    }
    return read_word(r, "\"");
}

static int read_digits(reader *r) {
    const unsigned char *from = r->p;
    while (next(r) >= '0' && next(r) <= '9') r->p++;
    return r->p == from;
}

static int read_number(reader *r) {
    if (next(r) == '-') r->p++;
    if (next(r) == '0') r->p++;
    else if (read_digits(r)) return 1;
    if (next(r) == '.' && (r->p++, read_digits(r))) return 1;
    if (next(r) != 'e' && next(r) != 'E') return 0;
    r->p++;
    if (next(r) == '+' || next(r) == '-') r->p++;
    return read_digits(r);
}

/* An object or array, up to its closing bracket. */
static int read_members(reader *r, int closing) {
    r->p++;
    skip_blanks(r);
    if (next(r) == closing) return r->p++, 0;
    for (;; r->p++) {
        skip_blanks(r);
        if (closing == '}' && read_string(r)) return 1;
        skip_blanks(r);
        if ((closing == '}' && read_word(r, ":")) || read_value(r)) return 1;
        if (next(r) == closing) return r->p++, 0;
        if (next(r) != ',') return 1;
    }
}

static int read_value(reader *r) {
    int wrong;
    skip_blanks(r);
    if (++r->depth > DEEPEST) return 1;
    switch (next(r)) {
    case '{': wrong = read_members(r, '}'); break;
    case '[': wrong = read_members(r, ']'); break;
    case '"': wrong = read_string(r); break;
    case 't': wrong = read_word(r, "true"); break;
    case 'f': wrong = read_word(r, "false"); break;
    case 'n': wrong = read_word(r, "null"); break;
    default: wrong = read_number(r);
    }
    r->depth--;
    skip_blanks(r);
    return wrong;
}

size_t json_wrong(const char *p, size_t n) {
    reader r = {(const unsigned char *)p, (const unsigned char *)p + n, 0};
    int wrong = read_value(&r);
    return wrong || r.p < r.end ? (size_t)(r.p - (const unsigned char *)p) - (wrong && r.p == r.end) : n;
}
