/* SPDX-License-Identifier: MIT */
/* merge.c - decides which string evals of one site are one piece of code, and redirects references to it.
 *
 * A merged file or sub keeps its entry and points to its replacement; so indexes never change, and parents still come
 * before children. */
#include "model/merge.h"

#include <stdlib.h>
#include <string.h>

#include "base/table.h"
#include "model/quantile.h"
#include "model/source.h"

typedef struct sibling {
    uint32_t parent, line, file;
    uint64_t text;
} sibling;

static uint32_t resolve_file(const nytp_profile *p, uint32_t file) {
    while (p->files[file].into != file) file = p->files[file].into;
    return file;
}

static uint32_t resolve_sub(const nytp_profile *p, uint32_t sub) {
    while (p->subs[sub].moved != sub) sub = p->subs[sub].moved;
    return sub;
}

static uint64_t text_of(const nytp_profile *p, const nytp_file *f, uint32_t marks) {
    if (!f->source_lines) return marks;
    uint64_t h = f->source_lines;
    for (uint32_t line = 1; line <= f->source_lines; line++)
        h = h * 1099511628211u ^ nytp_str_hash(nytp_source_line(p, f, line));
    return h | 4; /* differs from hashes of evals without text */
}

/* marks[f]: bit 0 runs evals, bit 1 defines subs. */
static void mark(const nytp_profile *p, unsigned char *marks) {
    memset(marks, 0, p->files_n);
    for (uint32_t i = 1; i < p->files_n; i++)
        if (p->files[i].merged && p->files[i].parent) marks[resolve_file(p, p->files[i].parent)] |= 1;
    for (uint32_t i = 0; i < p->subs_n; i++) marks[resolve_file(p, p->subs[i].file)] |= 2;
}

static int by_site(const void *a, const void *b) {
    const sibling *x = a, *y = b;
    if (x->parent != y->parent) return x->parent < y->parent ? -1 : 1;
    if (x->line != y->line) return x->line < y->line ? -1 : 1;
    if (x->text != y->text) return x->text < y->text ? -1 : 1;
    return x->file < y->file ? -1 : 1;
}

static uint32_t collect(const nytp_profile *p, const unsigned char *marks, sibling *s) {
    uint32_t n = 0;
    for (uint32_t i = 1; i < p->files_n; i++) {
        const nytp_file *f = &p->files[i];
        if (!f->merged || !f->parent) continue;
        uint64_t text = text_of(p, f, marks[i]);
        s[n++] = (sibling){resolve_file(p, f->parent), f->parent_line, i, text};
    }
    qsort(s, n, sizeof *s, by_site);
    return n;
}

/* Makes s[0..n) one file: the first of them. Returns the number of files merged into it. */
static uint32_t collapse(nytp_profile *p, const sibling *s, uint32_t n) {
    uint32_t first = s[0].file;
    for (uint32_t i = 1; i < n; i++)
        if (s[i].file < first) first = s[i].file;
    for (uint32_t i = 0; i < n; i++) {
        if (s[i].file == first) continue;
        p->files[first].merged += p->files[s[i].file].merged;
        p->files[s[i].file].merged = 0;
        p->files[s[i].file].into = first;
    }
    return n - 1;
}

static uint32_t texts(const sibling *s, uint32_t n) {
    uint32_t distinct = 1;
    for (uint32_t i = 1; i < n; i++) distinct += s[i].text != s[i - 1].text;
    return distinct;
}

static int any_runs_evals(const unsigned char *marks, const sibling *s, uint32_t n) {
    for (uint32_t i = 0; i < n; i++)
        if (marks[s[i].file] & 1) return 1;
    return 0;
}

/* Equal hashes mean equal texts, but where a hostile capture made them so. */
static int is_same_text(const nytp_profile *p, const sibling *a, const sibling *b) {
    const nytp_file *x = &p->files[a->file], *y = &p->files[b->file];
    if (a->text != b->text || x->source_lines != y->source_lines) return 0;
    for (uint32_t line = 1; line <= x->source_lines; line++)
        if (!nytp_str_eq(nytp_source_line(p, x, line), nytp_source_line(p, y, line))) return 0;
    return 1;
}

/* One line's evals. */
static uint32_t merge_site(nytp_profile *p, const unsigned char *marks, const sibling *s, uint32_t n) {
    if (texts(s, n) > NYTP_MERGE_SIBLINGS) return collapse(p, s, n);
    uint32_t gone = 0;
    for (uint32_t i = 0, end; i < n; i = end) {
        for (end = i + 1; end < n && is_same_text(p, s + i, s + end); end++) continue;
        if (!any_runs_evals(marks, s + i, end - i)) gone += collapse(p, s + i, end - i);
    }
    return gone;
}

static uint32_t merge_pass(nytp_profile *p, unsigned char *marks, sibling *s) {
    mark(p, marks);
    uint32_t n = collect(p, marks, s), gone = 0;
    for (uint32_t i = 0, end; i < n; i = end) {
        for (end = i + 1; end < n && s[end].parent == s[i].parent && s[end].line == s[i].line; end++) continue;
        gone += merge_site(p, marks, s + i, end - i);
    }
    return gone;
}

/* The name with every number in "(eval N)" as 0; *has says whether there was one. out has room for name.n bytes. */
static nytp_str without_numbers(nytp_str name, char *out, int *has) {
    nytp_str eval = NYTP_LIT("eval ");
    size_t n = 0;
    *has = 0;
    for (size_t i = 0; i < name.n;) {
        out[n++] = name.p[i++];
        if (i < eval.n || memcmp(name.p + i - eval.n, eval.p, eval.n) != 0) continue;
        size_t digits = i;
        while (digits < name.n && name.p[digits] >= '0' && name.p[digits] <= '9') digits++;
        if (digits == i) continue;
        out[n++] = '0';
        *has = 1;
        i = digits;
    }
    return (nytp_str){out, n};
}

