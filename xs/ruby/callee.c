/* SPDX-License-Identifier: MIT */
/* callee.c - callees: methods, blocks, files and evals, and their lines. */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "record/places.h"
#include "ruby/glue.h"

static uint64_t mix(uint64_t key, uint64_t more) {
    key = (key ^ more) * UINT64_C(0x9E3779B97F4A7C15);
    return key ^ key >> 29;
}

static int is_rubys_own(const char *path) { return strncmp(path, "<internal:", 10) == 0; }

static int is_of_eval(const char *path) { return *path == '('; } /* unless the eval names a file */

/* ---- files ---- */

/* The file of an eval, with the line that compiles it as its site. */
void nytp_callee_compiled(nytp_ruby *g, VALUE event) {
    nytp_recorder *r = &g->s.r;
    VALUE text = nytp_ruby_ask(NYTP_ASK_EVAL_TEXT, event);
    char name[256];
    if (NIL_P(text) || !nytp_current_place(r)->file) return;
    VALUE path = nytp_ruby_ask(NYTP_ASK_PATH, nytp_ruby_ask(NYTP_ASK_EVAL_CODE, event));
    if (!is_of_eval(RSTRING_PTR(path))) return;
    nytp_work work = nytp_cold_begin(r);
    nytp_rec_file what = {.flags = NYTP_FILE_VIA_STMT | NYTP_FILE_EVAL};
    what.parent = nytp_current_place(r)->file;
    what.parent_line = nytp_current_place(r)->line;
    if (nytp_options_of(r)->savesrc) what.flags |= NYTP_FILE_HAS_SRC | NYTP_FILE_SAVE_SRC;
    snprintf(name, sizeof name, "(eval %u)[%.200s:%u]", (unsigned)nytp_places_evals(r) + 1,
             nytp_places_file(r, nytp_current_place(r)->file)->name.p, (unsigned)nytp_current_place(r)->line);
    what.name = nytp_str_c(name);
    g->eval = nytp_places_add_eval(r, &what, (nytp_str){RSTRING_PTR(text), (size_t)RSTRING_LEN(text)});
    nytp_cold_end(r, work);
}

/* All evals have one path in Ruby: a method is in the latest eval that defines its name, a block, which has no name, in
 * the latest eval. */
static nytp_live_file *latest_eval(const nytp_recorder *r, const char *name) {
    for (uint32_t i = nytp_places_files(r); i > 0; i--) {
        nytp_live_file *f = nytp_places_file(r, i);
        if (f->flags & NYTP_FILE_EVAL && f->text.n && strstr(f->text.p, name)) return f;
    }
    return NULL;
}

static nytp_live_file *file_of(nytp_ruby *g, const nytp_callee *c, VALUE id) {
    const char *path = RSTRING_PTR(c->path);
    int has_name = c->kind == NYTP_CALLEE_METHOD && SYMBOL_P(id);
    nytp_live_file *f = g->eval;
    if (is_rubys_own(path)) return NULL;
    if (!is_of_eval(path)) return nytp_session_file(&g->s, path);
    if (c->kind != NYTP_CALLEE_TEXT || !f) f = latest_eval(&g->s.r, has_name ? rb_id2name(SYM2ID(id)) : "");
    else g->eval = NULL;
    return f ? f : nytp_session_file(&g->s, path);
}

/* ---- callees ---- */

static nytp_callee *known(const nytp_ruby *g, uint64_t key) {
    uint32_t index = nytp_map_get(&g->callees, key);
    return index ? g->all_callees[index - 1] : NULL;
}

static int remember(nytp_ruby *g, uint64_t key, uint32_t index) {
    uint32_t *at = nytp_map_at(&g->callees, key);
    if (at) *at = index;
    else nytp_recorder_fail(&g->s.r);
    return at != NULL;
}

/* Grown at powers of two. */
static nytp_callee *add(nytp_ruby *g, const nytp_callee *like, uint64_t key) {
    uint32_t n = g->callee_n;
    nytp_callee **all = n & (n - 1) ? g->all_callees : realloc(g->all_callees, (n ? 2 * n : 1) * sizeof *all);
    nytp_callee *c = all ? nytp_arena_get(nytp_arena_of(&g->s.r), sizeof *c) : NULL;
    if (all) g->all_callees = all;
    if (!c) {
        nytp_recorder_fail(&g->s.r);
        return NULL;
    }
    *c = *like;
    if (!NIL_P(c->path)) nytp_ruby_life_keep(c->path);
    all[g->callee_n++] = c;
    return remember(g, key, g->callee_n) ? c : NULL;
}

static enum nytp_callee_role role_of(const char *name) {
    static const struct {
        const char *name;
        enum nytp_callee_role role;
    } roles[] = {{"Kernel#exec", NYTP_ROLE_EXEC},    {"Process.exec", NYTP_ROLE_EXEC},
                 {"Kernel#exit!", NYTP_ROLE_EXIT},   {"Process.exit!", NYTP_ROLE_EXIT},
                 {"Kernel#sleep", NYTP_ROLE_WAIT},   {"Process.wait", NYTP_ROLE_WAIT},
                 {"IO.select", NYTP_ROLE_WAIT},      {"Kernel#select", NYTP_ROLE_WAIT},
                 {"IO#gets", NYTP_ROLE_WAIT},        {"IO#read", NYTP_ROLE_WAIT},
                 {"IO#readpartial", NYTP_ROLE_WAIT}, {"IO#wait_readable", NYTP_ROLE_WAIT},
                 {"Thread#join", NYTP_ROLE_WAIT},    {"Thread::Queue#pop", NYTP_ROLE_WAIT}};
    for (size_t i = 0; i < sizeof roles / sizeof *roles; i++)
        if (strcmp(name, roles[i].name) == 0) return roles[i].role;
    return NYTP_ROLE_NONE;
}

