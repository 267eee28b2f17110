/* SPDX-License-Identifier: MIT */
/* places.c - interns files by name and folds string evals past a limit; makes places. */
#include "record/places.h"

#include <stddef.h>

#include "base/grow.h"

/* Texts of evals kept for a second definition; beyond it texts are written once and freed. */
#define TEXT_BUDGET (8u << 20)

_Static_assert(sizeof(nytp_live_place) <= NYTP_POOL_SLOT, "a place fits its slot");
_Static_assert(offsetof(nytp_live_place, written_ticks) == 64, "what events touch fits one cache line");

static void *out_of_memory(nytp_recorder *r) {
    nytp_recorder_fail(r);
    return NULL;
}

static int is_named(const void *of, uint32_t id, const void *name) {
    return nytp_str_eq(((const nytp_live_files *)of)->list[id]->name, *(const nytp_str *)name);
}

nytp_live_file *nytp_places_find_file(nytp_recorder *r, nytp_str name) {
    if (r->files.latest && nytp_str_eq(r->files.latest->name, name)) return r->files.latest;
    uint64_t hash = nytp_str_hash(name);
    uint32_t id = nytp_table_get(&r->files.by_name, hash, is_named, &r->files, &name);
    if (id) return r->files.latest = r->files.list[id];
    nytp_str folded = {(const char *)r->files.folded_name.p, r->files.folded_name.n};
    return r->files.folded && nytp_str_eq(folded, name) ? r->files.folded : NULL;
}

nytp_live_file *nytp_places_add_file(nytp_recorder *r, const nytp_rec_file *what) {
    nytp_live_file *f = nytp_arena_get(&r->arena, sizeof *f);
    uint32_t *id = nytp_table_at(&r->files.by_name, nytp_str_hash(what->name), is_named, &r->files, &what->name);
    nytp_live_file **slot = nytp_grow_owned(&r->files.list, r->files.n + 1, &r->files.room, sizeof *slot);
    if (!f || !id || !slot) return out_of_memory(r);
    f->name = nytp_arena_str(&r->arena, what->name);
    if (!f->name.p) return out_of_memory(r);
    f->flags = (uint32_t)what->flags;
    f->parent = (uint32_t)what->parent;
    f->parent_line = (uint32_t)what->parent_line;
    f->size = what->size;
    f->mtime = what->mtime;
    f->id = *id = ++r->files.n;
    return *slot = f;
}

static nytp_live_file *add_eval_of_its_own(nytp_recorder *r, const nytp_rec_file *what, nytp_str text) {
    nytp_live_file *f = nytp_places_add_file(r, what);
    if (f && text.n && r->files.text_bytes + text.n <= TEXT_BUDGET) {
        f->text = nytp_arena_str(&r->arena, text);
        r->files.text_bytes += text.n;
    }
    return f;
}

static uint64_t site_key(const nytp_rec_file *what) { return what->parent << 32 | what->parent_line; }

/* Texts are compared by hash only, as most are not kept: two texts of one site with the same 64-bit hash share an
 * entry, as all of the site past the limit do. */
static uint64_t text_key(const nytp_rec_file *what, nytp_str text) {
    return nytp_str_quick_hash(text) ^ site_key(what) * UINT64_C(0x9E3779B97F4A7C15);
}

static nytp_live_file *share(nytp_recorder *r, nytp_live_file *f, const nytp_rec_file *what) {
    f->flags |= NYTP_FILE_FOLDED;
    r->files.folded = f;
    nytp_buf_rewind(&r->files.folded_name);
    nytp_buf_bytes(&r->files.folded_name, what->name.p, what->name.n);
    if (r->files.folded_name.failed) return out_of_memory(r);
    r->output.notices |= NYTP_NOTICE_EVALS;
    return f;
}

/* Whether a site that has had so many texts shares entries from now on. Recorders that share a file count together. */
static int is_past_limit(const nytp_recorder *r, uint32_t at_site) {
    const nytp_outlet *o = r->front.outlet;
    uint32_t all = o ? atomic_load(&o->evals) : r->files.evals;
    return at_site >= r->options->maxsiteevals || all >= r->options->maxevals;
}

/* A text that this site has had before shares its entry; all others of the site share one entry, to bound the memory of
 * a program with endless new texts. */
nytp_live_file *nytp_places_shared_eval(nytp_recorder *r, const nytp_rec_file *what, nytp_str text) {
    uint32_t at_site = nytp_map_get(&r->files.eval_sites, site_key(what));
    if (!is_past_limit(r, at_site)) return NULL;
    uint32_t id = nytp_map_get(&r->files.folded_evals, text_key(what, text));
    if (!id) id = nytp_map_get(&r->files.folded_evals, site_key(what));
    return id ? share(r, r->files.list[id], what) : NULL;
}

/* The first text past the limit, whose entry others share. */
static nytp_live_file *fold(nytp_recorder *r, const nytp_rec_file *what, nytp_str text) {
    uint32_t *others = nytp_map_at(&r->files.folded_evals, site_key(what));
    if (!others) return out_of_memory(r);
    nytp_live_file *f = add_eval_of_its_own(r, what, text);
    if (!f) return NULL;
    *others = f->id;
    return share(r, f, what);
}

