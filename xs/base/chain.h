/* SPDX-License-Identifier: MIT */
/* chain.h - a hash table of structs that are added and removed: each struct contains its link, and removal leaves no
 * mark.
 *
 * Several links may have the same key; the one added last is found first. The table owns its buckets only. */
#ifndef NYTP_BASE_CHAIN_H
#define NYTP_BASE_CHAIN_H

#include <stdint.h>

typedef struct nytp_link {
    struct nytp_link *next;
    uint64_t key;
} nytp_link;

typedef struct nytp_chain {
    nytp_link **buckets;
    uint32_t mask; /* number of buckets - 1; 0 while there are none */
    uint32_t n;
} nytp_chain; /* all zero is an empty table */

nytp_link *nytp_chain_find(const nytp_chain *c, uint64_t key); /* NULL: no such key */

/* Returns 0 when memory is short; l is not in the table then. */
int nytp_chain_add(nytp_chain *c, nytp_link *l, uint64_t key);

void nytp_chain_remove(nytp_chain *c, const nytp_link *l); /* l must be in the table */

/* Empties the table. Returns what was in it, in no order, as a list by `next`. Takes no memory. */
nytp_link *nytp_chain_empty(nytp_chain *c);

/* Copies all links, in no order, to out, which has room for c->n. */
void nytp_chain_list(const nytp_chain *c, nytp_link **out);

void nytp_chain_free(nytp_chain *c); /* leaves an empty table */

#endif
