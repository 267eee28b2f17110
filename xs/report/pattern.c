/* SPDX-License-Identifier: MIT */
/* pattern.c - regular expressions for names. */
#include "report/pattern.h"

#include <regex.h>
#include <string.h>

#include "base/buf.h"
#include "report/names.h"

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
        if (!part || regcomp(&compiled, part, REG_EXTENDED | REG_NOSUB)) continue;
        regfree(&compiled);
        return n + 1;
    }
    return 1;
}

static enum nytp_code compile(regex_t *compiled, const char *filter, nytp_error *e) {
    char why[200];
    nytp_buf text = {0};
    int code = regcomp(compiled, filter, REG_EXTENDED | REG_NOSUB);
    if (!code) return NYTP_OK;
    regerror(code, compiled, why, sizeof why);
    nytp_error_set(e, NYTP_USAGE, "--filter: expected a regular expression, got '%s': %s, at character %zu", filter,
                   why, place_of_mistake(filter, &text));
    nytp_buf_free(&text);
    return e->code;
}

enum nytp_code nytp_pattern_check(const char *pattern, nytp_error *e) {
    regex_t compiled;
    if (!compile(&compiled, pattern, e)) regfree(&compiled);
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
    if (compile(&compiled, pattern, e)) return e->code;
    for (uint32_t i = 0; i < p->subs_n && !text.failed; i++)
        if (marks[i]) marks[i] = is_match(&compiled, p, &p->subs[i], &text, &shown) != 0;
    regfree(&compiled);
    nytp_buf_done(&shown, &text);
    if (text.failed) nytp_error_set(e, NYTP_NOMEM, "out of memory");
    nytp_buf_free(&text);
    return e->code;
}
