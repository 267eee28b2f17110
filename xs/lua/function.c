/* function.c - which function is it? By what it was compiled from and its lines, or by its address in C: closures come
 * and go by the million, and Lua uses their addresses again. */
#include "lua/glue.h"

#include <stdlib.h>
#include <string.h>

#include "record/places.h"

static nytp_function *make(nytp_lua *g, nytp_chunk *chunk, int first) {
    nytp_function *f = nytp_arena_get(&g->r.arena, sizeof *f);
    if (!f || !nytp_glue_push(&g->functions, &g->function_n, f)) {
        nytp_recorder_fail(&g->r);
        return NULL;
    }
    f->chunk = chunk;
    f->first = first > 0 ? (uint32_t)first : 0;
    f->enter = chunk ? NYTP_EVENT_ENTER : NYTP_EVENT_LEAF_ENTER;
    f->exit = chunk ? NYTP_EVENT_EXIT : NYTP_EVENT_LEAF_EXIT;
    return f;
}

void nytp_function_free(nytp_lua *g) {
    for (uint32_t i = 0; i < g->function_n; i++) free(g->functions[i]->lines);
    for (uint32_t id = 1; id <= g->r.file_n; id++) {
        nytp_chunk *c = g->r.files[id]->front;
        if (c) nytp_map_free(&c->functions);
    }
    free(g->functions);
    nytp_map_free(&g->c_functions);
}

/* One whose making failed has no sub. */
static nytp_function *usable(nytp_function *f) { return f->sub ? f : NULL; }

/* The function of that key, made and named if it is new. */
static nytp_function *find(nytp_lua *g, lua_State *L, lua_Debug *ar, nytp_map *map, uint64_t key, nytp_chunk *chunk,
                           uint32_t role) {
    uint32_t *id = nytp_map_at(map, key);
    if (id && *id) return usable(g->functions[*id - 1]);
    nytp_function *f = id ? make(g, chunk, chunk ? ar->linedefined : 0) : NULL;
    if (!f) return NULL;
    *id = g->function_n;
    f->role = role;
    f->defined = (uint32_t)ar->linedefined;
    f->ended = (uint32_t)ar->lastlinedefined;
    f->sub = nytp_name_sub(g, L, ar, f);
    return usable(f);
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
    return f;
}

static nytp_function **recent_slot(nytp_lua *g, const lua_Debug *ar) {
    uint64_t h = (uintptr_t)ar->source * UINT64_C(0x9E3779B97F4A7C15) + (uint64_t)ar->linedefined * 0x9E3779B1u;
    return g->recent + (h >> 20 & (NYTP_RECENT - 1));
}

/* 1: what ar has of source "S" is f's, and the string at that address still names f's chunk. 0 for a main chunk, which
 * has to be looked at: see nytp_alias. */
NYTP_HOT int is_same(const nytp_function *f, const lua_Debug *ar) {
    return f->source == ar->source && f->defined == (uint32_t)ar->linedefined &&
           f->ended == (uint32_t)ar->lastlinedefined && f->alias->chunk == f->chunk
#if LUA_VERSION_NUM >= 504
           && f->alias->length == ar->srclen
#endif
        ;
}

NYTP_COLD nytp_function *look_up(nytp_lua *g, lua_State *L, lua_Debug *ar, nytp_function **slot) {
    nytp_alias *a = nytp_chunk_of(g, ar, ar->what[0] == 'm');
    if (!a) return NULL;
    uint64_t key = (uint64_t)(uint32_t)ar->linedefined << 32 | (uint32_t)ar->lastlinedefined;
    const char *source = ar->what[0] == 'm' ? NULL : ar->source;
    nytp_function *f = find(g, L, ar, &a->chunk->functions, key, a->chunk, NYTP_ROLE_NONE);
    if (!f) return NULL;
    f->source = source;
    f->alias = a;
    return *slot = f;
}

nytp_function *nytp_function_of(nytp_lua *g, lua_State *L, lua_Debug *ar, nytp_function *guess) {
    if (guess && !guess->chunk) {
        lua_CFunction address = address_of(L, ar);
        if (NYTP_LIKELY(address == guess->address)) return guess;
        if (address) return c_function(g, L, ar, address);
    }
    lua_getinfo(L, "S", ar);
    if (NYTP_LIKELY(guess && guess->chunk && is_same(guess, ar))) return guess;
    if (ar->what[0] == 'C') return c_function(g, L, ar, address_of(L, ar));
    nytp_function **slot = recent_slot(g, ar);
    return *slot && is_same(*slot, ar) ? *slot : look_up(g, L, ar, slot);
}

static int make_room(nytp_function *f, uint32_t i) {
    uint32_t n = f->n ? f->n * 2 : 8;
    if (n <= i) n = i + 1;
    nytp_place **lines = realloc(f->lines, n * sizeof(nytp_place *));
    if (!lines) return 0;
    memset(lines + f->n, 0, (n - f->n) * sizeof *lines);
    f->lines = lines;
    f->n = n;
    return 1;
}

/* Code without line numbers is all in line 0, which stands before the others. */
static void begin_at(nytp_function *f, uint32_t line) {
    f->first = line;
    free(f->lines);
    f->lines = NULL;
    f->n = 0;
}

nytp_place *nytp_function_place(nytp_lua *g, nytp_function *f, int line) {
    uint32_t at = line > 0 ? (uint32_t)line : 0;
    nytp_rec_place what = {0};
    if (at < f->first) begin_at(f, at); /* places are shared, so none is lost */
    uint32_t i = at - f->first;
    if (i < f->n && f->lines[i]) return f->lines[i];
    if (i >= f->n && !make_room(f, i)) {
        nytp_recorder_fail(&g->r);
        return NULL;
    }
    what.file = f->chunk->file->id;
    what.line = at;
    what.block_line = what.sub_line = f->sub->first_line ? f->sub->first_line : 1;
    return f->lines[i] = nytp_places_add(&g->r, &what, 1);
}
