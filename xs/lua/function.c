/* SPDX-License-Identifier: MIT */
/* function.c - the identity of functions: chunk and lines, or the address of a C function. Closures are made by the
 * million, and Lua reuses their addresses.
 *
 * Functions that begin and end in the same lines (all of a minified file do) are told apart by their code: by a hash of
 * lua_dump's output when a prototype is seen first, then by the prototype's address. */
#include "lua/glue.h"

#include <stdlib.h>
#include <string.h>

#include "base/grow.h"
#include "lua/work.h"
#include "record/places.h"

/* Of functions that have not been called yet, and of those in C. */
static const nytp_alias no_alias;

void nytp_function_begin(nytp_lua *g) {
    g->unseen.front[NYTP_WORK_NEXT] = NYTP_WORK_UNSEEN;
    g->no_lines = &g->unseen;
    g->host.exit = NYTP_EVENT_LEAF_EXIT;
    g->host.lines = &g->no_lines;
}

static nytp_function *make(nytp_lua *g, nytp_chunk *chunk, int first) {
    nytp_function *f = nytp_arena_get(nytp_arena_of(&g->r), sizeof *f);
    nytp_function **slot = nytp_grow_owned(&g->functions, g->function_n, &g->function_room, sizeof(void *));
    if (!f || !slot) {
        nytp_recorder_fail(&g->r);
        return NULL;
    }
    *slot = f;
    g->function_n++;
    f->chunk = chunk;
    f->first = first > 0 ? (uint32_t)first : 0;
    f->enter = chunk ? NYTP_EVENT_ENTER : NYTP_EVENT_LEAF_ENTER;
    f->exit = chunk ? NYTP_EVENT_EXIT : NYTP_EVENT_LEAF_EXIT;
    f->less = chunk ? 0 : NYTP_WORK_FROM_C;
    f->alias = &no_alias;
    f->lines = &g->no_lines;
    return f;
}

static void forget_lines(nytp_lua *g, nytp_function *f) {
    if (f->lines != &g->no_lines) free(f->lines);
    f->lines = &g->no_lines;
    f->mask = 0;
}

void nytp_function_free(nytp_lua *g) {
    nytp_lua_lines_free(g);
    for (uint32_t i = 0; i < g->function_n; i++) forget_lines(g, g->functions[i]);
    for (uint32_t id = 1; id <= nytp_places_files(&g->r); id++) {
        nytp_chunk *c = nytp_places_file(&g->r, id)->front;
        if (c) nytp_map_free(&c->functions);
    }
    free(g->functions);
    nytp_map_free(&g->c_functions);
}

/* A function without a sub could not be made. */
static nytp_function *usable(nytp_function *f) { return f->sub ? f : NULL; }

/* Makes and names a function, the nth of its lines. */
static nytp_function *add(nytp_lua *g, lua_State *L, lua_Debug *ar, nytp_chunk *chunk, uint32_t role, uint32_t nth) {
    nytp_function *f = make(g, chunk, chunk ? ar->linedefined : 0);
    if (!f) return NULL;
    f->role = role;
    f->nth = nth;
    f->defined = (uint32_t)ar->linedefined;
    f->ended = (uint32_t)ar->lastlinedefined;
    f->sub = nytp_lua_name_sub(g, L, ar, f);
    if (f->sub && chunk) nytp_lua_lines_mark(g, L, ar, chunk->file);
    return usable(f);
}

/* The first function of this key in map, which is added if there is none. */
static nytp_function *find(nytp_lua *g, lua_State *L, lua_Debug *ar, nytp_map *map, uint64_t key, nytp_chunk *chunk,
                           uint32_t role) {
    uint32_t *id = nytp_map_at(map, key), next = g->function_n;
    if (id && *id) return usable(g->functions[*id - 1]);
    nytp_function *f = id ? add(g, L, ar, chunk, role, 1) : NULL;
    if (g->function_n > next) *id = next + 1;
    return f;
}

