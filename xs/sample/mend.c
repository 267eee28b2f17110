/* SPDX-License-Identifier: MIT */
/* mend.c - drops frames of other moments, and adds those that are missing. */
#include "sample/mend.h"

#include <stdlib.h>
#include <string.h>

#include "base/grow.h"
#include "sample/spelled.h"

#define MOST (16u << 10) /* calls; then they are learnt again */
#define NEAR 64          /* frames and contexts between the end of the stack and where the statement belongs */
#define CHAIN 6          /* missing frames that are remembered from calls */
#define LOOKS 4          /* more, for a sub not met yet */
#define MOST_LOOKS 64    /* for a statement in all */

/* ---- frames ---- */

static void set_statement(nytp_frame *f, const nytp_frame *of) {
    f->cop = of->cop;
    f->file = of->file;
    f->stash = of->stash;
    f->line = of->line;
    f->seq = of->seq;
}

static void cut(nytp_stack *s, uint32_t n) {
    s->n -= n;
    memmove(s->frames, s->frames + n, s->n * sizeof *s->frames);
}

/* A frame of that code at that statement. */
static void push(nytp_stack *s, const nytp_frame *code, const nytp_frame *statement) {
    if (s->n == NYTP_UNWIND_DEEPEST) s->is_cut = 1;
    else s->n++;
    memmove(s->frames + 1, s->frames, (s->n - 1) * sizeof *s->frames);
    s->frames[0] = *code;
    set_statement(s->frames, statement);
}

/* ---- calls ---- */

/* Each eval has code of its own, so all evals together count as one caller. */
static uint64_t key_of(uint64_t root, const nytp_frame *caller) {
    uint64_t code = caller->kind == NYTP_FRAME_SUB ? caller->code : 0;
    return (root * UINT64_C(0x9E3779B97F4A7C15) ^ code) * UINT64_C(0x9E3779B97F4A7C15) ^ caller->kind;
}

void nytp_mender_free(nytp_mender *m) {
    nytp_map_free(&m->by_root);
    nytp_map_free(&m->by_caller);
    free(m->calls);
    nytp_trees_free(&m->trees);
    *m = (nytp_mender){.trees = m->trees};
}

static const nytp_met *call_of(const nytp_mender *m, const nytp_map *by, uint64_t key, uint64_t root) {
    uint32_t index = nytp_map_get(by, key);
    return index && m->calls[index - 1].root == root ? m->calls + index - 1 : NULL;
}

static void learn(nytp_mender *m, uint64_t root, const nytp_stack *s) {
    if (m->n >= MOST) nytp_mender_free(m);
    uint32_t *index = nytp_map_at(&m->by_caller, key_of(root, s->frames + 1));
    if (!index) return;
    if (!*index && !nytp_grow_owned(&m->calls, m->n, &m->room, sizeof *m->calls)) return;
    if (!*index) *index = ++m->n;
    uint32_t latest = *index, *of_root = nytp_map_at(&m->by_root, root);
    m->calls[latest - 1] = (nytp_met){root, s->frames[0], s->frames[1]};
    if (of_root) *of_root = latest;
}

/* ---- the end of the stack ---- */

/* The sub of that root at that statement is further out. */
static int drop(nytp_mender *m, nytp_stack *s, uint64_t root, const nytp_frame *statement) {
    for (uint32_t i = 1; i < s->n && i < NEAR; i++) {
        const nytp_tree *tree = nytp_trees_of(&m->trees, s->frames + i);
        if (!tree || tree->root != root) continue;
        cut(s, i);
        set_statement(s->frames, statement);
        return 1;
    }
    return 0;
}

static int can_believe(const nytp_mender *m, const nytp_met *call) {
    return nytp_trees_root(&m->trees, call->sub.code) == call->root;
}

/* The frame is the caller, as far as its statement is still there. */
static void call_from(const nytp_mender *m, nytp_stack *s, const nytp_met *call, const nytp_frame *statement) {
    nytp_frame *f = s->frames;
    set_statement(f, nytp_unwind_is_same(m->trees.target, &call->caller) ? &call->caller : &(nytp_frame){0});
    push(s, &call->sub, statement);
}