nytp_live_file *nytp_places_add_eval(nytp_recorder *r, const nytp_rec_file *what, nytp_str text) {
    nytp_live_file *shared = nytp_places_shared_eval(r, what, text);
    if (shared) return shared;
    uint32_t *at_site = nytp_map_at(&r->files.eval_sites, site_key(what));
    if (!at_site) return out_of_memory(r);
    if (is_past_limit(r, *at_site)) return fold(r, what, text);
    ++*at_site;
    r->files.evals++;
    if (r->front.outlet) atomic_fetch_add(&r->front.outlet->evals, 1);
    nytp_live_file *f = add_eval_of_its_own(r, what, text);
    uint32_t *id = f ? nytp_map_at(&r->files.folded_evals, text_key(what, text)) : NULL;
    if (id && !*id) *id = f->id;
    return f;
}

static nytp_live_place *make(nytp_recorder *r, const nytp_rec_place *what) {
    nytp_live_place *p = nytp_arena_slot(&r->arena, &r->pool);
    if (!p) return out_of_memory(r);
    p->file = (uint32_t)what->file;
    p->line = (uint32_t)what->line;
    p->block_line = (uint32_t)what->block_line;
    p->sub_line = (uint32_t)what->sub_line;
    p->id = ++r->places.n;
    return p;
}

/* ---- places with the same file and lines ---- */

static int is_same_place(const void *of, uint32_t number, const void *like) {
    const nytp_rec_place *is = &((const nytp_live_places *)of)->alike[number - 1].what, *what = like;
    return is->file == what->file && is->line == what->line && is->block_line == what->block_line &&
           is->sub_line == what->sub_line;
}

static uint64_t hash_of(const nytp_rec_place *what) {
    return (what->file << 32 | what->line) * UINT64_C(0x9E3779B97F4A7C15) ^ what->block_line << 20 ^ what->sub_line;
}

/* NULL: none has been shared or vacant. */
static nytp_alike *find_alike(const nytp_recorder *r, const nytp_rec_place *what) {
    uint32_t number = nytp_table_get(&r->places.alike_index, hash_of(what), is_same_place, &r->places, what);
    return number ? r->places.alike + number - 1 : NULL;
}

static nytp_alike *make_alike(nytp_recorder *r, const nytp_rec_place *what) {
    nytp_live_places *all = &r->places;
    uint32_t *number = nytp_table_at(&all->alike_index, hash_of(what), is_same_place, all, what);
    if (!number) return out_of_memory(r);
    if (*number) return all->alike + *number - 1;
    nytp_alike *a = nytp_grow_owned(&all->alike, all->alike_n, &all->alike_room, sizeof *a);
    if (!a) return out_of_memory(r);
    *number = ++all->alike_n;
    a->what = *what;
    return a;
}

static nytp_live_place *share_place(nytp_recorder *r, const nytp_rec_place *what, nytp_live_place *p) {
    nytp_alike *a = make_alike(r, what);
    if (!a) return NULL;
    p->shared = 1;
    return a->shared = p;
}

nytp_live_place *nytp_places_add(nytp_recorder *r, const nytp_rec_place *what, int shared) {
    nytp_alike *a = find_alike(r, what);
    if (a && a->shared && shared) return a->shared;
    nytp_live_place *p = a && a->vacant_n ? a->vacant[--a->vacant_n] : make(r, what);
    if (!p) return NULL;
    p->vacant = 0;
    return shared ? share_place(r, what, p) : p;
}

void nytp_places_vacate(nytp_recorder *r, nytp_live_place *p) {
    nytp_rec_place what = {0, p->file, p->line, p->block_line, p->sub_line};
    if (p->shared || p->vacant) return;
    nytp_alike *a = make_alike(r, &what);
    nytp_live_place **slot = a ? nytp_grow_owned(&a->vacant, a->vacant_n, &a->vacant_room, sizeof *slot) : NULL;
    if (!slot) return;
    *slot = p;
    a->vacant_n++;
    p->vacant = 1;
}

nytp_live_place *nytp_places_tail(nytp_recorder *r, nytp_live_place *p) {
    if (p->tail) return p->tail;
    nytp_rec_place what = {0, p->file, p->line, p->block_line, p->sub_line};
    nytp_live_place *tail = make(r, &what);
    if (tail) p->tail = tail->tail = tail;
    return tail;
}

void nytp_places_carry(nytp_recorder *r, const nytp_rec_carried *what) {
    uint32_t *known = nytp_map_at(&r->places.carried_lines, what->file << 32 | what->line);
    if (!known || *known) return;
    nytp_live_places *all = &r->places;
    nytp_rec_carried *slot = nytp_grow_owned(&all->carried, all->carried_n, &all->carried_room, sizeof *slot);
    if (!slot) return;
    *slot = *what;
    *known = ++all->carried_n;
}
