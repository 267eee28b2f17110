/* SPDX-License-Identifier: MIT */
/* escapes.c - every function that escapes text, given all bytes, all pairs of bytes, and random texts of UTF-8 and of
 * other bytes: what it makes is decoded by the rules of its format, and has to be the text again, as a line of visible
 * characters has it. */
#include <stdlib.h>
#include <string.h>

#include "base/buf.h"
#include "base/utf8.h"
#include "model/profile.h"
#include "report/escape.h"
#include "report/names.h"
#include "report/page.h"
#include "tap.h"

#define TEXTS 20000 /* random ones */
#define LONGEST 24  /* bytes */

/* ---- a second decoder of UTF-8: by the table of well-formed sequences in the Unicode standard ---- */

static const struct row {
    unsigned char low[4], high[4];
} rows[] = {
    {{0x00}, {0x7F}},
    {{0xC2, 0x80}, {0xDF, 0xBF}},
    {{0xE0, 0xA0, 0x80}, {0xE0, 0xBF, 0xBF}},
    {{0xE1, 0x80, 0x80}, {0xEC, 0xBF, 0xBF}},
    {{0xED, 0x80, 0x80}, {0xED, 0x9F, 0xBF}},
    {{0xEE, 0x80, 0x80}, {0xEF, 0xBF, 0xBF}},
    {{0xF0, 0x90, 0x80, 0x80}, {0xF0, 0xBF, 0xBF, 0xBF}},
    {{0xF1, 0x80, 0x80, 0x80}, {0xF3, 0xBF, 0xBF, 0xBF}},
    {{0xF4, 0x80, 0x80, 0x80}, {0xF4, 0x8F, 0xBF, 0xBF}},
};

static size_t length_in(const struct row *r, nytp_str s) {
    size_t n = r->high[3] ? 4 : r->high[2] ? 3 : r->high[1] ? 2 : 1;
    for (size_t i = 0; i < n; i++)
        if (i >= s.n || (unsigned char)s.p[i] < r->low[i] || (unsigned char)s.p[i] > r->high[i]) return 0;
    return n;
}

/* The length of the character at the beginning of s; 0: there is none. */
static size_t take(nytp_str s, uint32_t *c) {
    static const unsigned char bits[] = {0, 0x7F, 0x1F, 0x0F, 0x07};
    size_t n = 0;
    for (size_t i = 0; i < sizeof rows / sizeof *rows && !n; i++) n = length_in(&rows[i], s);
    if (n) *c = (unsigned char)s.p[0] & bits[n];
    for (size_t i = 1; i < n; i++) *c = *c * 64 + ((unsigned char)s.p[i] - 0x80u);
    return n;
}

static nytp_str behind(nytp_str s, size_t n) { return (nytp_str){s.p + n, s.n - n}; }

static int is_between(uint32_t c, uint32_t low, uint32_t high) { return c >= low && c <= high; }

/* Control, format characters of direction, line and paragraph separators, tags and what is no character. */
static int is_hidden(uint32_t c) {
    return is_between(c, 0, 0x1F) || is_between(c, 0x7F, 0x9F) || c == 0x061C || is_between(c, 0x200E, 0x200F) ||
           is_between(c, 0x2028, 0x202E) || is_between(c, 0x2066, 0x2069) || c == 0xFEFF || c % 0x10000 >= 0xFFFE ||
           is_between(c, 0xE0000, 0xE007F);
}

/* A text as a line of visible characters, but for those of `kept`. */
static void show(nytp_buf *out, nytp_str s, const char *kept) {
    for (size_t n; s.n; s = behind(s, n)) {
        char text[32] = "";
        uint32_t c = 0;
        n = take(s, &c);
        int is_kept = n && (!is_hidden(c) || (c && c < 0x80 && strchr(kept, (int)c)));
        if (!n) snprintf(text, sizeof text, "\\x%02X", (unsigned char)s.p[0]);
        else if (c < 0x80) snprintf(text, sizeof text, "\\x%02X", (unsigned)c);
        else snprintf(text, sizeof text, "\\u{%X}", (unsigned)c);
        if (c == '\n' || c == '\t' || c == '\r') snprintf(text, sizeof text, "\\%c", "tn--r"[c - '\t']);
        if (!n) n = 1;
        if (is_kept) nytp_buf_bytes(out, s.p, n);
        else nytp_buf_bytes(out, text, strlen(text));
    }
}

/* ---- decoders of the formats: 0 for what the format does not allow ---- */