/* What a sub is known by where equal evals are one. Two bodies of one name in one eval are two subs; in two evals of
 * one text they are one, unless the name has an eval number, which differs between evals. A template that is compiled
 * again, by an eval with #line, is known by its lines. */
typedef struct identity {
    nytp_str name;
    uint32_t file, ordinal, directed, first_line, last_line;
} identity;

/* scratch has room for the name. */
static identity identity_of(const nytp_profile *p, const nytp_sub *s, char *scratch) {
    identity is = {.file = resolve_file(p, s->file), .directed = s->flags & NYTP_SUB_DIRECTED};
    int numbered;
    if (is.directed) {
        is.name = s->name;
        is.first_line = s->first_line;
        is.last_line = s->last_line;
    } else {
        is.name = without_numbers(s->name, scratch, &numbered);
        if (numbered) is.ordinal = s->ordinal;
    }
    return is;
}

static uint64_t hash_of(const identity *is) {
    uint64_t lines = ((uint64_t)is->first_line << 32 | is->last_line) + is->ordinal;
    return nytp_str_hash(is->name) ^ ((uint64_t)is->file << 32 ^ lines ^ is->directed) * 0x9E3779B97F4A7C15u;
}

typedef struct bodies {
    const nytp_profile *p;
    char *scratch, *other; /* room for a name in each */
} bodies;

static int is_same_body(const void *of, uint32_t number, const void *like) {
    const bodies *all = of;
    identity a = identity_of(all->p, &all->p->subs[number], all->other);
    const identity *b = like;
    return a.file == b->file && a.ordinal == b->ordinal && a.directed == b->directed &&
           a.first_line == b->first_line && a.last_line == b->last_line && nytp_str_eq(a.name, b->name);
}

static size_t longest_name(const nytp_profile *p) {
    size_t longest = 1;
    for (uint32_t i = 0; i < p->subs_n; i++)
        if (p->subs[i].name.n > longest) longest = p->subs[i].name.n;
    return longest;
}

static enum nytp_code merge_subs(nytp_profile *p) {
    nytp_table seen = {0};
    size_t longest = longest_name(p);
    char *scratch = malloc(2 * longest);
    bodies all = {p, scratch, scratch ? scratch + longest : NULL};
    int failed = !scratch;
    for (uint32_t i = 2; i < p->subs_n && !failed; i++) {
        nytp_sub *s = &p->subs[i];
        int is_once = p->files[resolve_file(p, s->file)].merged < 2 && !(s->flags & NYTP_SUB_DIRECTED);
        if (is_once || s->moved != i) continue;
        identity is = identity_of(p, s, scratch);
        uint32_t *first = nytp_table_at(&seen, hash_of(&is), is_same_body, &all, &is);
        failed = !first;
        if (first && *first) s->moved = *first;
        else if (first) *first = i;
    }
    free(scratch);
    nytp_table_free(&seen);
    return failed ? NYTP_NOMEM : NYTP_OK;
}

enum nytp_code nytp_merge_evals(nytp_profile *p) {
    unsigned char *marks = malloc(p->files_n);
    sibling *s = malloc(p->files_n * sizeof *s);
    int failed = !marks || !s;
    /* evals inside evals become siblings when their parents merge: again until nothing changes */
    while (!failed && merge_pass(p, marks, s) > 0) continue;
    free(marks);
    free(s);
    return failed ? NYTP_NOMEM : merge_subs(p);
}

void nytp_merge_resolve(nytp_profile *p) {
    for (uint32_t i = 0; i < p->files_n; i++) p->files[i].parent = resolve_file(p, p->files[i].parent);
    for (uint32_t i = 0; i < p->places_n; i++) p->places[i].file = resolve_file(p, p->places[i].file);
    for (uint32_t i = 0; i < p->subs_n; i++) {
        p->subs[i].file = resolve_file(p, p->subs[i].file);
        p->subs[i].home = resolve_file(p, p->subs[i].home);
    }
    for (uint32_t i = 0; i < p->edges_n; i++) {
        p->edges[i].file = resolve_file(p, p->edges[i].file);
        p->edges[i].caller = resolve_sub(p, p->edges[i].caller);
        p->edges[i].callee = resolve_sub(p, p->edges[i].callee);
    }
    for (uint32_t i = 0; i < p->nodes_n; i++) {
        p->nodes[i].file = resolve_file(p, p->nodes[i].file);
        p->nodes[i].sub = resolve_sub(p, p->nodes[i].sub);
    }
    for (uint32_t i = 0; i < p->processes_n; i++)
        for (uint32_t k = 0; k < p->processes[i].spans_n; k++)
            p->processes[i].spans[k].sub = resolve_sub(p, p->processes[i].spans[k].sub);
    for (uint32_t i = 0; i < p->again_n; i++) {
        p->again[i].file = resolve_file(p, p->again[i].file);
        p->again[i].sub = resolve_sub(p, p->again[i].sub);
    }
}

enum nytp_code nytp_merge_lengths(nytp_profile *p) {
    for (uint32_t i = 0; i < p->subs_n; i++) {
        nytp_sub *from = &p->subs[i], *to = &p->subs[resolve_sub(p, i)];
        if (from == to || !from->lengths) continue;
        if (!to->lengths) to->lengths = from->lengths;
        else if (!nytp_quantile_join(&p->arena, to->lengths, from->lengths)) return NYTP_NOMEM;
        from->lengths = NULL;
    }
    return NYTP_OK;
}
