/* SPDX-License-Identifier: MIT */
/* lcov.c - which lines ran, and how often, as a tracefile of lcov, for genhtml and for editors that show coverage.
 *
 * Lines that never ran are those that have code and no count. Older captures and other languages have no lines of code:
 * then they are the lines of subs that were never called, as their text looks, and other lines are left out. Files are
 * those with source on the disk: genhtml shows no others. */
#include <stdlib.h>

#include "base/grow.h"
#include "base/ticks.h"
#include "model/language.h"
#include "model/source.h"
#include "report/escape.h"
#include "report/page.h"
#include "report/registry.h"
#include "report/text.h"

typedef struct hit {
    uint32_t line;
    int64_t count;
} hit;

typedef struct named { /* subs of one name in a file are one function */
    nytp_str name;
    uint32_t line;
    int64_t calls;
} named;

typedef struct lcov {
    const nytp_profile *p;
    int has_times; /* 1: the profile knows times of files, and so which are on the disk */
    nytp_buf out;
    nytp_arena arena;
    hit *hits;
    named *functions;
    uint32_t hits_n, hits_room, functions_n, functions_room;
    nytp_str comment; /* what begins one in the file */
    uint32_t read;    /* lines of the file, up to the last one of a sub that was never called */
    int is_pod;       /* 1: the last of them is documentation */
} lcov;

static void add_hit(lcov *c, const nytp_file *f, uint32_t line, int64_t count) {
    if (!line || line > f->source_lines) return;
    hit *h = nytp_grow(&c->arena, &c->hits, c->hits_n, &c->hits_room, sizeof *h);
    if (!h) c->out.failed = 1;
    else c->hits[c->hits_n++] = (hit){line, count};
}

/* ---- lines ---- */

/* A statement that was merged into another one (nytp_carried) may be in a branch that was not taken: it has no line. */
static void add_lines_that_ran(lcov *c, const nytp_file *f) {
    const nytp_lines *lines = &f->level[NYTP_LEVEL_LINE];
    for (uint32_t i = 0; i < lines->n; i++)
        if (lines->at[i].count > 0) add_hit(c, f, lines->at[i].line, lines->at[i].count);
}

static nytp_str comment_of(const nytp_profile *p, const nytp_file *f) {
    const nytp_process *process = nytp_language_process(p, f->process);
    if (process && process->language.comment.n) return process->language.comment;
    return process && process->id.front_end == NYTP_FRONT_LUA ? NYTP_LIT("--") : NYTP_LIT("#");
}

/* Whether the line has more than blanks, brackets and a comment. */
static int is_code(nytp_str line, nytp_str comment) {
    static const char plain[] = " \t\r\n(){}[];,";
    for (; line.n; line = (nytp_str){line.p + 1, line.n - 1}) {
        if (nytp_str_starts(line, comment)) return 0;
        if (!memchr(plain, *line.p, sizeof plain - 1)) return !nytp_str_eq(line, NYTP_LIT("end\n"));
    }
    return 0;
}

static void add_line(lcov *c, const nytp_file *f, uint32_t line) {
    nytp_str text = nytp_source_line(c->p, f, line);
    c->is_pod |= text.n > 1 && text.p[0] == '=' && text.p[1] >= 'a' && text.p[1] <= 'z';
    if (!c->is_pod && is_code(text, c->comment)) add_hit(c, f, line, 0);
    c->is_pod &= !nytp_str_starts(text, NYTP_LIT("=cut"));
}

/* A function of Lua has code in the line of its end, which does not run after a return. */
static int is_end(nytp_str line, nytp_str comment) {
    for (; line.n && (*line.p == ' ' || *line.p == '\t'); line.n--) line.p++;
    return nytp_str_starts(line, NYTP_LIT("end")) && !is_code((nytp_str){line.p + 3, line.n - 3}, comment);
}

static void add_lines_of_code(lcov *c, const nytp_file *f) {
    for (uint32_t i = 0; i < f->code_n; i++) {
        uint32_t line = f->code[i];
        int is_known = !nytp_profile_carrier(f, line) && !is_end(nytp_source_line(c->p, f, line), c->comment);
        if (is_known) add_hit(c, f, line, 0);
    }
}

static int has_code(const nytp_file *f, const nytp_sub *s) {
    uint32_t i = nytp_profile_find(f->code, sizeof *f->code, f->code_n, s->first_line);
    return i < f->code_n && f->code[i] <= s->last_line;
}

/* Subs come by their first lines. One may be in another: a line is read once, for the first sub that has it. */
static void add_lines_of_sub(lcov *c, const nytp_file *f, const nytp_sub *s) {
    add_hit(c, f, s->first_line, 0);
    if (s->first_line > c->read) {
        c->read = s->first_line - 1;
        c->is_pod = 0;
    }
    while (c->read < s->last_line && c->read < f->source_lines) add_line(c, f, ++c->read);
}

/* By line, the largest count first. */
static int by_line(const void *a, const void *b) {
    const hit *x = a, *y = b;
    if (x->line != y->line) return x->line < y->line ? -1 : 1;
    return x->count > y->count ? -1 : x->count < y->count;
}

static void put_lines(lcov *c) {
    uint32_t found = 0, ran = 0, last = 0;
    if (c->hits_n) qsort(c->hits, c->hits_n, sizeof *c->hits, by_line);
    for (uint32_t i = 0; i < c->hits_n; i++) {
        const hit *h = &c->hits[i];
        if (h->line == last) continue;
        last = h->line;
        found++;
        ran += h->count > 0;
        nytp_text_around(&c->out, "DA:", h->line, ",");
        nytp_text_around(&c->out, "", (uint64_t)h->count, "\n");
    }
    nytp_text_around(&c->out, "LF:", found, "\n");
    nytp_text_around(&c->out, "LH:", ran, "\n");
}

