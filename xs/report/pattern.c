/* SPDX-License-Identifier: MIT */
/* pattern.c - regular expressions for names. */
#include "report/pattern.h"

#include <regex.h>
#include <string.h>

#include "base/buf.h"
#include "report/names.h"

/* The C library makes a copy of what a repetition repeats, and of repetitions of repetitions more than fit into memory
 * (+ doubles it, {n} has n): so there is a limit of characters, and of all copies. It may also go each of the ways in
 * which an expression matches nothing: (\b|^) has two, ten of them in a row 1024, and there is the same limit of them.
 * Where what may match nothing is repeated glibc 2.36 tries every order of these ways, or without an end to tell what a
 * group has matched: (|\<a)+ */
#define MOST 1000
#define LARGE "at most 1000 characters, copies by + and {} included, and ways to match nothing"

typedef struct part {
    size_t copies;   /* of characters */
    size_t ways;     /* to match nothing, in any part of it; not fewer than there are */
    int is_empty;    /* 1: it may match nothing */
    int is_repeated; /* 1: a repetition in it repeats what may match nothing */
} part;

typedef struct group {
    part others, before, last; /* its earlier alternatives; all that stands before the last item, and that */
} group;

static const group new_group = {{0, 0, 0, 0}, {0, 1, 1, 0}, {1, 1, 1, 0}};

static size_t product(size_t a, size_t b) { return !b ? a : a > MOST / b ? MOST + 1 : a * b; }

static size_t sum(size_t a, size_t b) { return a + b > MOST ? MOST + 1 : a + b; }

static part both(part a, part b) {
    return (part){sum(a.copies, b.copies), product(a.ways, b.ways), a.is_empty && b.is_empty,
                  a.is_repeated || b.is_repeated};
}

static part either(part a, part b) {
    size_t ways = a.is_empty && b.is_empty ? sum(a.ways, b.ways) : a.ways > b.ways ? a.ways : b.ways;
    return (part){sum(a.copies, b.copies), ways, a.is_empty || b.is_empty, a.is_repeated || b.is_repeated};
}

static part whole(const group *g) { return either(g->others, both(g->before, g->last)); }

static int is_too_large(part p) { return p.copies > MOST || p.ways > MOST; }

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

/* Whether there is a repetition at *p, which moves behind it; makes of the last item what it repeats that to. */
static int repeat(part *last, const char **p) {
    const char *at = *p;
    size_t copies = 1, least = 0, most = 0;
    switch (*at++) {
    case '+': copies = 2, least = 1; break;
    case '*': case '?': break;
    case '{':
        most = least = number(&at);
        if (*at == ',') ++at, most = number(&at);
        if (*at == '}') ++at;
        copies = 1 + (most > least ? most : least);
        break;
    default: return 0;
    }
    *last = (part){product(last->copies, copies), last->ways, last->is_empty || !least,
                   last->is_repeated || last->is_empty};
    *p = at;
    return 1;
}

/* Matches nothing, at some places only. */
static int is_anchor(const char *p) {
    return *p == '^' || *p == '$' || (*p == '\\' && p[1] && strchr("bB<>`'", p[1]));
}

static const char *skip_item(const char *p) {
    if (*p == '[') return skip_bracket(p);
    return *p == '\\' && p[1] ? p + 2 : p + 1;
}

static const char *fault_of(part p) {
    return p.is_repeated ? "no repetition of what may match nothing"
           : is_too_large(p) ? LARGE
                             : NULL;
}

const char *nytp_pattern_fault(const char *pattern) {
    group open[MOST + 1], *g = open;
    const char *fault = NULL;
    if (strlen(pattern) > MOST) return LARGE;
    *g = new_group;
    for (const char *p = pattern; *p && !(fault = fault_of(whole(g)));) {
        if (repeat(&g->last, &p)) continue;
        if (*p == '(') {
            *++g = new_group;
            p++;
        } else if (*p == ')' && g > open) {
            part inner = whole(g--);
            *g = (group){g->others, both(g->before, g->last), inner};
            p++;
        } else if (*p == '|') {
            *g = (group){whole(g), new_group.before, new_group.last};
            p++;
        } else {
            *g = (group){g->others, both(g->before, g->last), {1, 1, is_anchor(p), 0}};
            p = skip_item(p);
        }
    }
    return fault ? fault : fault_of(whole(g));
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
        const char *beginning = string_of(text, (nytp_str){filter, n});
        if (!beginning || nytp_pattern_fault(beginning) ||
            regcomp(&compiled, beginning, REG_EXTENDED | REG_NOSUB))
            continue;
        regfree(&compiled);
        return n + 1;
    }
    return 1;
}

static enum nytp_code compile(regex_t *compiled, const char *option, const char *filter, nytp_error *e) {
    char why[200];
    nytp_buf text = {0};
    const char *fault = nytp_pattern_fault(filter);
    if (fault) return nytp_error_set(e, NYTP_USAGE, "%s: expected a regular expression with %s", option, fault);
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
