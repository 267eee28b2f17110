/* SPDX-License-Identifier: MIT */
/* rows.c - the rows of a profile's tables, copied into structs of read.h. */
#include "api/handle.h"

int nytprof_get_input(const nytprof_profile *h, uint32_t i, nytprof_input *to, size_t size) {
    nytprof_input row = {.format = 0};
    int is_there = i < h->p.inputs_n;
    if (is_there) {
        const nytp_input *in = &h->p.inputs[i];
        row.name = nytp_handle_text(in->name);
        row.damage = nytp_handle_text(in->broken.n ? in->broken : in->damage);
        row.format = in->format;
        row.first_process = in->first_process;
        row.processes = in->processes;
    }
    return nytp_handle_give(to, size, &row, sizeof row, is_there);
}

static int ending_of(const nytp_process *p) {
    switch (p->ending) {
    case NYTP_ENDING_FINISHED: return NYTPROF_ENDED;
    case NYTP_ENDING_EXEC: return NYTPROF_ENDED_BY_EXEC;
    case NYTP_ENDING_EXIT: return NYTPROF_ENDED_BY_EXIT;
    case NYTP_ENDING_RUNNING: return NYTPROF_RUNS;
    default: return NYTPROF_ENDED_UNKNOWN;
    }
}

int nytprof_get_process(const nytprof_profile *h, uint32_t i, nytprof_process *to, size_t size) {
    nytprof_process row = {.pid = 0};
    int is_there = i < h->p.processes_n;
    if (is_there) {
        const nytp_process *p = &h->p.processes[i];
        row = (nytprof_process){
            .program = nytp_handle_text(p->program),
            .interpreter = nytp_handle_text(p->interpreter),
            .clock = nytp_handle_text(p->clock),
            .start = p->start,
            .end = p->end,
            .user_us = p->user_us,
            .system_us = p->system_us,
            .thread_us = p->thread_us,
            .max_rss_kb = p->max_rss_kb,
            .elapsed = p->elapsed,
            .subtracted = p->subtracted,
            .off = p->off,
            .parent_pid = p->parent_pid,
            .pid = p->id.pid,
            .thread = p->id.thread,
            .ending = ending_of(p),
            .values = p->values,
        };
    }
    return nytp_handle_give(to, size, &row, sizeof row, is_there);
}

static uint32_t process_row(uint32_t number) { return number ? number - 1 : NYTPROF_NONE; }

/* An eval that was merged has its data in another row. */
static uint32_t resolve(const nytp_profile *p, uint32_t file) {
    while (p->files[file].into != file) file = p->files[file].into;
    return file;
}

int nytprof_get_file(const nytprof_profile *h, uint32_t i, nytprof_file *to, size_t size) {
    nytprof_file row = {.id = 0};
    int is_there = i < h->p.files_n;
    if (is_there) {
        const nytp_file *f = &h->p.files[i];
        row = (nytprof_file){
            .name = nytp_handle_text(f->name),
            .id = f->fid,
            .flags = f->parent || f->flags & NYTP_FILE_EVAL ? NYTPROF_FILE_IS_EVAL : 0,
            .parent = f->parent,
            .parent_line = f->parent_line,
            .same_as = resolve(&h->p, i),
            .process = process_row(f->process),
            .size = f->size,
            .mtime = f->mtime,
            .count = f->count,
            .ticks = f->ticks,
            .spread = f->spread,
            .lines = f->level[NYTP_LEVEL_LINE].n,
            .blocks = f->level[NYTP_LEVEL_BLOCK].n,
            .subs = f->level[NYTP_LEVEL_SUB].n,
            .source_lines = f->source_lines,
            .values = f->values,
        };
    }
    return nytp_handle_give(to, size, &row, sizeof row, is_there);
}

/* NULL: there is no such row. */
static const nytp_line *line_at(const nytp_profile *p, uint32_t file, int by, uint32_t i) {
    static const enum nytp_level level[] = {
        [NYTPROF_BY_LINE] = NYTP_LEVEL_LINE,
        [NYTPROF_BY_BLOCK] = NYTP_LEVEL_BLOCK,
        [NYTPROF_BY_SUB] = NYTP_LEVEL_SUB,
    };
    if (file >= p->files_n || by < 0 || by >= (int)(sizeof level / sizeof *level)) return NULL;
    const nytp_lines *lines = &p->files[file].level[level[by]];
    return i < lines->n ? &lines->at[i] : NULL;
}