static int of_html(nytp_buf *out, nytp_str s, const char *forbidden) {
    static const struct { const char *entity; char c; } entities[] = {
        {"&amp;", '&'}, {"&lt;", '<'}, {"&gt;", '>'}, {"&quot;", '"'}, {"&#39;", '\''}};
    while (s.n) {
        size_t n = 0;
        if (strchr(forbidden, *s.p)) return 0;
        for (size_t i = 0; i < sizeof entities / sizeof *entities && *s.p == '&' && !n; i++)
            if (nytp_str_starts(s, nytp_str_c(entities[i].entity))) {
                nytp_buf_byte(out, (unsigned char)entities[i].c);
                n = strlen(entities[i].entity);
            }
        if (!n && *s.p == '&') return 0;
        if (!n) nytp_buf_byte(out, (unsigned char)*s.p);
        s = behind(s, n ? n : 1);
    }
    return 1;
}

static int of_attribute(nytp_buf *out, nytp_str s) { return of_html(out, s, "<>\"'"); }
static int of_element(nytp_buf *out, nytp_str s) { return of_html(out, s, "<"); }

static int copy(nytp_buf *out, nytp_str s) { return nytp_buf_bytes(out, s.p, s.n), 1; }

static int hex(nytp_str s, size_t at, size_t digits, uint32_t *n) {
    char text[9] = "", *end;
    if (s.n < at + digits) return 0;
    memcpy(text, s.p + at, digits);
    *n = (uint32_t)strtoul(text, &end, 16);
    return !*end;
}

static int of_url(nytp_buf *out, nytp_str s) {
    while (s.n) {
        uint32_t c = 0;
        int is_coded = *s.p == '%';
        if (is_coded && !hex(s, 1, 2, &c)) return 0;
        if (!is_coded && !strchr("abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789-._~/", *s.p)) return 0;
        nytp_buf_byte(out, is_coded ? (unsigned char)c : (unsigned char)*s.p);
        s = behind(s, is_coded ? 3 : 1);
    }
    return 1;
}

/* Within quotes. */
static int of_dot(nytp_buf *out, nytp_str s) {
    while (s.n) {
        int is_coded = *s.p == '\\';
        if (*s.p == '"' || (is_coded && (s.n < 2 || !strchr("\"\\", s.p[1])))) return 0;
        nytp_buf_byte(out, (unsigned char)s.p[is_coded]);
        s = behind(s, is_coded ? 2 : 1);
    }
    return 1;
}

static int of_json(nytp_buf *out, nytp_str s) {
    while (s.n) {
        uint32_t c = 0;
        size_t n = take(s, &c);
        if (!n || c < 0x20 || c == '"') return 0;
        if (c == '\\') {
            const char *code = s.n > 1 ? strchr("\"\"\\\\//b\bf\fn\nr\rt\t", s.p[1]) : NULL;
            if (s.n > 1 && s.p[1] == 'u' && hex(s, 2, 4, &c) && c < 0x80) n = 6;
            else if (code && *code) c = (unsigned char)code[1], n = 2;
            else return 0;
            nytp_buf_byte(out, (unsigned char)c);
        } else nytp_buf_bytes(out, s.p, n);
        s = behind(s, n);
    }
    return 1;
}

static int of_bytes(nytp_buf *out, nytp_str s) {
    while (s.n) {
        uint32_t c = 0;
        int is_coded = *s.p == '\\';
        if (is_between((unsigned char)*s.p, 0x20, 0x7E) == 0 || (is_coded && (s.n < 2 || s.p[1] != 'x'))) return 0;
        if (is_coded && !hex(s, 2, 2, &c)) return 0;
        nytp_buf_byte(out, is_coded ? (unsigned char)c : (unsigned char)*s.p);
        s = behind(s, is_coded ? 4 : 1);
    }
    return 1;
}

/* ---- the functions, with what their decoded result is ---- */

static void terminal(nytp_buf *out, nytp_str s) { nytp_escape_terminal(out, s, 0); }
static void bytes(nytp_buf *out, nytp_str s) { nytp_buf_escaped(out, s, SIZE_MAX); }

static void line(nytp_buf *out, nytp_str s) { show(out, s, ""); }
static void lines(nytp_buf *out, nytp_str s) { show(out, s, "\n\t\f"); }
static void same(nytp_buf *out, nytp_str s) { nytp_buf_bytes(out, s.p, s.n); }

static void source(nytp_buf *out, nytp_str s) {
    if (s.n && s.p[s.n - 1] == '\n') s.n--;
    if (s.n && s.p[s.n - 1] == '\r') s.n--;
    show(out, s, "\t");
}

