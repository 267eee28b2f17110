/* SPDX-License-Identifier: MIT */
/* directive.c - lines of a text renumbered and renamed by `# line N "name"`. */
#include "perl/directive.h"

#include <stdlib.h>
#include <string.h>

nytp_str nytp_directive_cut_line(nytp_str *rest) {
    const char *newline = rest->n ? (const char *)memchr(rest->p, '\n', rest->n) : NULL;
    nytp_str line = {rest->p, newline ? (size_t)(newline - rest->p) + 1 : rest->n};
    if (line.n) rest->p += line.n;
    rest->n -= line.n;
    return line;
}

/* ---- one line ---- */

typedef struct directive {
    uint64_t line;
    nytp_str name; /* empty: as before */
} directive;

static int is_in(const char *set, char c) { return c && strchr(set, c) != NULL; }

static const char *skip(const char *p, const char *end, const char *set) {
    while (p < end && is_in(set, *p)) p++;
    return p;
}

/* NULL if there is no number that perl accepts: without leading zeros, of at most 19 digits. */
static const char *parse_number(const char *p, const char *end, uint64_t *number) {
    const char *first = p;
    for (*number = 0; p < end && *p >= '0' && *p <= '9'; p++) {
        if (p - first == 19) return NULL;
        *number = *number * 10 + (uint64_t)(*p - '0');
    }
    return p == first || (*first == '0' && p > first + 1) ? NULL : p;
}

/* A name ends with its quote, or where there is white space. Returns the rest. */
static const char *parse_name(const char *p, const char *end, nytp_str *name) {
    const char *quote = p < end && *p == '"' ? (const char *)memchr(p + 1, '"', (size_t)(end - p - 1)) : NULL;
    const char *name_end = quote ? quote : p;
    if (quote) p++;
    while (!quote && name_end < end && !is_in(" \t\r\n\f\v", *name_end)) name_end++;
    *name = (nytp_str){p, (size_t)(name_end - p)};
    return quote ? quote + 1 : name_end;
}

/* perl's lexer is stricter than the pattern in perlsyn, and knows white space that it does not name. */
static int parse(nytp_str line, directive *d) {
    const char *p = line.p, *end = line.p + line.n;
    if (!line.n || *p != '#') return 0;
    p = skip(p + 1, end, " \t");
    if (end - p < 6 || memcmp(p, "line", 4) != 0 || !is_in(" \t", p[4])) return 0;
    p = parse_number(skip(p + 4, end, " \t"), end, &d->line);
    if (!p || (p < end && !is_in(" \t\r\n", *p))) return 0;
    p = parse_name(skip(p, end, " \t"), end, &d->name);
    p = skip(p, end, " \t\r\f");
    return p == end || *p == '\n';
}

int nytp_directive_is_in(nytp_str text) {
    const char *end = text.p + text.n;
    directive d;
    for (const char *p = text.p; text.n && p < end; p++) {
        p = (const char *)memchr(p, '#', (size_t)(end - p));
        if (!p) return 0;
        if (p > text.p && p[-1] != '\n') continue;
        nytp_str rest = {p, (size_t)(end - p)};
        if (parse(nytp_directive_cut_line(&rest), &d)) return 1;
    }
    return 0;
}

/* ---- here-documents ---- */

/* The most bytes searched for ends of a text's here-documents. */
#define MOST_LOOKED_AT (32u << 20)

typedef struct walk {
    nytp_str rest;     /* of the text: lines not taken yet */
    const char *plain; /* the text before this is in here-documents */
    size_t looks;      /* of MOST_LOOKED_AT, left */
} walk;

static int is_word(char c) {
    return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || (c >= '0' && c <= '9') || c == '_';
}

