/* SPDX-License-Identifier: MIT */
/* classes.c - the class of each process of a build in each schema. */
#include "report/classes.h"

#include "base/grow.h"

#define CLASSES 10000u /* of a schema; more are one class */

static int is_same(const void *of, uint32_t number, const void *like) {
    return nytp_str_eq(((const nytp_class_list *)of)->classes[number - 1], *(const nytp_str *)like);
}

/* Sets *index to that of the class. Returns 0 without memory. */
static int find(nytp_classes *c, nytp_class_list *l, nytp_str name, uint32_t *index) {
    nytp_str kept = l->n < CLASSES ? name : NYTP_LIT("(others)");
    uint32_t *number = nytp_table_at(&l->by_name, nytp_str_hash(kept), is_same, l, &kept);
    nytp_str *new = NULL;
    if (number && *number) return *index = *number - 1, 1;
    if (number) new = nytp_grow(&c->arena, &l->classes, l->n, &l->room, sizeof *new);
    if (new) *new = nytp_arena_str(&c->arena, kept);
    if (!new || !new->p) return 0;
    *index = l->n;
    *number = ++l->n;
    return 1;
}

static int begin(nytp_classes *c, const nytp_schemata *s, const nytp_build *b) {
    uint32_t none;
    c->lists = nytp_arena_get(&c->arena, c->n * sizeof *c->lists);
    for (uint32_t i = 0; c->lists && i < c->n; i++) {
        nytp_class_list *l = &c->lists[i];
        l->name = nytp_arena_str(&c->arena, nytp_schemata_name(s, i));
        l->of = nytp_arena_get(&c->arena, (b->n + !b->n) * sizeof *l->of);
        if (!l->name.p || !l->of || !find(c, l, (nytp_str){"", 0}, &none)) return 0;
    }
    return c->lists != NULL;
}

static int classify(nytp_classes *c, const nytp_buf *texts, uint32_t process) {
    const char *class = texts->failed ? NULL : (const char *)texts->p;
    for (uint32_t i = 0; class && i < c->n; i++) {
        nytp_str name = nytp_str_c(class);
        if (!find(c, &c->lists[i], name, &c->lists[i].of[process])) return 0;
        class += name.n + 1;
    }
    return class != NULL;
}

enum nytp_code nytp_classes_make(nytp_classes *c, nytp_schemata *s, const nytp_build *b) {
    nytp_buf texts = {0};
    *c = (nytp_classes){.n = nytp_schemata_count(s)};
    int is_fine = begin(c, s, b);
    for (uint32_t i = 0; i < b->n && is_fine; i++) {
        nytp_built process = nytp_build_view(b, &b->processes[i]);
        nytp_schemata_classify(s, &process, &texts);
        is_fine = classify(c, &texts, i);
    }
    nytp_buf_free(&texts);
    return is_fine ? NYTP_OK : NYTP_NOMEM;
}

void nytp_classes_free(nytp_classes *c) {
    for (uint32_t i = 0; c->lists && i < c->n; i++) nytp_table_free(&c->lists[i].by_name);
    nytp_arena_free(&c->arena);
    *c = (nytp_classes){0};
}