/* All characters are data. */
static void data(nytp_buf *out, nytp_str s) {
    for (size_t n; s.n; s = behind(s, n ? n : 1)) {
        uint32_t c;
        n = take(s, &c);
        show(out, (nytp_str){s.p, n ? 0 : 1}, "");
        nytp_buf_bytes(out, s.p, n);
    }
}

static const struct function {
    const char *name;
    void (*escape)(nytp_buf *out, nytp_str s);
    int (*decode)(nytp_buf *out, nytp_str s);
    void (*model)(nytp_buf *out, nytp_str s);
} functions[] = {
    {"html", nytp_escape_html, of_attribute, line},   {"source", nytp_escape_source, of_element, source},
    {"text", nytp_escape_text, copy, line},           {"terminal", terminal, copy, lines},
    {"url", nytp_escape_url, of_url, same},           {"dot", nytp_escape_dot, of_dot, line},
    {"json", nytp_escape_json, of_json, data},        {"bytes", bytes, of_bytes, same},
};

static int fails(const struct function *f, nytp_str s) {
    nytp_buf escaped = {0}, decoded = {0}, model = {0};
    f->escape(&escaped, s);
    f->model(&model, s);
    int is_fine = f->decode(&decoded, nytp_page_bytes(&escaped)) &&
                  nytp_str_eq(nytp_page_bytes(&decoded), nytp_page_bytes(&model));
    if (!is_fine) printf("# %s makes '%.*s'\n", f->name, (int)escaped.n, (const char *)escaped.p);
    nytp_buf_free(&escaped);
    nytp_buf_free(&decoded);
    nytp_buf_free(&model);
    return !is_fine;
}

/* ---- other functions ---- */

/* The characters of a masked text are those of the text, or question marks in the place of all their bytes. */
static int mask_fails(nytp_str s) {
    char text[LONGEST + 1] = "", all[LONGEST + 1];
    memcpy(text, s.p, s.n);
    memcpy(all, text, sizeof all);
    s = nytp_str_c(all);
    nytp_utf8_mask(text);
    for (size_t at = 0, n; at < s.n; at += n) {
        uint32_t c = (unsigned char)all[at];
        n = take(behind(s, at), &c);
        if (!n) n = 1;
        for (size_t i = at; i < at + n; i++)
            if (text[i] != (is_hidden(c) ? '?' : all[i])) return 1;
    }
    return strlen(text) != s.n;
}

/* A text in two pieces is the same as in one. */
static int cut_fails(nytp_str s) {
    nytp_buf whole = {0}, pieces = {0};
    size_t half = s.n / 2, cut = nytp_utf8_cut(s.p, half);
    nytp_escape_terminal(&whole, s, 0);
    nytp_escape_terminal(&pieces, (nytp_str){s.p, half - cut}, 0);
    nytp_escape_terminal(&pieces, behind(s, half - cut), 0);
    int differ = !nytp_str_eq(nytp_page_bytes(&whole), nytp_page_bytes(&pieces));
    nytp_buf_free(&whole);
    nytp_buf_free(&pieces);
    return differ;
}

/* A frame has no separator and no control character, and does not end with what would be the number of its path. */
static int frame_fails(nytp_str s) {
    nytp_buf out = {0};
    nytp_names_frame(&out, &(nytp_sub){.name = s});
    nytp_str name = nytp_page_bytes(&out);
    size_t at = name.n;
    int is_bad = name.n != s.n;
    for (size_t i = 0; i < name.n; i++) is_bad |= (unsigned char)name.p[i] < ' ' || name.p[i] == ';';
    while (at && strchr("0123456789.", name.p[at - 1])) at--;
    is_bad |= name.n && (name.p[0] == ' ' || (at && name.p[at - 1] == ' '));
    nytp_buf_free(&out);
    return is_bad;
}

/* A page's name is a name in every file system, and for a terminal that lists it. */
static int page_fails(nytp_str s) {
    nytp_file files[2] = {{.fid = 0}, {.name = s, .fid = 1}};
    nytp_profile p = {.files = files, .files_n = 2};
    nytp_buf out = {0};
    nytp_names_page(&out, &p, 1, "line");
    int is_bad = !nytp_str_ends(nytp_page_bytes(&out), NYTP_LIT("-1-line"));
    for (nytp_str name = nytp_page_bytes(&out); name.n;) {
        uint32_t c = (unsigned char)name.p[0];
        size_t n = take(name, &c);
        is_bad |= is_hidden(c) || (c < 0x80 && strchr("/\\:*?\"'<>|.", (int)c));
        name = behind(name, n ? n : 1);
    }
    nytp_buf_free(&out);
    return is_bad;
}