/* Classes with instructions for their operators. */
static int is_operator(const char *name) {
    static const char *const classes[] = {"Integer#", "Float#", "String#", "Array#", "Hash#"};
    static const char *const words[] = {"length", "size", "empty?", "succ"};
    for (size_t i = 0; i < sizeof classes / sizeof *classes; i++) {
        size_t n = strlen(classes[i]);
        if (strncmp(name, classes[i], n) != 0) continue;
        if (strchr("+-*/%<>=&|[", name[n])) return name[n + 1] != '@';
        for (size_t word = 0; word < sizeof words / sizeof *words; word++)
            if (strcmp(name + n, words[word]) == 0) return 1;
    }
    return strcmp(name, "BasicObject#!") == 0 || strcmp(name, "BasicObject#!=") == 0;
}

/* Singleton methods of one name and line are one callee, whatever their objects. */
static nytp_callee *make_called(nytp_ruby *g, rb_trace_arg_t *arg, nytp_callee *like, uint64_t key) {
    nytp_work work = nytp_cold_begin(&g->s.r);
    const char *name = nytp_ruby_name_of(arg, (enum nytp_callee_kind)like->kind, "");
    uint64_t by_name = mix(mix(nytp_str_hash(nytp_str_c(name)), like->path), (uint64_t)like->first << 3 | like->kind);
    nytp_callee *c = known(g, by_name);
    if (!c) {
        like->is_block = like->kind == NYTP_CALLEE_METHOD && nytp_ruby_name_is_block();
        if (like->kind != NYTP_CALLEE_C) like->file = file_of(g, like, rb_tracearg_method_id(arg));
        if (!like->file) like->kind = NYTP_CALLEE_C;
        like->role = role_of(name);
        like->is_operator = like->kind == NYTP_CALLEE_C && is_operator(name);
        c = add(g, like, by_name);
        if (c) c->sub = nytp_session_sub(&g->s, c, name, c->file, c->first, c->first);
    }
    if (c) remember(g, key, nytp_map_get(&g->callees, by_name));
    nytp_cold_end(&g->s.r, work);
    return c;
}

nytp_callee *nytp_callee_of(nytp_ruby *g, rb_trace_arg_t *arg, enum nytp_callee_kind kind) {
    nytp_callee like = {.kind = kind, .path = Qnil};
    VALUE id = kind == NYTP_CALLEE_C ? rb_tracearg_callee_id(arg) : rb_tracearg_method_id(arg);
    if (kind != NYTP_CALLEE_C) {
        like.path = rb_tracearg_path(arg);
        like.first = nytp_ruby_line(arg);
    }
    uint64_t where = (uint64_t)like.first << 3 | like.kind;
    uint64_t key = mix(mix(mix(like.path, id), rb_tracearg_defined_class(arg)), where);
    nytp_callee *c = known(g, key);
    return NYTP_LIKELY(c != NULL) ? c : make_called(g, arg, &like, key);
}

nytp_callee *nytp_callee_of_text(nytp_ruby *g, rb_trace_arg_t *arg, VALUE path, int is_main) {
    static nytp_callee none; /* Ruby's internal lines are not shown */
    nytp_callee like = {.kind = NYTP_CALLEE_TEXT, .path = path, .first = 1};
    if (is_rubys_own(RSTRING_PTR(path))) return &none;
    nytp_work work = nytp_cold_begin(&g->s.r);
    like.file = file_of(g, &like, Qnil);
    uint64_t key = mix(mix(path, (uintptr_t)like.file), (uint64_t)is_main << 3 | NYTP_CALLEE_TEXT);
    nytp_callee *c = known(g, key);
    if (!c && like.file && (c = add(g, &like, key)) && !is_main)
        c->sub = nytp_session_sub(&g->s, c, nytp_ruby_name_of(arg, NYTP_CALLEE_TEXT, like.file->name.p), c->file, 1, 1);
    nytp_cold_end(&g->s.r, work);
    return c;
}

/* ---- lines ---- */

#define MOST_LINES (1u << 20) /* of a callee; all from the last on are one, as an eval may have any number */

static nytp_live_place **more_lines(nytp_ruby *g, const nytp_callee *c, uint32_t n) {
    nytp_arena *arena = nytp_arena_of(&g->s.r);
    nytp_live_place **more = nytp_arena_more(arena, c->lines, c->line_n * sizeof *more, n * sizeof *more);
    if (more) memset(more + c->line_n, 0, (n - c->line_n) * sizeof *more);
    else nytp_recorder_fail(&g->s.r);
    return more;
}

/* Lines before the first are not looked for again, as they have no code. */
nytp_live_place *nytp_callee_place(nytp_ruby *g, nytp_callee *c, uint32_t line) {
    uint32_t i = line < c->first ? 0 : line - c->first, n = c->line_n ? c->line_n : 8;
    if (i >= MOST_LINES) i = MOST_LINES - 1;
    while (i >= n) n *= 2;
    nytp_live_place **lines = n > c->line_n ? more_lines(g, c, n) : c->lines;
    if (!lines) return NULL;
    c->lines = lines;
    c->line_n = n;
    if (!lines[i]) lines[i] = nytp_session_place(&g->s, c->file, line, c->sub ? c->first : line);
    return lines[i];
}

void nytp_callee_free(nytp_ruby *g) {
    free(g->all_callees);
    nytp_map_free(&g->callees);
}
