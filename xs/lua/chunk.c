/* SPDX-License-Identifier: MIT */
/* chunk.c - files and loaded texts from which functions are compiled, and their source. */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "base/grow.h"
#include "lua/glue.h"
#include "record/disk.h"
#include "record/files.h"
#include "record/places.h"

/* ---- files and chunks ---- */

static nytp_chunk *chunk_of(nytp_lua *g, nytp_live_file *f) {
    if (!f) return NULL;
    nytp_chunk *c = f->front ? f->front : nytp_arena_get(nytp_arena_of(&g->r), sizeof *c);
    if (!c) {
        nytp_recorder_fail(&g->r);
        return NULL;
    }
    c->file = f;
    f->front = c;
    return c;
}

/* A relative name is resolved when it is first seen. */
static void put_path(nytp_buf *path, nytp_str name) {
    char cwd[4096];
    if (name.n && name.p[0] != '/' && getcwd(cwd, sizeof cwd)) {
        nytp_buf_bytes(path, cwd, strlen(cwd));
        nytp_buf_byte(path, '/');
        if (nytp_str_starts(name, NYTP_LIT("./"))) name = (nytp_str){name.p + 2, name.n - 2};
    }
    nytp_buf_bytes(path, name.p, name.n);
    nytp_buf_byte(path, 0);
}

static void keep_text(nytp_lua *g, nytp_live_file *f, nytp_str text) {
    if (f && text.n && !f->text.n) f->text = nytp_arena_str(nytp_arena_of(&g->r), text);
}

/* text: a text loaded under the name of a file, which may not exist. */
static nytp_live_file *disk_file(nytp_lua *g, nytp_str name, nytp_str text) {
    nytp_buf path = {0};
    put_path(&path, name);
    if (path.failed) {
        nytp_recorder_fail(&g->r);
        return NULL;
    }
    nytp_str whole = {(const char *)path.p, path.n - 1};
    nytp_live_file *f = nytp_places_find_file(&g->r, whole);
    if (!f) {
        f = nytp_disk_file(&g->r, whole.p);
        if (f && !f->mtime) keep_text(g, f, text);
        if (f && f->taken.n) nytp_files_tell_source(&g->r, f);
    }
    nytp_buf_free(&path);
    return f;
}

/* Different texts may have the same few characters that Lua shows. */
static nytp_str unique_name(nytp_lua *g, nytp_str name, char *room, size_t n) {
    if (!nytp_places_find_file(&g->r, name)) return name;
    snprintf(room, n, "%.*s (%u)", (int)name.n, name.p, (unsigned)nytp_places_files(&g->r) + 1);
    return nytp_str_c(room);
}

static nytp_live_file *add_text(nytp_lua *g, nytp_str name, const nytp_live_place *site, nytp_str text) {
    char room[LUA_IDSIZE + 512];
    nytp_rec_file what = {.flags = NYTP_FILE_VIA_STMT | NYTP_FILE_EVAL};
    what.name = name;
    what.parent = site ? site->file : 0;
    what.parent_line = site ? site->line : 0;
    nytp_live_file *shared = site ? nytp_places_shared_eval(&g->r, &what, text) : NULL;
    if (shared) return shared;
    what.name = unique_name(g, name, room, sizeof room);
    if (g->options.savesrc) what.flags |= NYTP_FILE_HAS_SRC | NYTP_FILE_SAVE_SRC;
    if (site) return nytp_places_add_eval(&g->r, &what, text);
    nytp_live_file *f = nytp_places_add_file(&g->r, &what);
    keep_text(g, f, text);
    return f;
}

/* The chunk of that source, of that hash, loaded at site (NULL: not by the program). text is the loaded text, if known.
 * Texts that share a file are not kept apart by their source: programs load new ones for weeks. */
static nytp_chunk *find_chunk(nytp_lua *g, const lua_Debug *ar, nytp_str source, uint64_t hash,
                              const nytp_live_place *site, nytp_str text) {
    if (source.p[0] == '@') return chunk_of(g, disk_file(g, (nytp_str){source.p + 1, source.n - 1}, text));
    uint64_t at = site ? (uint64_t)site->file << 32 | site->line : 0;
    uint64_t key = hash ^ at * UINT64_C(0x9E3779B97F4A7C15);
    uint32_t known = nytp_map_get(&g->chunks, key);
    if (known) return chunk_of(g, nytp_places_file(&g->r, known));
    nytp_str name = source.p[0] == '=' && source.n < 256 ? source : nytp_str_c(ar->short_src);
    if (source.p[0] != '=' && g->options.redact & NYTP_REDACT_EVALS) name = NYTP_LIT("[string]");
    nytp_live_file *f = add_text(g, name, site, text);
    if (!f || f->flags & NYTP_FILE_FOLDED) return chunk_of(g, f);
    uint32_t *id = nytp_map_at(&g->chunks, key);
    if (!id) nytp_recorder_fail(&g->r);
    else *id = f->id;
    return id ? chunk_of(g, f) : NULL;
}