static int all_fails(nytp_str s) {
    int failed = 0;
    for (size_t i = 0; i < sizeof functions / sizeof *functions; i++) failed |= fails(&functions[i], s) << i;
    return failed | mask_fails(s) << 20 | cut_fails(s) << 21 | frame_fails(s) << 22 | page_fails(s) << 23;
}

/* ---- texts ---- */

static uint64_t state = 12;

static uint32_t chance(uint32_t below) {
    state = state * UINT64_C(6364136223846793005) + 1442695040888963407u;
    return (uint32_t)(state >> 33) % below;
}

/* A character: of any plane, one that means something somewhere, or a byte. */
static size_t put_random(char *to) {
    static const char special[] = "\"'\\<>&%/;:{}\n\t\r\f\b =+-@()[]09.\x1B";
    static const uint32_t edges[] = {0x7F, 0x80, 0x9B, 0xA0, 0x61C, 0x7FF, 0x800, 0x200E, 0x2028, 0x202E, 0x2069,
                                     0xD7FF, 0xE000, 0xFEFF, 0xFFFD, 0xFFFF, 0x10000, 0x1F42A, 0xE0041, 0x10FFFF};
    uint32_t kind = chance(4), c = kind == 2 ? edges[chance(sizeof edges / sizeof *edges)] : 0x80 + chance(0x30000);
    if (kind == 0) return to[0] = (char)chance(256), 1;
    if (kind == 1) return to[0] = special[chance(sizeof special)], 1;
    size_t n = c < 0x80 ? 1 : c < 0x800 ? 2 : c < 0x10000 ? 3 : 4;
    for (size_t i = n - 1; i; i--, c >>= 6) to[i] = (char)(0x80 | (c & 0x3F));
    to[0] = (char)(n == 1 ? c : (0xF00u >> n & 0xFF) | c);
    return n;
}

static nytp_str random_text(char *room) {
    size_t n = 0, wanted = chance(LONGEST - 4);
    while (n < wanted) n += put_random(room + n);
    return (nytp_str){room, n};
}

static void check(const char *what, uint32_t texts, nytp_str (*text)(char *room, uint32_t number)) {
    char room[LONGEST + 8];
    uint32_t failures = 0;
    for (uint32_t i = 0; i < texts && failures < 5; i++) {
        nytp_str s = text(room, i);
        int failed = all_fails(s);
        if (failed) failures++, printf("# text %u, functions %X\n", (unsigned)i, (unsigned)failed);
    }
    is(failures, 0, what);
}

static nytp_str byte_of(char *room, uint32_t i) { return room[0] = (char)i, (nytp_str){room, 1}; }
static nytp_str pair_of(char *room, uint32_t i) {
    room[0] = (char)(i >> 8);
    room[1] = (char)i;
    return (nytp_str){room, 2};
}
static nytp_str four_of(char *room, uint32_t i) {
    memset(room, 0x80, 4);
    return pair_of(room, i), (nytp_str){room, 4};
}
static nytp_str character(char *room, uint32_t i) {
    uint32_t c = i + 0x80;
    size_t n = c < 0x800 ? 2 : c < 0x10000 ? 3 : 4;
    for (size_t k = n - 1; k; k--, c >>= 6) room[k] = (char)(0x80 | (c & 0x3F));
    room[0] = (char)((0xF00u >> n & 0xFF) | c);
    return (nytp_str){room, n};
}
static nytp_str any(char *room, uint32_t i) { return (void)i, random_text(room); }

int main(void) {
    check("all bytes", 256, byte_of);
    check("all pairs of bytes", 65536, pair_of);
    check("all pairs with two bytes behind that may end a character", 65536, four_of);
    check("all sequences of the basic plane, surrogates and others", 0x10000 - 0x80, character);
    check("random texts", TEXTS, any);

    nytp_buf out = {0};
    const nytp_str shown = NYTP_LIT("\033[31mred\033[0m \033[1;31;m\\x1B[2J\\x1B[31\\x1B[\\x1B]0;t\\x07");
    nytp_escape_terminal(&out, NYTP_LIT("\033[31mred\033[0m \033[1;31;m\033[2J\033[31\033[\033]0;t\a"), 1);
    ok(nytp_str_eq(nytp_page_bytes(&out), shown), "a report's own colours, and no other sequence");
    nytp_buf_free(&out);
    return done();
}
