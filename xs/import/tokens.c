/* SPDX-License-Identifier: MIT */
/* tokens.c - a reader of JSON in memory. */
#include "import/tokens.h"

/* What may be next at a depth: the first element or the end; the value of a member, or the whole text; a comma or the
 * end. */
enum { FIRST, VALUE, COMMA };

#define LARGEST (INT64_C(1) << 62)

nytp_tokens nytp_tokens_begin(nytp_str text) { return (nytp_tokens){.rest = text, .line = 1, .state = {VALUE}}; }

static enum nytp_token refuse(nytp_tokens *t, const char *expected) {
    if (!t->wrong) t->wrong = expected;
    return NYTP_TOKEN_WRONG;
}

static void step(nytp_tokens *t, size_t n) {
    t->rest.p += n;
    t->rest.n -= n;
}

static char look(const nytp_tokens *t) {
    if (!t->rest.n) return 0;
    return *t->rest.p;
}

static char skip_blanks(nytp_tokens *t) {
    for (char c; (c = look(t)) == ' ' || c == '\n' || c == '\r' || c == '\t'; step(t, 1)) t->line += c == '\n';
    return look(t);
}

/* ---- strings ---- */

/* Four digits of \uXXXX; -1: they are none. */
static int32_t hex_of(nytp_str s) {
    int32_t code = s.n < 4 ? -1 : 0;
    for (int i = 0; i < 4 && code >= 0; i++) {
        char c = s.p[i], low = (char)(c | 32);
        int digit = c >= '0' && c <= '9' ? c - '0' : low >= 'a' && low <= 'f' ? low - 'a' + 10 : -1;
        code = digit < 0 ? -1 : code * 16 + digit;
    }
    return code;
}

static void put_utf8(nytp_buf *out, uint32_t code) {
    if (code < 0x80) nytp_buf_byte(out, (unsigned char)code);
    else if (code < 0x800) nytp_buf_byte(out, (unsigned char)(0xC0 | code >> 6));
    else if (code < 0x10000) nytp_buf_byte(out, (unsigned char)(0xE0 | code >> 12));
    else nytp_buf_byte(out, (unsigned char)(0xF0 | code >> 18));
    if (code >= 0x10000) nytp_buf_byte(out, (unsigned char)(0x80 | (code >> 12 & 63)));
    if (code >= 0x800) nytp_buf_byte(out, (unsigned char)(0x80 | (code >> 6 & 63)));
    if (code >= 0x80) nytp_buf_byte(out, (unsigned char)(0x80 | (code & 63)));
}

/* Behind \u: a code, or two that are halves of one. A half of none becomes U+FFFD. */
static int put_code(nytp_tokens *t) {
    int32_t code = hex_of(t->rest), low = -1;
    if (code < 0) return 0;
    step(t, 4);
    int is_high = code >= 0xD800 && code < 0xDC00;
    if (is_high && nytp_str_starts(t->rest, NYTP_LIT("\\u"))) low = hex_of((nytp_str){t->rest.p + 2, t->rest.n - 2});
    if (low >= 0xDC00 && low < 0xE000) {
        step(t, 6);
        code = 0x10000 + ((code - 0xD800) << 10) + (low - 0xDC00);
    } else if (code >= 0xD800 && code < 0xE000) code = 0xFFFD;
    put_utf8(&t->text, (uint32_t)code);
    return 1;
}

static int put_escape(nytp_tokens *t) {
    static const char names[] = "\"\\/bfnrt", bytes[] = "\"\\/\b\f\n\r\t";
    char c = look(t);
    const char *at = c ? strchr(names, c) : NULL;
    if (t->rest.n) step(t, 1);
    if (at) nytp_buf_byte(&t->text, (unsigned char)bytes[at - names]);
    return at || (c == 'u' && put_code(t));
}

/* A string without escapes is borrowed from the text. */
static enum nytp_token take_string(nytp_tokens *t, enum nytp_token as) {
    nytp_buf_clear(&t->text);
    step(t, 1);
    for (;;) {
        size_t n = 0;
        while (n < t->rest.n && t->rest.p[n] != '"' && t->rest.p[n] != '\\' && (unsigned char)t->rest.p[n] >= ' ') n++;
        int is_end = n < t->rest.n && t->rest.p[n] == '"', is_whole = is_end && !t->text.n;
        t->value = (nytp_str){t->rest.p, n};
        if (!is_whole) nytp_buf_bytes(&t->text, t->rest.p, n);
        step(t, n);
        if (is_end) step(t, 1);
        if (is_end && !is_whole) t->value = (nytp_str){(const char *)t->text.p, t->text.n};
        if (is_end) return t->text.failed ? refuse(t, "memory for a string") : as;
        if (look(t) != '\\') return refuse(t, "the end of a string");
        step(t, 1);
        if (!put_escape(t)) return refuse(t, "a character that may be behind a backslash");
    }
}

