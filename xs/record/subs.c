/* SPDX-License-Identifier: MIT */
/* subs.c - finds subs by the front end's addresses, and numbers the bodies that share a name. */
#include "record/subs.h"

#include "base/grow.h"

/* The newest sub of a body; the others follow in next_of_body. */
static nytp_live_sub *first_of(const nytp_recorder *r, const void *body) {
    uint32_t id = nytp_map_get(&r->subs.by_body, (uintptr_t)body);
    return id ? r->subs.list[id] : NULL;
}

/* A body may have any number of names: closures of one place that are named at run time. */
static uint64_t hash_of(nytp_subkey key) {
    const uint64_t factor = UINT64_C(0x9E3779B97F4A7C15);
    uint64_t hash = (uintptr_t)key.body * factor;
    hash = (hash ^ hash >> 32 ^ (uintptr_t)key.name) * factor;
    hash = (hash ^ hash >> 32 ^ (uintptr_t)key.package) * factor;
    return (hash ^ hash >> 32 ^ (uintptr_t)key.alias) * factor;
}

nytp_live_sub *nytp_subs_find(const nytp_recorder *r, nytp_subkey key) {
    uint32_t id = nytp_map_get(&r->subs.by_key, hash_of(key));
    nytp_live_sub *s = id ? r->subs.list[id] : NULL;
    while (s && !nytp_subkey_eq(s->key, key)) s = s->next_of_key;
    return s;
}

static int is_named(const void *of, uint32_t id, const void *name) {
    return nytp_str_eq(((const nytp_live_subs *)of)->list[id]->name, *(const nytp_str *)name);
}

nytp_live_sub *nytp_subs_named(const nytp_recorder *r, nytp_str name) {
    uint32_t id = nytp_table_get(&r->subs.by_name, nytp_str_hash(name), is_named, &r->subs, &name);
    return id ? r->subs.list[id] : NULL;
}

static nytp_live_sub *make(nytp_recorder *r, const nytp_rec_sub *what) {
    nytp_live_sub *s = nytp_arena_get(&r->arena, sizeof *s);
    nytp_live_sub **slot = nytp_grow_owned(&r->subs.list, r->subs.n + 1, &r->subs.room, sizeof *slot);
    if (!s || !slot) return NULL;
    s->name = nytp_arena_str(&r->arena, what->name);
    s->alias = nytp_arena_str(&r->arena, what->alias);
    if (!s->name.p || !s->alias.p) return NULL;
    s->flags = (uint32_t)what->flags;
    s->file = (uint32_t)what->file;
    s->first_line = (uint32_t)what->first_line;
    s->last_line = (uint32_t)what->last_line;
    s->id = ++r->subs.n;
    return *slot = s;
}

/* No key finds s any more. */
static void leave_key(nytp_recorder *r, nytp_live_sub *s) {
    uint64_t hash = hash_of(s->key);
    nytp_live_sub *first = r->subs.list[nytp_map_get(&r->subs.by_key, hash)];
    if (first != s) {
        while (first->next_of_key != s) first = first->next_of_key;
        first->next_of_key = s->next_of_key;
    } else if (s->next_of_key) *nytp_map_at(&r->subs.by_key, hash) = s->next_of_key->id;
    else nytp_map_drop(&r->subs.by_key, hash);
}

/* Takes s out of the chain of its body, so that it can join another. */
static void leave_body(nytp_recorder *r, nytp_live_sub *s) {
    if (!s->key.body) return;
    leave_key(r, s);
    if (s->next_of_body) s->next_of_body->before = s->before;
    if (s->before) s->before->next_of_body = s->next_of_body;
    else *nytp_map_at(&r->subs.by_body, (uintptr_t)s->key.body) = s->next_of_body ? s->next_of_body->id : 0;
    s->key.body = NULL;
}

static int join_body(nytp_recorder *r, nytp_live_sub *s, nytp_subkey key) {
    s->had_body = key.body ? NYTP_SUBS_CALLED : NYTP_SUBS_NEVER;
    if (!key.body) return 1; /* known by name only: never called */
    nytp_live_sub *first = first_of(r, key.body);
    uint32_t *of_key = nytp_map_at(&r->subs.by_key, hash_of(key));
    uint32_t *id = of_key ? nytp_map_at(&r->subs.by_body, (uintptr_t)key.body) : NULL;
    if (!id) return 0;
    s->key = key;
    s->next_of_key = *of_key ? r->subs.list[*of_key] : NULL;
    s->next_of_body = first;
    s->before = NULL;
    if (first) first->before = s;
    *of_key = *id = s->id;
    return 1;
}

/* ---- subs that lost their code ---- */

static uint64_t lines_key(uint64_t file, uint64_t first_line, uint64_t last_line) {
    return ((file << 32 | first_line) * UINT64_C(0x9E3779B97F4A7C15)) ^ last_line;
}

static void count_gone(nytp_recorder *r, const nytp_live_sub *s, int more) {
    uint32_t *n = s->file ? nytp_map_at(&r->subs.gone, lines_key(s->file, s->first_line, s->last_line)) : NULL;
    if (n) *n += (uint32_t)more;
}

int nytp_subs_come_and_go(const nytp_recorder *r, const nytp_rec_sub *what) {
    uint64_t key = lines_key(what->file, what->first_line, what->last_line);
    return what->file && nytp_map_get(&r->subs.gone, key) >= NYTP_SUBS_VARIANTS;
}