static uint32_t role_of(const nytp_lua *g, lua_CFunction function) {
    for (uint32_t role = NYTP_ROLE_NONE + 1; role < NYTP_ROLES; role++)
        if (g->roles[role] == function) return role;
    return NYTP_ROLE_NONE;
}

static lua_CFunction address_of(lua_State *L, lua_Debug *ar) {
    lua_getinfo(L, "f", ar);
    lua_CFunction address = lua_tocfunction(L, -1);
    lua_pop(L, 1);
    return address;
}

static uint64_t key_of(lua_CFunction address) {
    uint64_t key = 0;
    memcpy(&key, &address, sizeof address < sizeof key ? sizeof address : sizeof key);
    return key;
}

static nytp_function *c_function(nytp_lua *g, lua_State *L, lua_Debug *ar, lua_CFunction address) {
    uint32_t known = nytp_map_get(&g->c_functions, key_of(address));
    if (NYTP_LIKELY(known != 0)) return usable(g->functions[known - 1]);
    lua_getinfo(L, "S", ar);
    nytp_function *f = find(g, L, ar, &g->c_functions, key_of(address), NULL, role_of(g, address));
    if (f) f->address = address;
    if (f && !f->role && nytp_lua_name_may_wait(f->sub->name)) f->role = NYTP_ROLE_WAIT;
    return f;
}

/* Identity of a callee: address of a C function; else its source, lines, and the address of its code or, if the layout
 * is unknown, its parameters. */
typedef struct callee {
    lua_CFunction address;
    const char *source;
    uint32_t first, last;
    uintptr_t code;
} callee;

/* Returns 0 if the layout is not known. */
static int see(const nytp_layout *y, const lua_Debug *ar, callee *who) {
    if (!y->is_known) return 0;
    const char *slot = nytp_layout_load((const char *)ar->i_ci), *value = nytp_layout_load(slot);
    uint8_t tag = (uint8_t)slot[sizeof(void *)];
    if (tag != y->lua_tag) {
        if (tag != y->light_tag && tag != y->c_tag) return 0;
        memcpy(&who->address, tag == y->light_tag ? slot : value + NYTP_LAYOUT_CODE, sizeof who->address);
        return who->address != NULL;
    }
    const char *proto = nytp_layout_load(value + NYTP_LAYOUT_CODE), *object = nytp_layout_load(proto + y->source);
    uint32_t lines[2];
    memcpy(lines, proto + y->lines, sizeof lines);
    *who = (callee){NULL, object + y->head, lines[0], lines[1], (uintptr_t)proto};
    return object != NULL;
}

/* The same by lua_getinfo, first for the cheap fields, which suffice if the guess is right. */
static void ask(lua_State *L, lua_Debug *ar, const nytp_function *guess, callee *who) {
    *who = (callee){0};
    if (guess && !guess->chunk) who->address = address_of(L, ar);
    if (who->address) return;
    lua_getinfo(L, "Su", ar);
    uintptr_t parameters = 1u << 24 | (uintptr_t)ar->isvararg << 16 | (uintptr_t)ar->nparams << 8 | ar->nups;
    if (ar->what[0] == 'C') who->address = address_of(L, ar);
    else *who = (callee){NULL, ar->source, (uint32_t)ar->linedefined, (uint32_t)ar->lastlinedefined, parameters};
}

static nytp_function **recent_slot(nytp_lua *g, const callee *who) {
    uint64_t h = ((uintptr_t)who->source ^ who->code << 4) * UINT64_C(0x9E3779B97F4A7C15);
    h += (uint64_t)who->first * 0x9E3779B1u;
    return g->recent + (h >> 20 & (NYTP_RECENT - 1));
}

/* 1 if f is called, and the string at that address still names its chunk. 0 for a main chunk, which must be checked:
 * see nytp_alias. */
static int is_same(const nytp_function *f, const callee *who) {
    return f->source == who->source && f->code == who->code && f->defined == who->first &&
           f->ended == who->last && f->alias->chunk == f->chunk;
}

/* ---- functions of the same lines ---- */

