/* SPDX-License-Identifier: MIT */
/* unit.c - files by the names that perl has for them. */
#include "perl/body.h"

#include <stdlib.h>

#include "record/output.h"

nytp_unit *nytp_unit_known(const nytp_glue *g, nytp_str name) {
    uint64_t key = nytp_str_hash(name);
    for (nytp_link *l = nytp_chain_find(&g->units, key); l; l = l->next) {
        nytp_unit *u = (nytp_unit *)(void *)l;
        if (l->key == key && nytp_str_eq(nytp_str_c(u->name), name)) return u;
    }
    return NULL;
}

nytp_unit *nytp_unit_of(nytp_glue *g, nytp_str name) {
    uint64_t key = nytp_str_hash(name);
    nytp_unit *u = nytp_unit_known(g, name);
    if (u) return u;
    u = (nytp_unit *)calloc(1, sizeof *u + name.n);
    if (!u || !nytp_chain_add(&g->units, &u->link, key)) {
        free(u);
        return NULL;
    }
    memcpy(u->name, name.p, name.n);
    return u;
}

int nytp_unit_is_elsewhere(const nytp_glue *g, const nytp_unit *u) {
    return u->elsewhere && nytp_output_generation(&g->r) <= 1;
}

void nytp_unit_free_all(nytp_glue *g) {
    for (nytp_link *l = nytp_chain_empty(&g->units), *next; l; l = next) {
        next = l->next;
        nytp_buf_free(&((nytp_unit *)(void *)l)->text);
        free(l);
    }
}
