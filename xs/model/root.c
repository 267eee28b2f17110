/* SPDX-License-Identifier: MIT */
/* root.c - finds, makes and names the main programs. */
#include "model/root.h"

#include "model/language.h"
#include "v5/event.h"

static nytp_str name_of(const nytp_loader *l, const nytp_stream *s) {
    return nytp_language_root(&l->p->processes[s->process]);
}

static uint32_t another_root(nytp_loader *l, const nytp_stream *s) {
    /* The ordinal tells it from the sub of NYTP_ROOT, which has the same name while it has that of Perl, and from those
     * of other processes. */
    uint32_t ordinal = l->options->keep_processes ? s->process + 1 : 1;
    const nytp_sub sub = {.name = name_of(l, s), .flags = NYTP_SUB_PHASE, .ordinal = ordinal,
                          .process = s->process + 1};
    const nytp_node node = {.parent = NYTP_ROOT, .sub = nytp_intern_sub(&l->in, &sub)};
    return node.sub == NYTP_INTERN_FAILED ? node.sub : nytp_intern_node(&l->in, &node);
}

/* 0: its first chunk is lost, and with it the name; the front ends with a number have theirs in any case. */
static int has_name(const nytp_process *process) {
    return process->start || process->language.root.n || process->id.front_end;
}

static int is_first(nytp_loader *l, const nytp_stream *s) {
    if (!has_name(&l->p->processes[s->process])) return !l->options->keep_processes;
    if (!l->rooted) l->rooted = s->process + 1;
    if (l->options->keep_processes) return l->rooted == s->process + 1;
    return nytp_str_eq(name_of(l, s), nytp_language_root(nytp_language_process(l->p, l->rooted)));
}

enum nytp_code nytp_root_learn(nytp_loader *l, nytp_stream *s) {
    if (nytp_ids_get(&s->nodes, 0)) return NYTP_OK;
    uint32_t root = is_first(l, s) ? NYTP_ROOT : another_root(l, s);
    int is_known = root != NYTP_INTERN_FAILED && nytp_ids_set(&s->nodes, 0, root + 1);
    return is_known ? NYTP_OK : nytp_loader_no_memory(l);
}

int nytp_root_is_meant(const nytp_loader *l, const nytp_stream *s, const nytp_rec_sub *r) {
    nytp_str perls = l->p->subs[NYTP_ROOT].name; /* until all are loaded */
    return r->flags & NYTP_SUB_PHASE && nytp_str_eq(r->name, perls) && nytp_str_eq(name_of(l, s), perls);
}

/* It is below the first process's where that has another language. */
nytp_node *nytp_root_of_perl(nytp_profile *p) {
    for (uint32_t i = NYTP_UNKNOWN + 1; i < p->nodes_n; i++) {
        const nytp_sub *s = &p->subs[p->nodes[i].sub];
        if (p->nodes[i].parent == NYTP_ROOT && s->flags & NYTP_SUB_PHASE &&
            nytp_str_eq(s->name, NYTP_LIT("main::RUNTIME"))) return &p->nodes[i];
    }
    return &p->nodes[NYTP_ROOT];
}

/* Files of format 5 are Perl's, and have no other root. */
void nytp_root_name(const nytp_loader *l) {
    nytp_profile *p = l->p;
    for (uint32_t i = 0; i < p->inputs_n; i++)
        if (p->inputs[i].format == NYTP_V5_MAJOR) return;
    if (l->options->keep_processes) p->subs[NYTP_ROOT].process = l->rooted;
    p->subs[NYTP_ROOT].name = nytp_language_root(nytp_language_process(p, l->rooted ? l->rooted : 1));
}