/* Most pieces are one byte. */
static int add_piece(lua_State *L, const void *piece, size_t n, void *print) {
    const char *bytes = piece;
    uint64_t h;
    (void)L;
    memcpy(&h, print, sizeof h);
    h ^= n == 1 ? (unsigned char)*bytes : nytp_str_quick_hash((nytp_str){bytes, n});
    h *= UINT64_C(0x9E3779B97F4A7C15);
    memcpy(print, &h, sizeof h);
    return 0;
}

uint64_t nytp_function_print(lua_State *L) {
    uint64_t print = 0;
    lua_dump(L, add_piece, &print, 1);
    return print;
}

static uint64_t print_of(const nytp_lua *g, lua_State *L, lua_Debug *ar, const callee *who) {
    if (!g->layout.is_known) return who->code;
    lua_getinfo(L, "f", ar);
    uint64_t print = nytp_function_print(L);
    lua_pop(L, 1);
    return print;
}

static void list_twin(nytp_chunk *c, nytp_function *f) {
    if (f->is_twin) return;
    f->is_twin = 1;
    f->next_twin = c->twins;
    c->twins = f;
    c->twin_n++;
}

/* In a chunk that stands for many texts new functions count as the first on their lines, to bound their number. */
static int may_have_new_twins(const nytp_lua *g, const nytp_chunk *c) {
    return !c->is_mixed && !(c->file->flags & NYTP_FILE_FOLDED) && c->twin_n < g->options.maxsiteevals;
}

/* The function on the lines of f with the code of the one called. */
static nytp_function *twin_of(nytp_lua *g, lua_State *L, lua_Debug *ar, nytp_function *f, const callee *who) {
    nytp_chunk *c = f->chunk;
    uint32_t nth = 2;
    if (!c->twins && !may_have_new_twins(g, c)) return f;
    uint64_t print = print_of(g, L, ar, who);
    if (!f->print) f->print = print;
    if (f->print == print) return f;
    for (nytp_function *t = c->twins; t; t = t->next_twin) {
        if (t == f || t->defined != f->defined || t->ended != f->ended) continue;
        if (t->print == print) return t;
        nth++;
    }
    if (!may_have_new_twins(g, c)) return f;
    nytp_function *t = add(g, L, ar, c, NYTP_ROLE_NONE, nth);
    if (!t) return NULL;
    t->print = print;
    list_twin(c, f);
    list_twin(c, t);
    return t;
}

/* A main chunk has no twins, but another text may be at its address, unless the text is its own source. */
static void look_at_main(const nytp_lua *g, lua_State *L, lua_Debug *ar, nytp_function *f, const callee *who) {
    nytp_lua_chunk_reloaded(f->chunk);
    if (!g->layout.is_known || f->code == who->code || f->chunk->is_own_source) return;
    uint64_t print = print_of(g, L, ar, who);
    if (f->print && f->print != print) f->chunk->is_mixed = 1;
    f->print = print;
}

static nytp_function *look_up(nytp_lua *g, lua_State *L, lua_Debug *ar, const callee *who, nytp_function **slot) {
    lua_getinfo(L, "S", ar);
    const char *source = ar->what[0] == 'm' ? NULL : ar->source;
    nytp_alias *a = nytp_lua_chunk_of(g, ar, !source);
    if (!a) return NULL;
    uint64_t key = (uint64_t)(uint32_t)ar->linedefined << 32 | (uint32_t)ar->lastlinedefined;
    nytp_function *f = find(g, L, ar, &a->chunk->functions, key, a->chunk, NYTP_ROLE_NONE);
    if (f && source) f = twin_of(g, L, ar, f, who);
    else if (f) look_at_main(g, L, ar, f, who);
    if (!f) return NULL;
    f->source = source;
    f->code = who->code;
    f->alias = a;
    return *slot = f;
}

/* Runs once for a function, but at every call of a main chunk. */
NYTP_COLD nytp_function *look_up_once(nytp_lua *g, lua_State *L, lua_Debug *ar, const callee *who,
                                      nytp_function **slot) {
    nytp_work w = nytp_cold_begin(&g->r);
    nytp_function *f = look_up(g, L, ar, who, slot);
    nytp_cold_end(&g->r, w);
    return f;
}

