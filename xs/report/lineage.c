/* SPDX-License-Identifier: MIT */
/* lineage.c - the processes of a build as call paths by names. */
#include "report/lineage.h"

#include <stdlib.h>

#include "base/ticks.h"
#include "model/alone.h"
#include "report/names.h"
#include "report/page.h"

typedef struct lineage {
    nytp_stacks *s;
    const nytp_build *b;
    nytp_buf name;
    int32_t failed;
} lineage;

/* The frame of that name below another one. */
static uint32_t push(lineage *l, uint32_t above, nytp_str name, const char *behind) {
    nytp_buf_rewind(&l->name);
    nytp_names_frame(&l->name, &(nytp_sub){.name = name});
    nytp_buf_bytes(&l->name, behind, nytp_str_c(behind).n);
    nytp_str copy = nytp_arena_str(&l->s->tree.arena, nytp_page_bytes(&l->name));
    uint32_t frame = copy.p && !l->name.failed ? nytp_stacks_push(l->s, above, copy) : UINT32_MAX;
    if (frame != UINT32_MAX) return frame;
    l->failed = 1;
    return 0;
}

/* The part of a directory that lies below the other one, if it does; without a slash at its end. */
static nytp_str below(nytp_str directory, nytp_str other) {
    if (nytp_str_ends(directory, NYTP_LIT("/"))) directory.n--;
    int is_below = other.n && nytp_str_starts(directory, other) && directory.n > other.n + 1 &&
                   directory.p[other.n] == '/';
    return is_below ? (nytp_str){directory.p + other.n + 1, directory.n - other.n - 1} : directory;
}

static uint32_t push_process(lineage *l, const nytp_build_process *p, uint32_t above, nytp_str class) {
    const nytp_build_process *parent = p->parent == NYTP_BUILD_NONE ? NULL : &l->b->processes[p->parent];
    const nytp_str *texts = l->b->texts;
    if (parent && p->directory && p->directory != parent->directory)
        above = push(l, above, below(texts[p->directory], texts[parent->directory]), "/");
    if (p->target && (!parent || p->target != parent->target)) above = push(l, above, texts[p->target], "");
    return push(l, above, class.n ? class : NYTP_LIT("?"), "");
}

static int64_t value_of(const nytp_build_process *p, int64_t alone, enum nytp_lineage_value value) {
    if (value == NYTP_LINEAGE_COUNT) return 1;
    if (value == NYTP_LINEAGE_REAL) return alone;
    uint64_t us = p->own_user_us + p->own_system_us;
    return us < INT64_MAX / 1000 ? (int64_t)us * 1000 : INT64_MAX;
}

int nytp_lineage_make(nytp_stacks *s, const nytp_build *b, const nytp_classes *c, enum nytp_lineage_value value) {
    lineage l = {.s = s, .b = b};
    const nytp_class_list *list = &c->lists[0];
    int64_t *alone = nytp_alone_times(b);
    uint32_t *frames = calloc(b->n + (size_t)1, sizeof *frames);
    l.failed = !alone || !frames;
    for (uint32_t i = 0; i < b->n && !l.failed; i++) {
        const nytp_build_process *p = &b->processes[i];
        uint32_t above = p->parent == NYTP_BUILD_NONE ? 0 : frames[p->parent];
        frames[i] = push_process(&l, p, above, list->classes[list->of[i]]);
        if (l.failed) break;
        nytp_calltree_node *node = &s->tree.at[frames[i]];
        node->self = nytp_ticks_add(node->self, value_of(p, alone[i], value));
        node->is_seen = 1;
    }
    nytp_buf_free(&l.name);
    free(alone);
    free(frames);
    return l.failed ? NYTP_NOMEM : NYTP_OK;
}
