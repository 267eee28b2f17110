/* SPDX-License-Identifier: MIT */
/* loading.c - finds use and require statements among the calls and lines of a profile.
 *
 * Perl runs `use` as a sub of its own, BEGIN@LINE, which compiles the module unless another did, and calls its import.
 * `require` is no sub: its time is the statement's own, in which perl compiles, and that of the file's code outside
 * subs, with callees. A module's total includes the modules that it uses in turn; `own` does not. */
#include "model/loading.h"

#include <ctype.h>
#include <stdlib.h>
#include <string.h>

#include "base/grow.h"
#include "base/table.h"
#include "base/ticks.h"
#include "model/origin.h"
#include "model/source.h"

typedef struct load { /* per file: its code outside subs */
    int64_t called, used;    /* inclusive time of its calls, and of the use statements among them */
    uint32_t is_used;        /* 1: a use statement loaded it */
    uint32_t is_inside;      /* 1: it was loaded while a use statement was running */
    uint32_t is_told;        /* 1: it is in a row */
} load;

typedef struct loading {
    const nytp_profile *p;
    nytp_loading *found;
    uint32_t room;     /* of found->modules */
    nytp_table known;  /* modules by name; 1 + index */
    int16_t *begins;   /* per sub: which_begin */
    uint32_t *nearest; /* per node: the innermost node above that is a use statement, or 0 */
    int64_t *own;      /* per node that is a use statement */
    load *loads;       /* per file */
    nytp_table files;  /* by ends of their paths, without ".pm"; index */
} loading;

/* BEGIN@12 and, of the third use statement in that line, BEGIN@12.2: the number behind the dot. -1: another sub. */
static int which_begin(const nytp_sub *s) {
    nytp_str name = s->package.n ? (nytp_str){s->name.p + s->package.n + 2, s->name.n - s->package.n - 2} : s->name;
    nytp_str begin = NYTP_LIT("BEGIN@");
    if (!nytp_str_starts(name, begin) || !s->file) return -1;
    for (size_t i = begin.n; i < name.n; i++)
        if (name.p[i] == '.') return i + 2 < name.n ? -1 : name.p[i + 1] - '0';
    return 0;
}

static int begin_of(const loading *l, uint32_t node) {
    return l->begins[l->p->nodes[node].sub];
}

static size_t word_length(const char *p, const char *end) {
    const char *q = p;
    while (q < end && (isalnum((unsigned char)*q) || *q == '_' || *q == ':')) q++;
    return (size_t)(q - p);
}

/* The module named by the n-th use or require in a line; variables and methods of these names are skipped. Empty if
 * there is none, or no such line. */
static nytp_str named_in(nytp_str line, int n, nytp_str word, nytp_str other) {
    const char *end = line.n ? line.p + line.n : line.p;
    for (const char *p = line.p; p < end;) {
        size_t length = word_length(p, end);
        nytp_str found = {p, length};
        int is_bare = p == line.p || !strchr("$@%&>#", p[-1]);
        if (*p == '#' && !length) break;
        p += length ? length : 1;
        if (!is_bare || (!nytp_str_eq(found, word) && !nytp_str_eq(found, other))) continue;
        while (p < end && (*p == ' ' || *p == '\t')) p++;
        length = word_length(p, end);
        if (length && !isdigit((unsigned char)*p) && n-- == 0) return (nytp_str){p, length};
    }
    return (nytp_str){NULL, 0};
}

/* The module of a use statement; empty if its line does not show it. Perl makes one of each option -M, at line 0. */
static nytp_str module_of(const nytp_profile *p, const nytp_sub *s, int n) {
    nytp_str line = nytp_source_line(p, &p->files[s->file], s->first_line);
    if (!s->first_line) return NYTP_LIT("(options -M and -m)");
    return named_in(line, n, NYTP_LIT("use"), NYTP_LIT("no"));
}

static int is_named(const void *of, uint32_t number, const void *name) {
    return nytp_str_eq(((const nytp_loading *)of)->modules[number - 1].name, *(const nytp_str *)name);
}

/* Valid until the next call. NULL when memory is short. */
static nytp_module *find_module(loading *l, nytp_str name) {
    nytp_loading *of = l->found;
    uint32_t *found = nytp_table_at(&l->known, nytp_str_hash(name), is_named, of, &name);
    if (found && *found) return &of->modules[*found - 1];
    nytp_module *m = found ? nytp_grow(&of->arena, &of->modules, of->n, &l->room, sizeof *m) : NULL;
    if (!m) return NULL;
    m->name = name;
    *found = ++of->n;
    return m;
}

static void add_statement(nytp_module *m, int64_t uses, int64_t total, int64_t own, uint32_t file, uint32_t line) {
    m->uses = nytp_ticks_add(m->uses, uses);
    m->total = nytp_ticks_add(m->total, total);
    m->own = nytp_ticks_add(m->own, own);
    if (m->file && total <= m->most) return;
    m->most = total;
    m->file = file;
    m->line = line;
}

