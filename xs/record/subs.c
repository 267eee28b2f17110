/* SPDX-License-Identifier: MIT */
/* subs.c - finds subs by the front end's addresses, and numbers the bodies that share a name. */
#include "record/subs.h"

#include "base/grow.h"

/* The newest sub of a body; the others follow in next_of_body. */
static nytp_live_sub *first_of(const nytp_recorder *r, const void *body) {
    uint32_t id = nytp_map_get(&r->subs.by_body, (uintptr_t)body);
    return id ? r->subs.list[id] : NULL;
}

nytp_live_sub *nytp_subs_find(const nytp_recorder *r, nytp_subkey key) {
    nytp_live_sub *s = first_of(r, key.body);
    while (s && !nytp_subkey_eq(s->key, key)) s = s->next_of_body;
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

/* Takes s out of the chain of its body, so that it can join another. */
static void leave_body(nytp_recorder *r, nytp_live_sub *s) {
    nytp_live_sub *first = s->key.body ? first_of(r, s->key.body) : NULL;
    if (!first) return;
    if (first == s) {
        *nytp_map_at(&r->subs.by_body, (uintptr_t)s->key.body) = s->next_of_body ? s->next_of_body->id : 0;
        return;
    }
    while (first->next_of_body != s) first = first->next_of_body;
    first->next_of_body = s->next_of_body;
}

static int join_body(nytp_recorder *r, nytp_live_sub *s, nytp_subkey key) {
    if (!key.body) return 1; /* known by name only: never called */
    nytp_live_sub *first = first_of(r, key.body);
    uint32_t *id = nytp_map_at(&r->subs.by_body, (uintptr_t)key.body);
    if (!id) return 0;
    s->key = key;
    s->had_body = 1;
    s->next_of_body = first;
    *id = s->id;
    return 1;
}

static int may_take_over(const nytp_recorder *r, const nytp_live_sub *last, const nytp_rec_sub *what) {
    int is_folded = what->file && r->files.list[what->file]->flags & NYTP_FILE_FOLDED;
    return !last->had_body || last->ordinal >= NYTP_SUBS_VARIANTS || is_folded;
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
    nytp_live_sub *s = NULL;
    if (last && may_take_over(r, last, what)) {
        leave_body(r, last);
        s = last;
    } else if (by_name) {
        uint32_t ordinal = ordinal_of(r, key, last);
        s = make(r, what);
        if (s) s->ordinal = ordinal;
    }
    if (!s || !join_body(r, s, key)) {
        nytp_recorder_fail(r);
        return NULL;
    }
    *by_name = s->id;
    return s;
}

void nytp_subs_forget(nytp_recorder *r, const void *body) {
    nytp_live_sub *s = first_of(r, body);
    if (!s) return;
    *nytp_map_at(&r->subs.by_body, (uintptr_t)body) = 0;
    for (; s; s = s->next_of_body) s->key.body = NULL;
}
