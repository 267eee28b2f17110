/* SPDX-License-Identifier: MIT */
/* callee.c - callees: methods, blocks, files and evals. */
#include <stdlib.h>
#include <string.h>

#include "base/grow.h"
#include "record/places.h"
#include "ruby/glue.h"

static uint64_t mix(uint64_t key, uint64_t more) {
    key = (key ^ more) * UINT64_C(0x9E3779B97F4A7C15);
    return key ^ key >> 29;
}

/* The first two parts of a key. Addresses are a few strides apart, so two pairs of them may have one exclusive or: the
 * first is spread before the second is joined to it. */
static uint64_t pair(uint64_t first, uint64_t second) { return mix(mix(0, first), second); }

static int is_rubys_own(const char *path) { return strncmp(path, "<internal:", 10) == 0; }

/* ---- files ---- */

void nytp_callee_compiled(nytp_ruby *g, VALUE event) {
    VALUE text = nytp_ruby_name_eval(event);
    if (!NIL_P(text)) g->eval = nytp_session_eval(&g->s, (nytp_str){RSTRING_PTR(text), (size_t)RSTRING_LEN(text)});
}

#define NEAR 32 /* calls */

/* Evals of one line, before Ruby 3.3 all evals, have one path: a block mostly runs while its eval does. */
static nytp_live_file *running_eval(const nytp_ruby *g, VALUE path) {
    const nytp_ruby_stack *s = g->stack;
    for (uint32_t i = s->top; i > 0 && s->top - i < NEAR; i--)
        if (s->calls[i].callee->path == path) return s->calls[i].callee->file;
    return NULL;
}

/* The latest eval with that name in its text. */
static nytp_live_file *latest_eval(const nytp_recorder *r, const char *name) {
    for (uint32_t i = nytp_places_files(r); i > 0; i--) {
        nytp_live_file *f = nytp_places_file(r, i);
        if (f->flags & NYTP_FILE_EVAL && f->text.n && strstr(f->text.p, name)) return f;
    }
    return NULL;
}

static nytp_live_file *file_on_disk(nytp_ruby *g, const char *path) {
    nytp_live_file *f = nytp_session_file(&g->s, path);
    if (f && strcmp(path, "-e") == 0) nytp_session_source(&g->s, f, nytp_ruby_life_text());
    return f;
}

/* A text is that of the eval compiled last, a method is in the latest eval that defines its name. */
static nytp_live_file *file_of(nytp_ruby *g, const nytp_callee *c, VALUE id) {
    const char *path = RSTRING_PTR(c->path);
    nytp_live_file *f = c->file;
    if (is_rubys_own(path)) return NULL;
    if (!nytp_ruby_is_of_eval(c->path)) return file_on_disk(g, path);
    if (c->kind == NYTP_CALLEE_TEXT && g->eval) f = g->eval;
    else if (!f) f = latest_eval(&g->s.r, c->kind == NYTP_CALLEE_METHOD && SYMBOL_P(id) ? rb_id2name(SYM2ID(id)) : "");
    if (c->kind == NYTP_CALLEE_TEXT) g->eval = NULL;
    return f ? f : file_on_disk(g, path);
}

/* ---- callees ---- */

static nytp_callee *known(const nytp_ruby *g, const nytp_map *map, uint64_t key) {
    uint32_t number = nytp_map_get(map, key);
    return number ? g->all[number - 1] : NULL;
}

static void remember(nytp_ruby *g, nytp_map *map, uint64_t key, const nytp_callee *c) {
    uint32_t *number = nytp_map_at(map, key);
    if (number) *number = c->number;
    else nytp_recorder_fail(&g->s.r);
}

