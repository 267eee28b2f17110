/* SPDX-License-Identifier: MIT */
/* comments.c - finds comments and documentation that are whole lines.
 *
 * A comment behind code and a string would take a parser: what looks like one may be part of a regular expression or of
 * a here-document, and a wrong colour is worse than none. A line that ran is no comment, whatever it looks like. */
#include "pages/comments.h"

#include <ctype.h>
#include <stdlib.h>

#include "model/language.h"
#include "model/source.h"

typedef struct reader {
    const nytp_profile *p;
    const nytp_file *f;
    nytp_str other; /* text that begins a comment, as the front end said; else empty */
    int is_lua, in_pod;
    size_t level; /* of the long comment --[==[ that is open, plus 1; 0: none is */
} reader;

static nytp_str skip_blanks(nytp_str s) {
    while (s.n && (*s.p == ' ' || *s.p == '\t')) s = (nytp_str){s.p + 1, s.n - 1};
    return s;
}

static int is_cut(nytp_str line) {
    nytp_str cut = NYTP_LIT("=cut");
    return nytp_str_starts(line, cut) && (line.n == cut.n || !isalnum((unsigned char)line.p[cut.n]));
}

static enum nytp_comment read_perl(reader *r, nytp_str line) {
    if (!r->in_pod && (line.n < 2 || line.p[0] != '=' || !isalpha((unsigned char)line.p[1])))
        return nytp_str_starts(skip_blanks(line), NYTP_LIT("#")) ? NYTP_COMMENT_LINE : NYTP_COMMENT_NONE;
    r->in_pod = !is_cut(line);
    return NYTP_COMMENT_DOCUMENTATION;
}

/* At the two brackets of [==[ or ]==]: number of = between them, plus 1; 0: no brackets. */
static size_t long_bracket(nytp_str s, char bracket) {
    size_t i = 1;
    if (!s.n || s.p[0] != bracket) return 0;
    while (i < s.n && s.p[i] == '=') i++;
    return i < s.n && s.p[i] == bracket ? i : 0;
}

static int closes(nytp_str line, size_t level) {
    for (size_t i = 0; i < line.n; i++)
        if (long_bracket((nytp_str){line.p + i, line.n - i}, ']') == level) return 1;
    return 0;
}

static enum nytp_comment read_lua(reader *r, nytp_str line) {
    if (!r->level) {
        line = skip_blanks(line);
        if (!nytp_str_starts(line, NYTP_LIT("--"))) return NYTP_COMMENT_NONE;
        r->level = long_bracket((nytp_str){line.p + 2, line.n - 2}, '[');
    }
    if (r->level && closes(line, r->level)) r->level = 0;
    return NYTP_COMMENT_LINE;
}

static enum nytp_comment read_line(reader *r, uint32_t line) {
    nytp_str text = nytp_source_line(r->p, r->f, line);
    if (nytp_profile_line(r->f, NYTP_LEVEL_LINE, line)) {
        *r = (reader){.p = r->p, .f = r->f, .is_lua = r->is_lua, .other = r->other};
        return NYTP_COMMENT_NONE;
    }
    if (!text.p) return NYTP_COMMENT_NONE;
    if (r->other.n) return nytp_str_starts(skip_blanks(text), r->other) ? NYTP_COMMENT_LINE : NYTP_COMMENT_NONE;
    return r->is_lua ? read_lua(r, text) : read_perl(r, text);
}

unsigned char *nytp_comments_find(const nytp_profile *p, const nytp_file *f) {
    const nytp_process *process = nytp_language_process(p, f->process);
    reader r = {.p = p, .f = f, .is_lua = process && process->id.front_end == NYTP_FRONT_LUA};
    if (process) r.other = process->language.comment;
    unsigned char *kinds = malloc(f->source_lines + 1u);
    for (uint32_t line = 1; kinds && line <= f->source_lines; line++)
        kinds[line - 1] = (unsigned char)read_line(&r, line);
    return kinds;
}
