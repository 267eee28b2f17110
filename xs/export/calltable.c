/* SPDX-License-Identifier: MIT */
/* calltable.c - the call tree of the JSON export: an object of arrays, depth first, so that a node's descendants follow
 * it at once. */
#include "export/calltable.h"

#include <stdlib.h>

#include "export/subpaths.h"

typedef struct tree {
    nytp_tables *t;
    nytp_calltree calls;
    uint32_t *row;     /* per node */
    uint32_t *process; /* per node 1 + its process */
} tree;

static int is_process(const nytp_calltree *t, uint32_t i) { return t->at[i].depth == 1; }

/* Returns an nytp_code. */
static int number_nodes(tree *o) {
    const nytp_calltree *t = &o->calls;
    uint32_t rows = 0;
    o->row = calloc(t->n + (size_t)1, sizeof *o->row);
    o->process = calloc(t->n + (size_t)1, sizeof *o->process);
    if (!o->row || !o->process) return NYTP_NOMEM;
    for (uint32_t i = nytp_subpaths_first(t); i; i = nytp_calltree_next(t, i)) {
        if (!is_process(t, i)) o->row[i] = rows++;
        o->process[i] = is_process(t, i) ? 1 + nytp_subpaths_process(o->t->p, t, i) : o->process[t->at[i].parent];
    }
    return NYTP_OK;
}

static void put(tree *o, uint64_t n) { nytp_json_number(&o->t->json, NULL, n); }

static void node_process(tree *o, uint32_t i) { put(o, o->process[i]); }
static void node_parent(tree *o, uint32_t i) {
    uint32_t parent = o->calls.at[i].parent;
    if (is_process(&o->calls, parent)) nytp_json_signed(&o->t->json, NULL, -1);
    else put(o, o->row[parent]);
}
static void node_sub(tree *o, uint32_t i) { put(o, o->t->sub[o->calls.at[i].callee]); }
static void node_file(tree *o, uint32_t i) { put(o, o->t->file[o->calls.at[i].file]); }
static void node_line(tree *o, uint32_t i) {
    uint32_t line = o->calls.at[i].line;
    put(o, line == NYTP_CALLTREE_LINES ? 0 : line);
}
static void node_calls(tree *o, uint32_t i) { nytp_tables_amount(o->t, NULL, o->calls.at[i].calls); }
static void node_self(tree *o, uint32_t i) { put(o, nytp_subpaths_value(&o->calls, i)); }
static void node_total(tree *o, uint32_t i) { nytp_tables_amount(o->t, NULL, o->calls.at[i].total); }
static void node_untold(tree *o, uint32_t i) { put(o, o->calls.at[i].untold); }

static void put_columns(tree *o) {
    static const struct {
        const char *name;
        void (*put)(tree *o, uint32_t i);
    } columns[] = {{"process", node_process}, {"parent", node_parent}, {"sub", node_sub},
                   {"file", node_file},       {"line", node_line},     {"calls", node_calls},
                   {"self", node_self},       {"total", node_total},   {"untold", node_untold}};
    const nytp_calltree *t = &o->calls;
    for (size_t c = 0; c < sizeof columns / sizeof *columns; c++) {
        nytp_json_array(&o->t->json, columns[c].name);
        for (uint32_t i = nytp_subpaths_first(t); i; i = nytp_calltree_next(t, i))
            if (!is_process(t, i)) columns[c].put(o, i);
        nytp_json_end(&o->t->json);
    }
}

/* A metric's values, from a tree of its own: made of the same contexts, it has the same nodes. */
static int put_values(tree *o, uint32_t metric) {
    const nytp_calltree_options options = {.metric = metric + 1, .processes = 1};
    const nytp_calltree *t = &o->calls;
    nytp_calltree of = {0};
    int code = nytp_calltree_profile(&of, o->t->p, NULL, &options);
    nytp_json_array(&o->t->json, NULL);
    for (uint32_t i = nytp_subpaths_first(t); i && !code; i = nytp_calltree_next(t, i))
        if (!is_process(t, i)) nytp_tables_amount(o->t, NULL, of.at[i].self);
    nytp_json_end(&o->t->json);
    nytp_calltree_free(&of);
    return code;
}

int nytp_calltable_put(nytp_tables *t) {
    tree o = {.t = t};
    const nytp_calltree_options options = {0};
    int code = nytp_subpaths_make(&o.calls, t->p, &options);
    if (!code) code = number_nodes(&o);
    nytp_json_object(&t->json, "tree");
    if (!code) put_columns(&o);
    nytp_json_array(&t->json, "values");
    for (uint32_t m = 0; m < t->p->metrics_n && !code; m++) code = put_values(&o, m);
    nytp_json_end(&t->json);
    nytp_json_end(&t->json);
    free(o.row);
    free(o.process);
    nytp_calltree_free(&o.calls);
    return code;
}
