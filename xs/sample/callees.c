/* SPDX-License-Identifier: MIT */
/* callees.c - names of subs for reports, the same as those of an exact profile as far as memory tells. */
#include "sample/callees.h"

#include <stdio.h>
#include <string.h>

#include "record/options.h"
#include "record/places.h"
#include "record/state.h"
#include "record/subs.h"
#include "sample/spelled.h"
#include "sample/sources.h"

#define MOST_LEAVES (16u << 10) /* then they are found again */

static const void *key(uint64_t address) { return (const void *)(uintptr_t)address; }

static nytp_str name_of(const nytp_found *c) { return (nytp_str){(const char *)c->name.p, c->name.n}; }

/* ---- subs ---- */

/* Every BEGIN block of a package has the same name, and all anonymous subs have: so their lines tell them apart. */
static void tell_apart(nytp_found *c, const nytp_perl_sub *code, nytp_str file) {
    char line[24];
    int is_begin = nytp_str_ends(name_of(c), NYTP_LIT("::BEGIN"));
    int is_nameless = code->is_anon && nytp_str_ends(name_of(c), NYTP_LIT("::__ANON__"));
    if (is_begin) {
        snprintf(line, sizeof line, "@%u", (unsigned)code->first.line);
        nytp_buf_bytes(&c->name, line, strlen(line));
    } else if (is_nameless && nytp_options_of(c->r)->nameanonsubs) {
        snprintf(line, sizeof line, ":%u]", (unsigned)code->last_line);
        nytp_buf_byte(&c->name, '[');
        nytp_buf_bytes(&c->name, file.p, file.n);
        nytp_buf_bytes(&c->name, line, strlen(line));
    }
}

/* The name is read again, as reading that of the file has overwritten it. */
static nytp_live_sub *make_sub(nytp_found *c, nytp_subkey id, nytp_perl_sub *code) {
    nytp_rec_sub what = {.flags = code->is_anon ? NYTP_SUB_ANON : 0u};
    const nytp_live_file *file = code->first.cop ? nytp_sources_of(c, &code->first, nytp_nowhere(c->r)) : NULL;
    nytp_perl_sub again;
    nytp_buf_clear(&c->name);
    if (!nytp_spelled_sub(c->target, code->cv, &again, &c->name) || again.root != code->root) return NULL;
    if (file) {
        what.file = file->id;
        what.first_line = code->first.line;
        what.last_line = code->last_line;
        tell_apart(c, code, file->name);
    }
    what.name = name_of(c);
    return nytp_subs_add(c->r, id, &what);
}

nytp_live_sub *nytp_callees_sub(nytp_found *c, uint64_t cv) {
    nytp_perl_sub code;
    nytp_buf_clear(&c->name);
    if (!nytp_spelled_sub(c->target, cv, &code, &c->name)) return NULL;
    const nytp_subkey id = {key(code.root ? code.root : cv), key(code.name), key(code.package), key(code.first.seq)};
    nytp_live_sub *known = nytp_subs_find(c->r, id);
    return known ? known : make_sub(c, id, &code);
}

/* ---- leaves ---- */

static uint64_t mix(uint64_t a, uint64_t b) { return (a * UINT64_C(0x9E3779B97F4A7C15)) ^ b; }

/* The sub kept under that number, or what make says it is. */
typedef nytp_live_sub *make_leaf(nytp_found *c, const nytp_stack *s, uint64_t what);

static nytp_live_sub *kept(nytp_found *c, const nytp_stack *s, uint64_t number, make_leaf *make, uint64_t what) {
    uint32_t id = nytp_map_get(&c->leaves, number);
    if (id) return nytp_subs_at(c->r, id);
    nytp_live_sub *made = make(c, s, what);
    if (c->leaves.n >= MOST_LEAVES) nytp_map_free(&c->leaves);
    uint32_t *slot = made ? nytp_map_at(&c->leaves, number) : NULL;
    if (slot) *slot = made->id;
    return made;
}

static nytp_live_sub *add_leaf(nytp_found *c, nytp_subkey id, uint32_t flags) {
    nytp_live_sub *known = nytp_subs_find(c->r, id);
    const nytp_rec_sub what = {.name = name_of(c), .flags = flags};
    return known || c->name.failed ? known : nytp_subs_add(c->r, id, &what);
}

/* main::CORE:sort, or CORE::sort for all packages. */
static nytp_live_sub *slow_built_in(nytp_found *c, const nytp_stack *s, uint64_t type) {
    const char *op = c->target->layout->slow[type];
    uint64_t stash = 0;
    nytp_buf_clear(&c->name);
    if (nytp_options_of(c->r)->slowops == 1) nytp_buf_bytes(&c->name, "CORE::", 6);
    else if (nytp_spelled_package(c->target, s->frames, &stash, &c->name)) nytp_buf_bytes(&c->name, "::CORE:", 7);
    else return NULL;
    nytp_buf_bytes(&c->name, op, strlen(op));
    return add_leaf(c, (nytp_subkey){op, key(stash), NULL, NULL}, NYTP_SUB_OPCODE);
}

/* While entersub calls code in C it is the op that runs; while it calls a sub in Perl for a moment only. */
static nytp_live_sub *in_c(nytp_found *c, const nytp_stack *s, uint64_t cv) {
    nytp_perl_sub code;
    (void)s;
    nytp_buf_clear(&c->name);
    if (!nytp_spelled_sub(c->target, cv, &code, &c->name) || !code.is_c) return NULL;
    return add_leaf(c, (nytp_subkey){key(cv), key(code.name), key(code.package), NULL}, NYTP_SUB_XSUB);
}

nytp_live_sub *nytp_callees_leaf(nytp_found *c, const nytp_stack *s) {
    const nytp_perl_layout *l = c->target->layout;
    const nytp_frame *f = s->frames;
    if (s->op_type == l->op_entersub) {
        uint64_t cv = nytp_spelled_callee(c->target, s);
        return cv ? kept(c, s, mix(cv, l->op_entersub), in_c, cv) : NULL;
    }
    int is_slow = f->cop && nytp_options_of(c->r)->slowops && s->op_type < l->op_max && l->slow[s->op_type];
    return is_slow ? kept(c, s, mix(f->cop ^ (uint64_t)f->seq << 48, s->op_type), slow_built_in, s->op_type) : NULL;
}

nytp_live_sub *nytp_callees_host(nytp_found *c) {
    static const char name[] = "(host)";
    const nytp_subkey id = {name, NULL, NULL, NULL};
    const nytp_rec_sub what = {.name = nytp_str_c(name), .flags = NYTP_SUB_PHASE};
    nytp_live_sub *known = nytp_subs_find(c->r, id);
    return known ? known : nytp_subs_add(c->r, id, &what);
}