int nytprof_get_line(const nytprof_profile *h, uint32_t file, int by, uint32_t i, nytprof_line *to, size_t size) {
    const nytp_line *l = line_at(&h->p, file, by, i);
    nytprof_line row = {.line = 0};
    if (l) row = (nytprof_line){l->line, l->values, l->count, l->ticks, l->spread};
    return nytp_handle_give(to, size, &row, sizeof row, l != NULL);
}

static uint32_t flags_of(const nytp_sub *s) {
    return (s->flags & NYTP_SUB_XSUB ? NYTPROF_SUB_IS_C : 0u) |
           (s->flags & NYTP_SUB_OPCODE ? NYTPROF_SUB_IS_BUILTIN : 0u) |
           (s->flags & NYTP_SUB_ANON ? NYTPROF_SUB_IS_ANONYMOUS : 0u) |
           (s->flags & (NYTP_SUB_PHASE | NYTP_SUB_ACTIVITY) ? NYTPROF_SUB_IS_PHASE : 0u);
}

int nytprof_get_sub(const nytprof_profile *h, uint32_t i, nytprof_sub *to, size_t size) {
    nytprof_sub row = {.flags = 0};
    int is_there = i < h->p.subs_n;
    if (is_there) {
        const nytp_sub *s = &h->p.subs[i];
        row = (nytprof_sub){
            .name = nytp_handle_text(s->name),
            .package = nytp_handle_text(s->package),
            .flags = flags_of(s),
            .file = s->file,
            .first_line = s->first_line,
            .last_line = s->last_line,
            .process = process_row(s->process),
            .calls = s->calls,
            .nested = s->nested,
            .exclusive = s->exclusive,
            .inclusive = s->inclusive,
            .recursive = s->recursive,
            .exclusive_spread = s->spread,
            .inclusive_spread = s->whole_spread,
            .depth = s->depth,
            .first_call = s->callers.first,
            .calls_rows = s->callers.n,
            .own = s->own,
            .whole = s->whole,
        };
    }
    return nytp_handle_give(to, size, &row, sizeof row, is_there);
}

int nytprof_get_call(const nytprof_profile *h, uint32_t i, nytprof_call *to, size_t size) {
    nytprof_call row = {.file = 0};
    int is_there = i < h->p.edges_n;
    if (is_there) {
        const nytp_edge *e = &h->p.edges[i];
        row = (nytprof_call){
            .caller = e->caller,
            .callee = e->callee,
            .file = e->file,
            .line = e->line,
            .calls = e->calls,
            .exclusive = e->exclusive,
            .inclusive = e->inclusive,
            .recursive = e->recursive,
            .depth = e->depth,
            .is_tail = e->tail,
            .own = e->own,
            .whole = e->whole,
        };
    }
    return nytp_handle_give(to, size, &row, sizeof row, is_there);
}

int nytprof_get_node(const nytprof_profile *h, uint32_t i, nytprof_node *to, size_t size) {
    nytprof_node row = {.parent = 0};
    int is_there = i < h->p.nodes_n;
    if (is_there) {
        const nytp_node *n = &h->p.nodes[i];
        row = (nytprof_node){
            .parent = n->parent,
            .sub = n->sub,
            .file = n->file,
            .line = n->line,
            .child = n->child,
            .next = n->next,
            .calls = n->calls,
            .exclusive = n->exclusive,
            .inclusive = n->inclusive,
            .depth = n->depth,
            .own = n->own,
            .whole = n->whole,
        };
    }
    return nytp_handle_give(to, size, &row, sizeof row, is_there);
}

int nytprof_get_metric(const nytprof_profile *h, uint32_t i, nytprof_metric *to, size_t size) {
    nytprof_metric row = {.is_maximum = 0};
    int is_there = i < h->p.metrics_n;
    if (is_there) {
        const nytp_metric *m = &h->p.metrics[i];
        row = (nytprof_metric){nytp_handle_text(m->name), nytp_handle_text(m->unit), nytp_handle_text(m->title),
                               m->adds == NYTP_ADDS_MAX};
    }
    return nytp_handle_give(to, size, &row, sizeof row, is_there);
}

int nytprof_get_pair(const nytprof_profile *h, uint32_t i, nytprof_pair *to, size_t size) {
    nytprof_pair row = {.process = 0};
    int is_there = i < h->p.pairs_n;
    if (is_there) {
        const nytp_pair *p = &h->p.pairs[i];
        row = (nytprof_pair){nytp_handle_text(p->key), nytp_handle_text(p->value), p->process};
    }
    return nytp_handle_give(to, size, &row, sizeof row, is_there);
}
