/* SPDX-License-Identifier: MIT */
/* pattern.c - regular expressions for names. */
#include "report/pattern.h"

#include <regex.h>
#include <string.h>

#include "base/buf.h"
#include "report/names.h"

/* The C library makes a copy of what a repetition repeats, and of repetitions of repetitions more than fit into memory
 * (+ doubles it, {n} has n): so there is a limit of characters, and of all copies. */
#define MOST NYTP_PATTERN_MOST

typedef struct size {
    size_t before, last; /* copies of all that stands before the last item, and of that */
} size;

static size_t copies(size_t of, size_t times) { return !times ? of : of > MOST / times ? MOST + 1 : of * times; }

static size_t sum(size s) { return s.before + s.last > MOST ? MOST + 1 : s.before + s.last; }

/* Behind a bracket expression's end, or the end of the text. */
static const char *skip_bracket(const char *p) {
    p += p[1] == '^';
    if (*++p == ']') p++;
    for (; *p && *p != ']'; p++) {
        int is_class = *p == '[' && p[1] && strchr(":.=", p[1]);
        for (const char *at = p + 2; is_class && *at; at++)
            if (at[0] == p[1] && at[1] == ']') {
                p = at + 1;
                break;
            }
    }
    return *p ? p + 1 : p;
}

static size_t number(const char **p) {
    size_t n = 0;
    for (; **p >= '0' && **p <= '9'; ++*p) n = n > MOST ? n : 10 * n + (size_t)(**p - '0');
    return n;
}

/* Copies made by the repetition at *p, which moves behind it; 0: there is none. */
static size_t repetitions(const char **p) {
    size_t least, most;
    switch (*(*p)++) {
    case '+': return 2;
    case '*':
    case '?': return 1;
    case '{':
        least = number(p), most = least;
        if (**p == ',') ++*p, most = number(p);
        if (**p == '}') ++*p;
        return 1 + (most > least ? most : least);
    }
    --*p;
    return 0;
}

static const char *skip_item(const char *p) {
    if (*p == '[') return skip_bracket(p);
    return *p == '\\' && p[1] ? p + 2 : p + 1;
}

int nytp_pattern_is_large(const char *filter) {
    size open[MOST + 1] = {{0, 1}};
    size_t depth = 0, times;
    if (strlen(filter) > MOST) return 1;
    for (const char *p = filter; *p && sum(open[depth]) <= MOST;) {
        size *s = &open[depth];
        if ((times = repetitions(&p)) > 0) {
            s->last = copies(s->last, times);
        } else if (*p == '(') {
            open[++depth] = (size){0, 1};
            p++;
        } else if (*p == ')' && depth) {
            open[depth - 1] = (size){sum(open[depth - 1]), sum(*s)};
            depth--;
            p++;
        } else {
            *s = (size){sum(*s), 1};
            p = skip_item(p);
        }
    }
    return sum(open[depth]) > MOST;
}

/* A name for regexec, which wants a string: NUL in it becomes '?'. */
static const char *string_of(nytp_buf *text, nytp_str name) {
    nytp_buf_rewind(text);
    for (size_t i = 0; i < name.n; i++) nytp_buf_byte(text, name.p[i] ? (unsigned char)name.p[i] : '?');
    nytp_buf_byte(text, '\0');
    return text->failed ? NULL : (const char *)text->p;
}

/* From 1: behind the longest beginning that is an expression. */
static size_t place_of_mistake(const char *filter, nytp_buf *text) {
    for (size_t n = strlen(filter); n > 0; n--) {
        regex_t compiled;
        const char *part = string_of(text, (nytp_str){filter, n});
        if (!part || nytp_pattern_is_large(part) || regcomp(&compiled, part, REG_EXTENDED | REG_NOSUB)) continue;
        regfree(&compiled);
        return n + 1;
    }
    return 1;
}

static enum nytp_code compile(regex_t *compiled, const char *option, const char *filter, nytp_error *e) {
    char why[200];
    nytp_buf text = {0};
    if (nytp_pattern_is_large(filter))
        return nytp_error_set(e, NYTP_USAGE, "%s: expected a regular expression of at most %d characters, copies "
                              "by + and {} included", option, MOST);
    int code = regcomp(compiled, filter, REG_EXTENDED | REG_NOSUB);
    if (!code) return NYTP_OK;
    regerror(code, compiled, why, sizeof why);
    nytp_error_set(e, NYTP_USAGE, "%s: expected a regular expression, got '%s': %s, at character %zu", option, filter,
                   why, place_of_mistake(filter, &text));
    nytp_buf_free(&text);
    return e->code;
}

enum nytp_code nytp_pattern_check(const char *option, const char *pattern, nytp_error *e) {
    regex_t compiled;
    if (!compile(&compiled, option, pattern, e)) regfree(&compiled);
    return e->code;
}

/* Both the name in full and the one that reports print count. */
static int is_match(const regex_t *compiled, const nytp_profile *p, const nytp_sub *sub, nytp_buf *text,
                    nytp_buf *shown) {
    const char *name = string_of(text, sub->name);
    if (name && regexec(compiled, name, 0, NULL, 0) == 0) return 1;
    name = string_of(text, nytp_names_shown(shown, p, sub));
    return name && regexec(compiled, name, 0, NULL, 0) == 0;
}

enum nytp_code nytp_pattern_keep(unsigned char *marks, const nytp_profile *p, const char *pattern, nytp_error *e) {
    regex_t compiled;
    nytp_buf text = {0}, shown = {0};
    if (compile(&compiled, "--filter", pattern, e)) return e->code;
    for (uint32_t i = 0; i < p->subs_n && !text.failed; i++)
        if (marks[i]) marks[i] = is_match(&compiled, p, &p->subs[i], &text, &shown) != 0;
    regfree(&compiled);
    nytp_buf_done(&shown, &text);
    if (text.failed) nytp_error_set(e, NYTP_NOMEM, "out of memory");
    nytp_buf_free(&text);
    return e->code;
}