/* ---- subs that rest: by name, file and lines ---- */

static uint64_t resting_key(nytp_str name, nytp_str alias, uint64_t first_line) {
    const uint64_t factor = UINT64_C(0x9E3779B97F4A7C15);
    return ((nytp_str_hash(name) + first_line) * factor) ^ nytp_str_hash(alias);
}

static uint64_t own_resting_key(const nytp_live_sub *s) { return resting_key(s->name, s->alias, s->first_line); }

/* The flag is not of the code. */
static uint64_t flags_of_code(uint64_t flags) { return flags & ~(uint64_t)NYTP_SUB_DIED_FIRST; }

static int is_like(const nytp_live_sub *s, const nytp_rec_sub *what) {
    return s->file == what->file && s->first_line == what->first_line && s->last_line == what->last_line &&
           flags_of_code(s->flags) == flags_of_code(what->flags) && nytp_str_eq(s->name, what->name) &&
           nytp_str_eq(s->alias, what->alias);
}

static nytp_live_sub *resting_like(const nytp_recorder *r, const nytp_rec_sub *what) {
    uint32_t id = nytp_map_get(&r->subs.resting, resting_key(what->name, what->alias, what->first_line));
    nytp_live_sub *s = id ? r->subs.list[id] : NULL;
    while (s && !is_like(s, what)) s = s->next_of_key;
    return s;
}

/* When memory is short s is found no more. */
static void rest(nytp_recorder *r, nytp_live_sub *s) {
    uint32_t *first = nytp_map_at(&r->subs.resting, own_resting_key(s));
    s->had_body = NYTP_SUBS_RESTING;
    s->next_of_key = first && *first ? r->subs.list[*first] : NULL;
    if (first) *first = s->id;
}

static void wake(nytp_recorder *r, nytp_live_sub *s) {
    uint32_t *first = nytp_map_at(&r->subs.resting, own_resting_key(s));
    nytp_live_sub *at = first && *first ? r->subs.list[*first] : NULL;
    if (at == s) *first = s->next_of_key ? s->next_of_key->id : 0;
    while (at && at->next_of_key != s) at = at->next_of_key;
    if (at) at->next_of_key = s->next_of_key;
    s->next_of_key = NULL;
}

/* The first of those alike is the first to be found. */
void nytp_subs_rest(nytp_recorder *r) {
    nytp_map_free(&r->subs.by_body);
    nytp_map_free(&r->subs.by_key);
    for (uint32_t id = r->subs.n; id; id--) {
        nytp_live_sub *s = r->subs.list[id];
        if (s->had_body != NYTP_SUBS_CALLED) continue;
        if (s->key.body) count_gone(r, s, 1);
        s->key.body = NULL;
        s->next_of_body = s->before = NULL;
        rest(r, s);
    }
}

int nytp_subs_in_use(const nytp_recorder *r, nytp_str name) {
    const nytp_live_sub *s = nytp_subs_named(r, name);
    return s && s->had_body != NYTP_SUBS_RESTING;
}

/* ---- a body's name, and its number among those of this name ---- */

static int may_take_over(const nytp_recorder *r, const nytp_live_sub *last, const nytp_rec_sub *what) {
    int is_folded = what->file && r->files.list[what->file]->flags & NYTP_FILE_FOLDED;
    int is_full = last->ordinal >= NYTP_SUBS_VARIANTS || nytp_subs_come_and_go(r, what);
    return !last->had_body || is_full || is_folded;
}

/* Another name for a body already known (an alias) is the same numbered body; a new body counts on. */
static uint32_t ordinal_of(const nytp_recorder *r, nytp_subkey key, const nytp_live_sub *last) {
    for (const nytp_live_sub *s = first_of(r, key.body); s && last; s = s->next_of_body)
        if (nytp_str_eq(s->name, last->name)) return s->ordinal;
    return last ? last->ordinal + 1 : 1;
}

nytp_live_sub *nytp_subs_add(nytp_recorder *r, nytp_subkey key, const nytp_rec_sub *what) {
    uint32_t *by_name = nytp_table_at(&r->subs.by_name, nytp_str_hash(what->name), is_named, &r->subs, &what->name);
    nytp_live_sub *last = by_name && *by_name ? r->subs.list[*by_name] : NULL;
    nytp_live_sub *s = key.body ? resting_like(r, what) : NULL;
    int is_older = s && last;
    if (!s && last && may_take_over(r, last, what)) s = last;
    if (s) {
        if (s->had_body && !s->key.body) count_gone(r, s, -1);
        if (s->had_body == NYTP_SUBS_RESTING) wake(r, s);
        leave_body(r, s);
    } else if (by_name) {
        uint32_t ordinal = ordinal_of(r, key, last);
        s = make(r, what);
        if (s) s->ordinal = ordinal;
    }
    if (!s || !join_body(r, s, key)) {
        nytp_recorder_fail(r);
        return NULL;
    }
    if (by_name && (!is_older || s->ordinal >= last->ordinal)) *by_name = s->id;
    return s;
}

void nytp_subs_forget(nytp_recorder *r, const void *body) {
    nytp_live_sub *s = first_of(r, body);
    if (!s) return;
    *nytp_map_at(&r->subs.by_body, (uintptr_t)body) = 0;
    for (; s; s = s->next_of_body) {
        leave_key(r, s);
        s->key.body = NULL;
        count_gone(r, s, 1);
    }
}