/* The next `<<"END"` of line from *at on, which moves behind it: its terminator, or empty. */
static nytp_str next_tag(nytp_str line, size_t *at, int *indented) {
    for (size_t i = *at; i + 2 < line.n; i++) {
        if (line.p[i] != '<' || line.p[i + 1] != '<') continue;
        size_t first = i + 2, end;
        *indented = line.p[first] == '~';
        if (*indented) first++;
        char quote = first < line.n && is_in("\"'", line.p[first]) ? line.p[first++] : 0;
        for (end = first; end < line.n && (quote ? line.p[end] != quote : is_word(line.p[end])); end++) {}
        if (end == first || end == line.n || (!quote && line.p[first] <= '9')) continue;
        *at = end;
        return (nytp_str){line.p + first, end - first};
    }
    return (nytp_str){NULL, 0};
}

static int is_end(nytp_str line, nytp_str tag, int indented) {
    const char *end = line.p + line.n, *p = indented ? skip(line.p, end, " \t") : line.p;
    while (end > p && is_in("\r\n", end[-1])) end--;
    return nytp_str_eq((nytp_str){p, (size_t)(end - p)}, tag);
}

/* Without such a line it was no here-document. */
static nytp_str behind(walk *w, nytp_str text, nytp_str tag, int indented) {
    nytp_str rest = text;
    while (rest.n && w->looks) {
        nytp_str line = nytp_directive_cut_line(&rest);
        w->looks -= line.n < w->looks ? line.n : w->looks;
        if (is_end(line, tag, indented)) return rest;
    }
    return text;
}

/* Their texts follow one another. */
static void pass_here_documents(walk *w, nytp_str line) {
    nytp_str rest = w->rest, tag;
    size_t at = 0;
    int indented = 0;
    if (is_in("#", *skip(line.p, line.p + line.n - 1, " \t"))) return;
    while ((tag = next_tag(line, &at, &indented)).n) rest = behind(w, rest, tag, indented);
    w->plain = rest.p;
}

/* ---- regions ---- */

static int add(nytp_regions *r, const nytp_region *region) {
    if (r->n == r->room) {
        uint32_t room = r->room ? r->room * 2 : 16;
        nytp_region *grown = (nytp_region *)realloc(r->list, room * sizeof *grown);
        if (!grown) return 0;
        r->list = grown;
        r->room = room;
    }
    r->list[r->n++] = *region;
    return 1;
}

/* The line belongs to the region that it ends, if it is a directive. */
static int take_line(walk *w, nytp_regions *r, nytp_region *now) {
    nytp_str line = nytp_directive_cut_line(&w->rest);
    directive d;
    now->text.n += line.n;
    now->lines++;
    if (line.p < w->plain) return 1;
    if (!parse(line, &d)) {
        pass_here_documents(w, line);
        return 1;
    }
    int added = add(r, now);
    *now = (nytp_region){d.name.n ? d.name : now->name, {w->rest.p, 0}, d.line, 0};
    return added;
}

int nytp_directive_regions(nytp_str text, nytp_str own, nytp_regions *regions) {
    walk w = {text, text.p, MOST_LOOKED_AT};
    nytp_region now = {own, {text.p, 0}, 1, 0};
    int good = 1;
    while (good && w.rest.n) good = take_line(&w, regions, &now);
    return good && add(regions, &now);
}

void nytp_directive_forget(nytp_regions *regions) {
    free(regions->list);
    *regions = (nytp_regions){0};
}

/* ---- one file's lines ---- */

/* Lines renumbered this far beyond the number of lines are dropped, as the empty lines before them would fill the
 * memory. */
#define FAR 100000

typedef struct table {
    nytp_str *line; /* by number; owned */
    uint32_t last;  /* number */
} table;

static uint64_t last_of(const nytp_region *r) { return r->line + r->lines - (r->lines != 0); }

static int is_of(const nytp_region *r, nytp_str name) { return r->lines && nytp_str_eq(r->name, name); }