/* Somewhere near the end of the stack is a caller of that sub, or a caller of its latest caller, and so on. */
static int add(nytp_mender *m, nytp_stack *s, uint64_t root, const nytp_frame *statement, int depth) {
    for (uint32_t i = 0; i < s->n && i < CHAIN; i++) {
        const nytp_met *call = call_of(m, &m->by_caller, key_of(root, s->frames + i), root);
        if (!call || !can_believe(m, call)) continue;
        cut(s, i);
        call_from(m, s, call, statement);
        return 1;
    }
    const nytp_met *latest = call_of(m, &m->by_root, root, root);
    const nytp_tree *tree = latest && depth < CHAIN ? nytp_trees_of(&m->trees, &latest->caller) : NULL;
    if (!tree || tree->kind != NYTP_FRAME_SUB || !can_believe(m, latest)) return 0;
    if (!add(m, s, tree->root, &latest->caller, depth + 1)) return 0;
    push(s, &latest->sub, statement);
    return 1;
}

/* 1 if each of the n innermost frames has its statement. */
static int are_whole(nytp_mender *m, const nytp_stack *s, uint32_t n) {
    for (uint32_t i = 0; i < n; i++)
        if (!nytp_trees_fits(&m->trees, s->frames + i)) return 0;
    return 1;
}

/* A context of the sub is above the current one, as perl has left it since or was about to enter it. */
static int raise(nytp_mender *m, nytp_stack *s, uint64_t root, const nytp_frame *statement) {
    const nytp_subject *t = m->trees.target;
    for (int32_t by = 1; by < NEAR; by++) {
        uint64_t cv = nytp_unwind_above(t, s, by);
        if (!cv || nytp_trees_root(&m->trees, cv) != root) continue;
        uint32_t before = s->n;
        if (nytp_unwind_raised(t, s, by)) {
            set_statement(s->frames, statement);
            if (are_whole(m, s, s->n - before + 1)) return 1;
        }
        if (nytp_unwind_raised(t, s, -by)) set_statement(s->frames, statement);
        else s->n = 0;
        return 0;
    }
    return 0;
}

/* The call of the innermost frame may be of another moment, too. */
static void mend_caller(nytp_mender *m, nytp_stack *s) {
    const nytp_frame leaf = s->frames[0], at = s->frames[1];
    const nytp_tree *tree = nytp_trees_of(&m->trees, &at);
    uint64_t root = tree ? tree->root : 0;
    if (!root || nytp_trees_fits(&m->trees, &at)) return;
    cut(s, 1);
    if (!drop(m, s, root, &at)) add(m, s, root, &at, 0);
    push(s, &leaf, &leaf);
}

/* ---- entering a sub ---- */

/* What ran at the moment that counts: its statement, and the op as long as that is in the statement's tree. */
typedef struct nytp_moment {
    nytp_frame statement;
    uint64_t root, op;
    uint32_t op_type, has_op;
} nytp_moment;

static int calls_now(const nytp_mender *m, const nytp_moment *now) {
    return now->has_op && now->op_type == m->trees.target->layout->op_entersub;
}

static void note_entry(nytp_mender *m, const nytp_moment *now, uint64_t sub) {
    const nytp_op_sub entry = {now->op, sub, nytp_trees_root(&m->trees, sub)};
    nytp_tree *tree = entry.root ? nytp_trees_of(&m->trees, &now->statement) : NULL;
    uint32_t i = 0;
    if (!tree) return;
    while (i < NYTP_TREES_ENTRIES && tree->entries[i].op != now->op) i++;
    if (i == NYTP_TREES_ENTRIES) i = tree->next++ % NYTP_TREES_ENTRIES;
    tree->entries[i] = entry;
}

/* The innermost sub was called from that statement, and the op is that call or in no tree of the caller's: the sub's
 * first statement has not begun yet, or its last has ended. */
static int is_entered(nytp_mender *m, nytp_stack *s, const nytp_moment *now) {
    if (s->n < 2 || s->frames[0].kind != NYTP_FRAME_SUB || s->frames[1].cop != now->statement.cop) return 0;
    if (now->has_op && !calls_now(m, now)) return 0;
    if (now->has_op) note_entry(m, now, s->frames[0].code);
    s->frames[0].is_entered = 1;
    return 1;
}