static nytp_callee *add(nytp_ruby *g, const nytp_callee *like, uint64_t key) {
    nytp_callee **slot = nytp_grow_owned(&g->all, g->callee_n, &g->callee_room, sizeof *slot);
    nytp_callee *c = slot ? nytp_arena_get(nytp_arena_of(&g->s.r), sizeof *c) : NULL;
    if (!c) {
        nytp_recorder_fail(&g->s.r);
        return NULL;
    }
    *c = *like;
    c->number = ++g->callee_n;
    if (!NIL_P(c->path)) nytp_ruby_life_keep(c->path);
    remember(g, &g->by_name, key, c);
    return *slot = c;
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

/* Methods in C for which Ruby has instructions. */
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

static nytp_callee *complete(nytp_ruby *g, rb_trace_arg_t *arg, nytp_callee *like, const char *name, uint64_t key) {
    like->is_block = like->kind == NYTP_CALLEE_METHOD && nytp_ruby_name_is_block();
    if (like->kind != NYTP_CALLEE_C) like->file = file_of(g, like, rb_tracearg_method_id(arg));
    if (!like->file) like->kind = NYTP_CALLEE_C;
    like->role = role_of(name);
    like->is_operator = like->kind == NYTP_CALLEE_C && is_operator(name);
    nytp_callee *c = add(g, like, key);
    if (c) c->sub = nytp_session_sub(&g->s, c, name, c->file, c->lines.first, c->lines.first);
    return c;
}

/* Singleton methods of one name and line are one callee, whatever their objects. */
static nytp_callee *make_called(nytp_ruby *g, rb_trace_arg_t *arg, nytp_callee *like, uint64_t key) {
    nytp_work work = nytp_cold_begin(&g->s.r);
    const char *name = nytp_ruby_name_of(arg, (enum nytp_callee_kind)like->kind, "");
    uint64_t where = (uint64_t)like->lines.first << 3 | like->kind;
    uint64_t by_name = mix(mix(pair(nytp_str_hash(nytp_str_c(name)), like->path), where), (uintptr_t)like->file);
    nytp_callee *c = known(g, &g->by_name, by_name);
    if (!c) c = complete(g, arg, like, name, by_name);
    if (c) remember(g, &g->by_class, key, c);
    nytp_ruby_life_watch(rb_tracearg_defined_class(arg));
    nytp_cold_end(&g->s.r, work);
    return c;
}

nytp_callee *nytp_callee_of(nytp_ruby *g, rb_trace_arg_t *arg, enum nytp_callee_kind kind) {
    nytp_callee like = {.kind = kind, .path = Qnil};
    VALUE id = kind == NYTP_CALLEE_C ? rb_tracearg_callee_id(arg) : rb_tracearg_method_id(arg);
    if (kind != NYTP_CALLEE_C) {
        like.path = rb_tracearg_path(arg);
        like.lines.first = nytp_ruby_line(arg);
    }
    if (kind == NYTP_CALLEE_BLOCK && nytp_ruby_is_of_eval(like.path)) like.file = running_eval(g, like.path);
    uint64_t where = ((uint64_t)like.lines.first << 3 | like.kind) + (uintptr_t)like.file;
    uint64_t key = mix(mix(pair(like.path, id), rb_tracearg_defined_class(arg)), where);
    nytp_callee *c = known(g, &g->by_class, key);
    return NYTP_LIKELY(c != NULL) ? c : make_called(g, arg, &like, key);
}

nytp_callee *nytp_callee_of_text(nytp_ruby *g, rb_trace_arg_t *arg, VALUE path, int is_main) {
    static nytp_callee none; /* Ruby's internal lines are not shown */
    nytp_callee like = {.kind = NYTP_CALLEE_TEXT, .path = path, .lines.first = 1};
    if (is_rubys_own(RSTRING_PTR(path))) return &none;
    nytp_work work = nytp_cold_begin(&g->s.r);
    like.file = file_of(g, &like, Qnil);
    uint64_t key = mix(pair(path, (uintptr_t)like.file), (uint64_t)is_main << 3 | NYTP_CALLEE_TEXT);
    nytp_callee *c = known(g, &g->by_name, key);
    if (!c && like.file && (c = add(g, &like, key)) && !is_main)
        c->sub = nytp_session_sub(&g->s, c, nytp_ruby_name_of(arg, NYTP_CALLEE_TEXT, like.file->name.p), c->file, 1, 1);
    nytp_cold_end(&g->s.r, work);
    return c;
}

void nytp_callee_freed(nytp_ruby *g) { nytp_map_free(&g->by_class); }

void nytp_callee_free(nytp_ruby *g) {
    free(g->all);
    nytp_map_free(&g->by_class);
    nytp_map_free(&g->by_name);
}