/* The highest number that can be shown, 0 if there is no line of that name. */
static uint32_t last_line(const nytp_regions *regions, nytp_str name, int all) {
    uint64_t in_text = 0, last = 0, most;
    for (uint32_t i = 0; i < regions->n; i++) in_text += regions->list[i].lines;
    most = in_text + FAR < UINT32_MAX ? in_text + FAR : UINT32_MAX;
    for (uint32_t i = 0; i < regions->n; i++) {
        const nytp_region *r = regions->list + i;
        if (is_of(r, name) && r->line <= most && last_of(r) > last) last = last_of(r);
    }
    if (last && all && last < in_text) last = in_text;
    return (uint32_t)(last < most ? last : most);
}

static void put(table *t, uint64_t number, nytp_str text, int is_own) {
    for (; text.n; number++) {
        nytp_str line = nytp_directive_cut_line(&text);
        if (number && number <= t->last && (is_own || !t->line[number].n)) t->line[number] = line;
    }
}

static void append(const table *t, nytp_buf *to) {
    for (uint32_t i = 1; i <= t->last; i++) {
        nytp_str line = t->line[i];
        nytp_buf_bytes(to, line.p, line.n);
        if (!line.n || (line.p[line.n - 1] != '\n' && i < t->last)) nytp_buf_byte(to, '\n');
    }
}

uint32_t nytp_directive_lines(const nytp_regions *regions, nytp_str name, int all, nytp_buf *to) {
    table t = {NULL, last_line(regions, name, all)};
    uint64_t at = 1;
    if (t.last) t.line = (nytp_str *)calloc((size_t)t.last + 1, sizeof *t.line);
    if (!t.line) return 0;
    for (uint32_t i = 0; i < regions->n; at += regions->list[i++].lines) {
        const nytp_region *r = regions->list + i;
        int is_own = is_of(r, name);
        if (is_own || all) put(&t, is_own ? r->line : at, r->text, is_own);
    }
    while (t.last && !t.line[t.last].n) t.last--;
    append(&t, to);
    free(t.line);
    return t.last;
}

/* 1 if there is a line of that name and number, or with the number before. */
static int has_line(const nytp_regions *regions, nytp_str name, uint32_t line) {
    for (uint32_t i = 0; i < regions->n; i++) {
        const nytp_region *r = regions->list + i;
        if (is_of(r, name) && line >= r->line && line - r->line <= r->lines) return 1;
    }
    return 0;
}

int nytp_directive_renumber(nytp_str text, nytp_str own, uint32_t last, nytp_buf *moved) {
    nytp_regions regions = {0};
    int done = nytp_directive_regions(text, own, &regions) && (!last || has_line(&regions, own, last)) &&
               nytp_directive_lines(&regions, own, 1, moved) && !moved->failed;
    nytp_directive_forget(&regions);
    return done;
}

/* ---- the end ---- */

static int ends_program(nytp_str line) {
    while (line.n && strchr("\r\n\t ", line.p[line.n - 1])) line.n--;
    return nytp_str_eq(line, NYTP_LIT("__END__")) || nytp_str_eq(line, NYTP_LIT("__DATA__"));
}

#define BLOCK 4096 /* bytes */

/* Most lines come before the last one that was compiled: they are counted in blocks. *at is where the next begins. */
static uint32_t pass_lines(nytp_str text, uint32_t last, size_t *at) {
    uint32_t n = 0, more;
    for (; text.n - *at > BLOCK; *at += BLOCK, n += more) {
        more = (uint32_t)nytp_str_count((nytp_str){text.p + *at, BLOCK}, '\n');
        if (n + more + 1 >= last) break;
    }
    return n;
}

/* A line that looks like the end but has code behind it is part of a string. */
uint32_t nytp_directive_end(nytp_str text, uint32_t last, size_t *bytes) {
    size_t at = 0, end;
    uint32_t n = pass_lines(text, last, &at);
    for (; at < text.n; at = end) {
        const char *newline = (const char *)memchr(text.p + at, '\n', text.n - at);
        end = newline ? (size_t)(newline - text.p) + 1 : text.n;
        n++;
        *bytes = end;
        if (n >= last && ends_program((nytp_str){text.p + at, end - at})) break;
    }
    return n;
}