static enum nytp_code add_use(loading *l, uint32_t node, nytp_str name) {
    const nytp_node *n = &l->p->nodes[node];
    const nytp_sub *s = &l->p->subs[n->sub];
    nytp_module *m = find_module(l, name);
    if (!m) return NYTP_NOMEM;
    add_statement(m, s->first_line ? 1 : n->calls, n->inclusive, l->own[node], s->file, s->first_line);
    return NYTP_OK;
}

/* Subtracts the use statements in a module from the time of the one that loads it, and sums up by module. */
static enum nytp_code add_all(loading *l) {
    const nytp_profile *p = l->p;
    for (uint32_t i = 0; i < p->subs_n; i++) l->begins[i] = (int16_t)which_begin(&p->subs[i]);
    for (uint32_t i = 1; i < p->nodes_n; i++) {
        uint32_t above = p->nodes[i].parent;
        l->nearest[i] = begin_of(l, above) >= 0 ? above : l->nearest[above];
        l->own[i] = nytp_ticks_add(l->own[i], p->nodes[i].inclusive);
        if (begin_of(l, i) < 0) continue;
        uint32_t outer = l->nearest[i];
        if (outer) l->own[outer] = nytp_ticks_minus(l->own[outer], p->nodes[i].inclusive);
        else l->found->total = nytp_ticks_add(l->found->total, p->nodes[i].inclusive);
    }
    for (uint32_t i = 1; i < p->nodes_n; i++) {
        const nytp_sub *s = &p->subs[p->nodes[i].sub];
        int n = begin_of(l, i);
        nytp_str name = n < 0 ? (nytp_str){NULL, 0} : module_of(p, s, n);
        if (name.n && add_use(l, i, name)) return NYTP_NOMEM;
    }
    return NYTP_OK;
}

/* ---- require ---- */

/* 1 if the file's path ends in that, behind a slash. */
static int ends_in(const void *of, uint32_t file, const void *end) {
    nytp_str path = ((const nytp_profile *)of)->files[file].name, name = *(const nytp_str *)end;
    path.n -= 3;
    return nytp_str_ends(path, name) && (path.n == name.n || path.p[path.n - name.n - 1] == '/');
}

/* Makes the file known by the end of its name from i on: PPI/Node of /usr/share/perl5/PPI/Node.pm. */
static enum nytp_code name_file(loading *l, uint32_t file, nytp_str path, size_t i) {
    nytp_str name = {path.p + i, path.n - i - 3};
    uint32_t *at = nytp_table_at(&l->files, nytp_str_hash(name), ends_in, l->p, &name);
    if (!at) return NYTP_NOMEM;
    if (!*at) *at = file;
    return NYTP_OK;
}

/* By the path below its @INC directory, else by any end of the path that is unambiguous. */
static enum nytp_code name_files(loading *l, int by_parts) {
    int code = NYTP_OK;
    for (uint32_t file = 1; file < l->p->files_n && !code; file++) {
        nytp_str path = l->p->files[file].name;
        size_t begin = nytp_origin_prefix(l->p, path);
        if (!nytp_str_ends(path, NYTP_LIT(".pm")) || l->p->files[file].parent) continue;
        if (!by_parts) code = name_file(l, file, path, begin);
        for (size_t i = begin; by_parts && i < path.n && !code; i++)
            if (path.p[i] == '/') code = name_file(l, file, path, i + 1);
    }
    return code;
}

/* The file of a module, or 0. */
static uint32_t file_of(const loading *l, nytp_str name) {
    char path[200];
    size_t n = 0;
    for (size_t i = 0; i < name.n && n < sizeof path; i++) {
        int is_colons = name.p[i] == ':' && i + 1 < name.n && name.p[i + 1] == ':';
        char c = name.p[i];
        if (is_colons) c = '/';
        path[n++] = c;
        i += (size_t)is_colons;
    }
    nytp_str end = {path, n};
    return nytp_table_get(&l->files, nytp_str_hash(end), ends_in, l->p, &end);
}

static int is_in(const nytp_sub *s, uint32_t file, uint32_t line) {
    return s->file == file && s->first_line <= line && line <= s->last_line;
}

/* A call from a file by a sub outside of it is made by the file's own code, while it is loaded. */
static void add_call(loading *l, uint32_t node) {
    const nytp_node *n = &l->p->nodes[node];
    const nytp_sub *loader = &l->p->subs[l->p->nodes[n->parent].sub];
    if (!n->file || n->line == NYTP_LINE_UNKNOWN || is_in(loader, n->file, n->line)) return;
    load *of = &l->loads[n->file];
    int begin = begin_of(l, n->parent);
    of->called = nytp_ticks_add(of->called, n->inclusive);
    if (begin_of(l, node) >= 0) of->used = nytp_ticks_add(of->used, n->inclusive);
    of->is_used |= begin >= 0 && module_of(l->p, loader, begin).n;
    of->is_inside |= begin >= 0 || l->nearest[n->parent];
}