/* ---- strings of Lua's ---- */

static nytp_str source_of(const lua_Debug *ar) {
#if LUA_VERSION_NUM >= 504
    return (nytp_str){ar->source, ar->srclen};
#else
    return nytp_str_c(ar->source);
#endif
}

static nytp_alias *alias_of(nytp_lua *g, const void *at) {
    uint32_t *id = nytp_map_at(&g->aliases, (uintptr_t)at);
    if (id && *id) return g->all_aliases[*id - 1];
    nytp_alias *a = id ? nytp_arena_get(nytp_arena_of(&g->r), sizeof *a) : NULL;
    nytp_alias **slot = nytp_grow_owned(&g->all_aliases, g->alias_n, &g->alias_room, sizeof(void *));
    if (!a || !slot) {
        nytp_recorder_fail(&g->r);
        return NULL;
    }
    *slot = a;
    *id = ++g->alias_n;
    return a;
}

void nytp_lua_chunk_reloaded(nytp_chunk *c) {
    for (nytp_function *f = c->twins; f; f = f->next_twin) f->code = 0;
}

uint64_t nytp_lua_chunk_hash(const lua_Debug *ar) { return nytp_str_quick_hash(source_of(ar)); }

static nytp_alias *learn(nytp_lua *g, nytp_alias *a, const lua_Debug *ar, nytp_str source,
                         const nytp_live_place *site, nytp_str text) {
    uint64_t hash = nytp_lua_chunk_hash(ar);
    if (!a) return NULL;
    a->is_doubtful = 0;
    if (a->chunk) nytp_lua_chunk_reloaded(a->chunk);
    if (a->chunk && a->length == source.n && a->hash == hash) return a;
    nytp_chunk *c = find_chunk(g, ar, source, hash, site, text);
    if (!c) return NULL;
    if (!c->hash) c->hash = hash;
    *a = (nytp_alias){c, source.n, hash, 0};
    return a;
}

nytp_alias *nytp_lua_chunk_of(nytp_lua *g, const lua_Debug *ar, int is_main) {
    nytp_str source = source_of(ar), none = {"", 0};
    nytp_alias *a = alias_of(g, ar->source);
    if (a && a->chunk && a->length == source.n && !a->is_doubtful && !is_main) return a;
    int is_text = source.p[0] != '=' && source.p[0] != '@';
    return learn(g, a, ar, source, NULL, is_text ? source : none);
}

void nytp_lua_chunk_doubt(nytp_lua *g) {
    for (uint32_t i = 0; i < g->alias_n; i++) g->all_aliases[i]->is_doubtful = 1;
    for (uint32_t i = 0; i < g->function_n; i++) g->functions[i]->source = NULL;
}

void nytp_lua_chunk_doubt_texts(nytp_lua *g) {
    for (uint32_t i = 0; i < g->alias_n; i++) {
        nytp_alias *a = g->all_aliases[i];
        if (a->chunk && a->chunk->file->flags & NYTP_FILE_EVAL) a->is_doubtful = 1;
    }
    for (uint32_t i = 0; i < g->function_n; i++) {
        nytp_function *f = g->functions[i];
        if (f->chunk && f->chunk->file->flags & NYTP_FILE_EVAL) f->source = NULL;
    }
}

/* Lua interns short texts: wherever they are loaded, they belong to the first place. */
void nytp_lua_chunk_loaded(nytp_lua *g, lua_State *L) {
    lua_Debug ar;
    nytp_str text = {"", 0};
    const nytp_live_place *site = g->thread->top->place;
    if (!lua_isfunction(L, -1) || lua_iscfunction(L, -1)) return;
    lua_pushvalue(L, -1);
    lua_getinfo(L, ">S", &ar);
    if (lua_type(L, 1) == LUA_TSTRING) text.p = lua_tolstring(L, 1, &text.n);
    if (text.n && text.p[0] == LUA_SIGNATURE[0]) text.n = 0;
    nytp_str source = source_of(&ar);
    nytp_alias *a = learn(g, alias_of(g, ar.source), &ar, source, site->file ? site : NULL, text);
    if (a) a->chunk->is_own_source = text.n && nytp_str_eq(source, text);
}