/* The stack was read before that call had made its context. The same op may call code in C at other times. */
static void enter(nytp_mender *m, nytp_stack *s, const nytp_moment *now) {
    uint64_t callee = nytp_spelled_callee(m->trees.target, s);
    if (callee && !nytp_trees_root(&m->trees, callee)) return;
    const nytp_tree *tree = nytp_trees_of(&m->trees, &now->statement);
    for (uint32_t i = 0; tree && i < NYTP_TREES_ENTRIES; i++) {
        const nytp_op_sub *entry = tree->entries + i;
        if (entry->op != now->op || nytp_trees_root(&m->trees, entry->sub) != entry->root) continue;
        push(s, &(nytp_frame){.code = entry->sub, .kind = NYTP_FRAME_SUB, .is_entered = 1}, &now->statement);
        return;
    }
}

/* ---- moments ---- */

/* 0: it is of no known tree. An op that is no call is of interest if it is shown, or may be in the sub that the stack
 * has. */
static int find_moment(nytp_mender *m, const nytp_stack *s, nytp_moment *now) {
    const nytp_perl_layout *l = m->trees.target->layout;
    *now = (nytp_moment){.statement = s->frames[0], .op = s->variable[NYTP_PERL_OP], .op_type = s->op_type};
    const nytp_tree *tree = nytp_trees_of(&m->trees, &now->statement);
    if (!tree) return 0;
    now->root = tree->root;
    int is_shown = s->op_type == l->op_entersub || (s->op_type < l->op_max && l->slow[s->op_type]);
    int is_called = s->n > 1 && s->frames[1].cop == now->statement.cop;
    now->has_op = !(is_shown || is_called) || (uint32_t)nytp_trees_has(&m->trees, &now->statement, now->op);
    return 1;
}

/* 0: nothing is known of that statement's sub yet. */
static int mend(nytp_mender *m, nytp_stack *s, const nytp_moment *now) {
    set_statement(s->frames, &now->statement);
    if (!nytp_trees_fits(&m->trees, s->frames))
        return is_entered(m, s, now) || drop(m, s, now->root, &now->statement) ||
               raise(m, s, now->root, &now->statement) || add(m, s, now->root, &now->statement, 0);
    if (s->n < 2 || s->frames[0].kind != NYTP_FRAME_SUB) return 1;
    if (nytp_trees_fits(&m->trees, s->frames + 1)) learn(m, now->root, s);
    else mend_caller(m, s);
    return 1;
}

static int look_again(nytp_mender *m, nytp_stack *s) {
    const nytp_subject *t = m->trees.target;
    nytp_moment now;
    nytp_unwind_look(t, s);
    int is_seen = nytp_unwind(t, s);
    if (!is_seen) s->n = 0;
    else if (find_moment(m, s, &now)) mend(m, s, &now);
    return is_seen;
}

/* For a sub that has not been met. */
static void look_for(nytp_mender *m, nytp_stack *s, const nytp_moment *now) {
    for (int i = 0; i < LOOKS; i++) {
        nytp_tree *tree = nytp_trees_of(&m->trees, &now->statement);
        if (!tree || tree->kind != NYTP_FRAME_SUB || tree->looks == MOST_LOOKS) return;
        tree->looks++;
        if (look_again(m, s) && mend(m, s, now)) return;
    }
}

int nytp_mend(nytp_mender *m, nytp_stack *s) {
    uint64_t variable[NYTP_PERL_VARIABLES];
    nytp_moment now;
    if (!find_moment(m, s, &now)) return 1;
    memcpy(variable, s->variable, sizeof variable);
    if (!mend(m, s, &now)) look_for(m, s, &now);
    memcpy(s->variable, variable, sizeof variable);
    s->op_type = now.has_op ? now.op_type : 0;
    if (s->n && !s->frames[0].is_entered && calls_now(m, &now)) enter(m, s, &now);
    if (s->frames[0].is_entered) s->op_type = 0;
    return s->n != 0;
}
