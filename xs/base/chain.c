/* SPDX-License-Identifier: MIT */
/* chain.c - buckets of linked lists, about one link to each. */
#include "base/chain.h"

#include <assert.h>
#include <stdlib.h>

#define FIRST_BUCKETS 64u

/* Keys are addresses and numbers that count up: a multiplication spreads them. */
static nytp_link **bucket_of(nytp_link **buckets, uint32_t mask, uint64_t key) {
    return &buckets[(uint32_t)(key * 0x9E3779B97F4A7C15u >> 32) & mask];
}

nytp_link *nytp_chain_find(const nytp_chain *c, uint64_t key) {
    nytp_link *l = c->buckets ? *bucket_of(c->buckets, c->mask, key) : NULL;
    while (l && l->key != key) l = l->next;
    return l;
}

static void put_first(nytp_link **bucket, nytp_link *l) {
    l->next = *bucket;
    *bucket = l;
}

/* Links of one key keep their order: they are moved from the last to the first. */
static void move_all(nytp_link *l, nytp_link **buckets, uint32_t mask) {
    nytp_link *reversed = NULL;
    for (nytp_link *next; l; l = next) {
        next = l->next;
        put_first(&reversed, l);
    }
    for (nytp_link *next; reversed; reversed = next) {
        next = reversed->next;
        put_first(bucket_of(buckets, mask, reversed->key), reversed);
    }
}

static int could_grow(nytp_chain *c) {
    uint32_t old = c->buckets ? c->mask + 1 : 0, more = old ? old * 2 : FIRST_BUCKETS;
    nytp_link **buckets = calloc(more, sizeof *buckets);
    if (!buckets) return 0;
    for (uint32_t i = 0; i < old; i++) move_all(c->buckets[i], buckets, more - 1);
    free(c->buckets);
    c->buckets = buckets;
    c->mask = more - 1;
    return 1;
}

int nytp_chain_add(nytp_chain *c, nytp_link *l, uint64_t key) {
    if ((!c->buckets || c->n > c->mask) && !could_grow(c)) return 0;
    l->key = key;
    put_first(bucket_of(c->buckets, c->mask, key), l);
    c->n++;
    return 1;
}

void nytp_chain_remove(nytp_chain *c, const nytp_link *l) {
    nytp_link **at = bucket_of(c->buckets, c->mask, l->key);
    while (*at && *at != l) at = &(*at)->next;
    assert(*at);
    *at = l->next;
    c->n--;
}

nytp_link *nytp_chain_empty(nytp_chain *c) {
    nytp_link *all = NULL;
    for (uint32_t i = 0; c->n && i <= c->mask; i++)
        for (nytp_link *l = c->buckets[i], *next; l; l = next) {
            next = l->next;
            put_first(&all, l);
        }
    nytp_chain_free(c);
    return all;
}

void nytp_chain_list(const nytp_chain *c, nytp_link **out) {
    for (uint32_t i = 0; c->n && i <= c->mask; i++)
        for (nytp_link *l = c->buckets[i]; l; l = l->next) *out++ = l;
}

void nytp_chain_free(nytp_chain *c) {
    free(c->buckets);
    *c = (nytp_chain){0};
}
