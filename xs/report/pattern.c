/* SPDX-License-Identifier: MIT */
/* pattern.c - regular expressions for names. */
#include "report/pattern.h"

#include <regex.h>
#include <string.h>

#include "base/buf.h"
#include "report/names.h"

/* The C library makes a copy of what a repetition repeats, and of repetitions of repetitions more than fit into memory
 * (+ doubles it, {n} has n): so there is a limit of characters, and of all copies. It may also go each of the ways in
 * which an expression matches nothing, of which a? has one, a?? two and twenty of these a million: there is the same
 * limit of ways. */
#define MOST NYTP_PATTERN_MOST

typedef struct part {
    size_t copies; /* of characters */
    size_t ways;   /* not fewer than those to match nothing, in any part of it */
    int is_empty;  /* 1: it may match nothing */
} part;

typedef struct group {
    part others, before, last; /* its earlier alternatives; all that stands before the last item, and that */
} group;

typedef struct repetition {
    size_t least, most, copies;
    int is_endless;
} repetition;

static const group new_group = {{0, 0, 0}, {0, 1, 1}, {1, 1, 1}};

static size_t product(size_t a, size_t b) { return !b ? a : a > MOST / b ? MOST + 1 : a * b; }

static size_t sum(size_t a, size_t b) { return a + b > MOST ? MOST + 1 : a + b; }

static part both(part a, part b) {
    return (part){sum(a.copies, b.copies), product(a.ways, b.ways), a.is_empty && b.is_empty};
}

static part either(part a, part b) {
    size_t ways = a.is_empty && b.is_empty ? sum(a.ways, b.ways) : a.ways > b.ways ? a.ways : b.ways;
    return (part){sum(a.copies, b.copies), ways, a.is_empty || b.is_empty};
}

static part whole(const group *g) { return either(g->others, both(g->before, g->last)); }

static int is_too_large(part p) { return p.copies > MOST || p.ways > MOST; }

/* X{2,4} is XX(X(X)?)?, and X+ is XX*. The C library doubles its work for each of the stars of X******. */
static part repeated(part of, repetition r) {
    size_t ways = r.is_endless ? sum(product(2, of.ways), 1) : 1;
    for (size_t i = r.least; i < r.most && ways <= MOST; i++) ways = sum(product(ways, of.ways), 1);
    for (size_t i = 0; i < r.least && ways <= MOST; i++) ways = product(ways, of.ways);
    return (part){product(of.copies, r.copies), of.is_empty ? ways : of.ways, of.is_empty || !r.least};
}

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

/* Whether there is one at *p, which moves behind it. */
static int is_repetition(const char **p, repetition *r) {
    switch (*(*p)++) {
    case '+': return *r = (repetition){1, 1, 2, 1}, 1;
    case '*': return *r = (repetition){0, 0, 1, 1}, 1;
    case '?': return *r = (repetition){0, 1, 1, 0}, 1;
    case '{':
        r->least = number(p), r->most = r->least, r->is_endless = 0;
        if (**p == ',') ++*p, r->is_endless = **p == '}', r->most = number(p);
        if (**p == '}') ++*p;
        if (r->most < r->least) r->most = r->least;
        return r->copies = 1 + r->most, 1;
    }
    --*p;
    return 0;
}

static const char *skip_item(const char *p) {
    if (*p == '[') return skip_bracket(p);
    return *p == '\\' && p[1] ? p + 2 : p + 1;
}

int nytp_pattern_is_large(const char *filter) {
    group open[MOST + 1], *g = open;
    repetition r;
    if (strlen(filter) > MOST) return 1;
    *g = new_group;
    for (const char *p = filter; *p && !is_too_large(whole(g));) {
        if (is_repetition(&p, &r)) {
            g->last = repeated(g->last, r);
        } else if (*p == '(') {
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
            *g = (group){g->others, both(g->before, g->last), {1, 1, 0}};
            p = skip_item(p);
        }
    }
    return is_too_large(whole(g));
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
        if (!beginning || nytp_pattern_is_large(beginning) ||
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
    if (nytp_pattern_is_large(filter))
        return nytp_error_set(e, NYTP_USAGE, "%s: expected a regular expression of at most %d characters, copies "
                              "by + and {} included, and ways to match nothing", option, MOST);
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