/* ---- numbers and words ---- */

static size_t digits(nytp_str s, size_t from) {
    size_t n = from;
    while (n < s.n && s.p[n] >= '0' && s.p[n] <= '9') n++;
    return n - from;
}

static enum nytp_token take_number(nytp_tokens *t) {
    nytp_str s = t->rest;
    size_t n = look(t) == '-', whole = digits(s, n), more = 1;
    n += whole;
    if (n < s.n && s.p[n] == '.') more = digits(s, n + 1), n += 1 + more;
    if (more && n < s.n && (s.p[n] | 32) == 'e') {
        n += 1 + (n + 1 < s.n && (s.p[n + 1] == '-' || s.p[n + 1] == '+'));
        more = digits(s, n), n += more;
    }
    if (!whole || !more) return refuse(t, "a number");
    t->value = (nytp_str){s.p, n};
    step(t, n);
    return NYTP_TOKEN_NUMBER;
}

static enum nytp_token take_word(nytp_tokens *t) {
    static const nytp_str words[] = {{"true", 4}, {"false", 5}, {"null", 4}};
    for (size_t i = 0; i < 3; i++) {
        if (!nytp_str_starts(t->rest, words[i])) continue;
        t->value = words[i];
        step(t, words[i].n);
        return NYTP_TOKEN_WORD;
    }
    return refuse(t, "a value");
}

int nytp_tokens_thousandths(nytp_str number, int64_t *n) {
    int is_below = number.n && number.p[0] == '-', places = -1;
    int64_t sum = 0;
    for (size_t i = (size_t)is_below; i < number.n && places < 3; i++) {
        char c = number.p[i];
        if (c == '.') places = 0;
        else if (c < '0' || c > '9' || sum >= LARGEST / 10) return 0;
        else sum = 10 * sum + (c - '0'), places += places >= 0;
    }
    for (places = places < 0 ? 0 : places; places < 3; places++) {
        if (sum >= LARGEST / 10) return 0;
        sum *= 10;
    }
    *n = is_below ? -sum : sum;
    return !memchr(number.p, 'e', number.n) && !memchr(number.p, 'E', number.n);
}

/* ---- tokens ---- */

static enum nytp_token open_one(nytp_tokens *t, int is_object) {
    if (t->depth == NYTP_TOKENS_DEEPEST) return refuse(t, "less depth");
    step(t, 1);
    t->depth++;
    t->is_object[t->depth] = (uint8_t)is_object;
    t->state[t->depth] = FIRST;
    return is_object ? NYTP_TOKEN_OBJECT : NYTP_TOKEN_ARRAY;
}

static enum nytp_token take_value(nytp_tokens *t, char c) {
    t->state[t->depth] = COMMA;
    if (c == '{' || c == '[') return open_one(t, c == '{');
    if (c == '"') return take_string(t, NYTP_TOKEN_STRING);
    return c == '-' || (c >= '0' && c <= '9') ? take_number(t) : take_word(t);
}

static enum nytp_token take_name(nytp_tokens *t, char c) {
    if (c != '"') return refuse(t, "a name in quotes");
    if (take_string(t, NYTP_TOKEN_NAME) == NYTP_TOKEN_WRONG) return NYTP_TOKEN_WRONG;
    if (skip_blanks(t) != ':') return refuse(t, "a colon");
    step(t, 1);
    t->state[t->depth] = VALUE;
    return NYTP_TOKEN_NAME;
}

enum nytp_token nytp_tokens_next(nytp_tokens *t) {
    if (t->wrong) return NYTP_TOKEN_WRONG;
    char c = skip_blanks(t), close = t->is_object[t->depth] ? '}' : ']';
    uint8_t *state = &t->state[t->depth];
    if (!t->depth && *state == COMMA) return t->rest.n ? refuse(t, "the end of the file") : NYTP_TOKEN_END;
    if (t->depth && c == close && (*state == FIRST || *state == COMMA)) {
        step(t, 1);
        t->depth--;
        return NYTP_TOKEN_CLOSED;
    }
    if (*state == COMMA) {
        if (c != ',') return refuse(t, close == '}' ? "a comma or }" : "a comma or ]");
        step(t, 1);
        c = skip_blanks(t);
    }
    return t->is_object[t->depth] && *state != VALUE ? take_name(t, c) : take_value(t, c);
}

enum nytp_token nytp_tokens_skip(nytp_tokens *t, enum nytp_token first) {
    enum nytp_token token = first;
    if (first != NYTP_TOKEN_OBJECT && first != NYTP_TOKEN_ARRAY) return first;
    for (uint32_t depth = t->depth; token != NYTP_TOKEN_WRONG && t->depth >= depth;) token = nytp_tokens_next(t);
    return token;
}

void nytp_tokens_free(nytp_tokens *t) { nytp_buf_free(&t->text); }