nytp_function *nytp_function_of(nytp_lua *g, lua_State *L, lua_Debug *ar, nytp_function *guess) {
    callee who;
    if (NYTP_UNLIKELY(!see(&g->layout, ar, &who))) ask(L, ar, guess, &who);
    if (who.address) return guess && guess->address == who.address ? guess : c_function(g, L, ar, who.address);
    if (guess && is_same(guess, &who)) return guess;
    nytp_function **slot = recent_slot(g, &who);
    return *slot && is_same(*slot, &who) ? *slot : look_up_once(g, L, ar, &who, slot);
}

/* For the line at i; a power of two. */
static int make_room(nytp_lua *g, nytp_function *f, uint32_t i) {
    uint32_t had = f->lines == &g->no_lines ? 0 : f->mask + 1, n = had ? had : 8;
    while (n <= i) n *= 2;
    if (n == had) return 1;
    nytp_live_place **lines = realloc(had ? f->lines : NULL, n * sizeof(nytp_live_place *));
    if (!lines) return 0;
    for (uint32_t at = had; at < n; at++) lines[at] = &g->unseen;
    f->lines = lines;
    f->mask = n - 1;
    return 1;
}

nytp_live_place *nytp_function_place(nytp_lua *g, nytp_function *f, int line) {
    uint32_t at = line > 0 ? (uint32_t)line : 0;
    nytp_rec_place what = {0};
    if (!f->chunk) return NULL;
    if (at < f->first) { /* code without line numbers; places are shared, so none is lost */
        forget_lines(g, f);
        f->first = at;
    }
    uint32_t i = at - f->first;
    nytp_live_place *known = nytp_function_known_place(f, (int)at);
    if (known) return known;
    if (!make_room(g, f, i)) {
        nytp_recorder_fail(&g->r);
        return NULL;
    }
    what.file = f->chunk->file->id;
    what.line = at;
    what.block_line = what.sub_line = f->sub->first_line ? f->sub->first_line : 1;
    nytp_live_place *p = nytp_places_add(&g->r, &what, 1);
    if (p) f->lines[i] = p; /* the hook looks at what is there without asking */
    return p;
}

/* ---- functions with a role ---- */

/* Pushes library[name], or _G[name] where library is NULL; not by way of metamethods. */
static void push_function(lua_State *L, const char *library, const char *name) {
    lua_pushglobaltable(L);
    if (library) {
        lua_pushstring(L, library);
        lua_rawget(L, -2);
        lua_remove(L, -2);
    }
    if (lua_istable(L, -1)) {
        lua_pushstring(L, name);
        lua_rawget(L, -2);
        lua_remove(L, -2);
    }
}

static lua_CFunction library_function(lua_State *L, const char *library, const char *name) {
    push_function(L, library, name);
    lua_CFunction found = lua_tocfunction(L, -1);
    lua_pop(L, 1);
    return found;
}

/* The function that coroutine.wrap makes closures of has no name. */
static lua_CFunction wrapped_function(lua_State *L) {
    int before = lua_gettop(L);
    lua_CFunction found = NULL;
    push_function(L, "coroutine", "wrap");
    if (lua_iscfunction(L, -1)) {
        lua_pushvalue(L, -1);
        if (lua_pcall(L, 1, 1, 0) == LUA_OK) found = lua_tocfunction(L, -1);
    }
    lua_settop(L, before);
    return found;
}

void nytp_function_roles(nytp_lua *g, lua_State *L) {
    g->roles[NYTP_ROLE_LOAD] = library_function(L, NULL, "load");
    g->roles[NYTP_ROLE_YIELD] = library_function(L, "coroutine", "yield");
    g->roles[NYTP_ROLE_RESUME] = library_function(L, "coroutine", "resume");
    g->roles[NYTP_ROLE_WRAPPED] = wrapped_function(L);
}