/* ---- functions ---- */

static int by_name(const void *a, const void *b) {
    const named *x = a, *y = b;
    int order = nytp_str_cmp(x->name, y->name);
    return order ? order : x->line < y->line ? -1 : x->line > y->line;
}

static int by_first_line(const void *a, const void *b) {
    const named *x = a, *y = b;
    return x->line < y->line ? -1 : x->line > y->line ? 1 : by_name(a, b);
}

static void add_function(lcov *c, const nytp_sub *s) {
    named *n = nytp_grow(&c->arena, &c->functions, c->functions_n, &c->functions_room, sizeof *n);
    if (!n) c->out.failed = 1;
    else c->functions[c->functions_n++] = (named){s->name, s->first_line, s->calls > 0 ? s->calls : 0};
}

static void join_functions(lcov *c) {
    uint32_t kept = 0;
    if (c->functions_n) qsort(c->functions, c->functions_n, sizeof *c->functions, by_name);
    for (uint32_t i = 0; i < c->functions_n; i++) {
        if (kept && nytp_str_eq(c->functions[kept - 1].name, c->functions[i].name))
            c->functions[kept - 1].calls = nytp_ticks_add(c->functions[kept - 1].calls, c->functions[i].calls);
        else c->functions[kept++] = c->functions[i];
    }
    c->functions_n = kept;
    if (kept) qsort(c->functions, kept, sizeof *c->functions, by_first_line);
}

static void put_function(lcov *c, const char *key, uint64_t number, nytp_str name) {
    nytp_text_around(&c->out, key, number, ",");
    nytp_escape_text(&c->out, name);
    nytp_buf_byte(&c->out, '\n');
}

static void put_functions(lcov *c) {
    uint32_t called = 0;
    join_functions(c);
    for (uint32_t i = 0; i < c->functions_n; i++) put_function(c, "FN:", c->functions[i].line, c->functions[i].name);
    for (uint32_t i = 0; i < c->functions_n; i++) {
        put_function(c, "FNDA:", (uint64_t)c->functions[i].calls, c->functions[i].name);
        called += c->functions[i].calls > 0;
    }
    nytp_text_around(&c->out, "FNF:", c->functions_n, "\n");
    nytp_text_around(&c->out, "FNH:", called, "\n");
}

/* ---- files ---- */

/* Evals and programs of -e are in no file, and a file that is only named by `# line` has no time. */
static int is_on_disk(const lcov *c, const nytp_file *f) {
    int is_file = f->name.n && !f->parent && f->source_lines && !memchr("-([=", f->name.p[0], 4);
    return is_file && (f->mtime || !c->has_times);
}

/* A relative name is completed by the directory in which the program began. */
static void put_name(lcov *c, const nytp_file *f) {
    nytp_str cwd = f->process ? nytp_profile_property(c->p, f->process - 1, NYTP_LIT("cwd")) : (nytp_str){NULL, 0};
    nytp_text_put(&c->out, "TN:\nSF:");
    if (f->name.p[0] != '/' && cwd.n) {
        nytp_escape_text(&c->out, cwd);
        nytp_buf_byte(&c->out, '/');
    }
    nytp_escape_text(&c->out, f->name);
    nytp_buf_byte(&c->out, '\n');
}

/* X::BEGIN, which perl empties when the block has run, as BEGIN@7 or so. */
static int is_emptied(const nytp_sub *s) { return !s->calls && nytp_str_ends(s->name, NYTP_LIT("::BEGIN")); }

static void put_file(lcov *c, const nytp_file *f) {
    uint32_t file = (uint32_t)(f - c->p->files);
    c->hits_n = c->functions_n = c->read = 0;
    c->is_pod = 0;
    c->comment = comment_of(c->p, f);
    add_lines_that_ran(c, f);
    add_lines_of_code(c, f);
    for (uint32_t i = 0; i < f->subs.n; i++) {
        const nytp_sub *s = &c->p->subs[c->p->defined[f->subs.first + i]];
        if (s->file != file || s->flags & (NYTP_SUB_PHASE | NYTP_SUB_XSUB | NYTP_SUB_OPCODE)) continue;
        if (!s->first_line || is_emptied(s)) continue;
        add_function(c, s);
        if (!s->calls && !s->exclusive && !has_code(f, s)) add_lines_of_sub(c, f, s);
    }
    if (!c->hits_n) return;
    put_name(c, f);
    put_functions(c);
    put_lines(c);
    nytp_text_put(&c->out, "end_of_record\n");
}

static int write_lcov(const nytp_request *r, nytp_sink *sink) {
    lcov c = {.p = r->profiles};
    int code = nytp_sink_begin(sink, NYTP_LIT("nytprof.info"));
    for (uint32_t i = 1; i < c.p->files_n; i++) c.has_times |= c.p->files[i].mtime != 0;
    for (uint32_t i = 1; i < c.p->files_n && !code && !c.out.failed; i++) {
        if (!is_on_disk(&c, &c.p->files[i]) || !nytp_selection_has_file(r->selection, i)) continue;
        put_file(&c, &c.p->files[i]);
        code = nytp_sink_drain(sink, &c.out, NYTP_SINK_PIECE);
    }
    nytp_arena_free(&c.arena);
    return nytp_sink_finish(sink, &c.out, code);
}

static const nytp_arg args[] = {NYTP_ARGS_SOURCE, {0}};

const nytp_report nytp_lcov_report = {
    .name = "lcov",
    .summary = "writes which lines ran and which never did, for genhtml",
    .output = "nytprof.info",
    .is_page = 1,
    .wants_counts = 1,
    .args = args,
    .write = write_lcov,
};