/* The time of a file's statements outside the subs that were called. */
static int64_t time_outside_subs(const nytp_profile *p, const nytp_file *f) {
    const nytp_lines *lines = &f->level[NYTP_LEVEL_LINE];
    uint32_t next = 0, reach = 0;
    int64_t ticks = 0;
    for (uint32_t i = 0; i < lines->n; i++) {
        for (; next < f->subs.n; next++) {
            const nytp_sub *s = &p->subs[p->defined[f->subs.first + next]];
            if (!s->file || s->first_line > lines->at[i].line) break;
            if (nytp_profile_sub_called(s) && s->last_line > reach) reach = s->last_line;
        }
        if (lines->at[i].line > reach) ticks = nytp_ticks_add(ticks, lines->at[i].ticks);
    }
    return ticks;
}

/* A require statement that ran. Only the first one of a file compiles it; a statement that ran several times found it
 * loaded, and its line's time is something else. */
static enum nytp_code add_require(loading *l, uint32_t file, const nytp_line *at, nytp_str name) {
    uint32_t loaded = file_of(l, name);
    if (!loaded) return NYTP_OK;
    load *of = &l->loads[loaded];
    nytp_module *m = find_module(l, name);
    if (!m) return NYTP_NOMEM;
    int64_t total = at->count == 1 ? at->ticks : 0, own = total;
    if (!of->is_told && !of->is_used) {
        int64_t outside = time_outside_subs(l->p, &l->p->files[loaded]);
        total = nytp_ticks_add(total, nytp_ticks_add(outside, of->called));
        own = nytp_ticks_minus(total, of->used);
        of->is_told = 1;
    }
    if (!of->is_inside) l->found->total = nytp_ticks_add(l->found->total, own);
    add_statement(m, 1, total, own, file, at->line);
    return NYTP_OK;
}

static enum nytp_code add_requires(loading *l) {
    const nytp_profile *p = l->p;
    if (name_files(l, 0) || name_files(l, 1)) return NYTP_NOMEM;
    for (uint32_t i = 1; i < p->nodes_n; i++) add_call(l, i);
    for (uint32_t file = 1; file < p->files_n; file++) {
        const nytp_file *f = &p->files[file];
        const nytp_lines *lines = &f->level[NYTP_LEVEL_LINE];
        for (uint32_t i = 0; i < lines->n && lines->at[i].line <= f->source_lines; i++) {
            nytp_str line = nytp_source_line(p, f, lines->at[i].line); /* the line may be 0, as in stripped Lua */
            nytp_str name = named_in(line, 0, NYTP_LIT("require"), NYTP_LIT("require"));
            if (name.n && lines->at[i].count > 0 && add_require(l, file, &lines->at[i], name)) return NYTP_NOMEM;
        }
    }
    return NYTP_OK;
}

/* ---- the program itself ---- */

/* Includes its use statements and BEGIN blocks. */
static enum nytp_code add_compiling(loading *l) {
    for (uint32_t i = 0; i < l->p->subs_n; i++) {
        const nytp_sub *s = &l->p->subs[i];
        if (!(s->flags & NYTP_SUB_ACTIVITY) || !nytp_str_starts(s->name, NYTP_LIT("compiling "))) continue;
        nytp_module *m = find_module(l, s->name);
        if (!m) return NYTP_NOMEM;
        m->total = s->inclusive;
        m->own = s->exclusive;
        l->found->total = nytp_ticks_add(l->found->total, s->exclusive);
    }
    return NYTP_OK;
}

/* ---- the result ---- */

static int most_first(const void *a, const void *b) {
    const nytp_module *x = a, *y = b;
    if (x->total != y->total) return x->total > y->total ? -1 : 1;
    return nytp_str_cmp(x->name, y->name);
}

enum nytp_code nytp_loading_find(nytp_loading *found, const nytp_profile *p) {
    loading l = {.p = p, .found = found, .begins = calloc(p->subs_n + 1u, sizeof *l.begins),
                 .nearest = calloc(p->nodes_n + 1u, sizeof *l.nearest),
                 .own = calloc(p->nodes_n + 1u, sizeof *l.own), .loads = calloc(p->files_n + 1u, sizeof *l.loads)};
    enum nytp_code code = l.begins && l.nearest && l.own && l.loads ? add_all(&l) : NYTP_NOMEM;
    if (!code) code = add_requires(&l);
    if (!code) code = add_compiling(&l);
    if (!code && found->n) qsort(found->modules, found->n, sizeof *found->modules, most_first);
    nytp_table_free(&l.known);
    nytp_table_free(&l.files);
    free(l.loads);
    free(l.begins);
    free(l.nearest);
    free(l.own);
    return code;
}

void nytp_loading_free(nytp_loading *l) {
    nytp_arena_free(&l->arena);
    *l = (nytp_loading){0};
}
