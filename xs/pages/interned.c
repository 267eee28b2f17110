/* SPDX-License-Identifier: MIT */
/* interned.c - names in lines, found by a table. */
#include "pages/interned.h"

#include <stdlib.h>

#include "base/grow.h"

void nytp_interned_append(nytp_interned *to, nytp_str name) {
    size_t *begin = nytp_grow_owned(&to->begins, to->n, &to->room, sizeof *begin);
    if (!begin) {
        to->list.failed = 1;
        return;
    }
    *begin = to->list.n;
    nytp_buf_bytes(&to->list, name.p, name.n);
    nytp_buf_byte(&to->list, '\n');
    to->n++;
}

static int is_named(const void *of, uint32_t number, const void *name) {
    const nytp_interned *among = of;
    size_t begin = among->begins[number - 1], end = number < among->n ? among->begins[number] : among->list.n;
    return nytp_str_eq((nytp_str){(const char *)among->list.p + begin, end - begin - 1}, *(const nytp_str *)name);
}

uint32_t nytp_interned_number(nytp_interned *among, nytp_str name) {
    if (among->list.failed) return 0;
    uint32_t *number = nytp_table_at(&among->known, nytp_str_hash(name), is_named, among, &name);
    if (!number) among->list.failed = 1;
    if (number && !*number) {
        nytp_interned_append(among, name);
        *number = among->n;
    }
    return number && *number ? *number - 1 : 0;
}

void nytp_interned_free(nytp_interned *all) {
    nytp_buf_free(&all->list);
    nytp_table_free(&all->known);
    free(all->begins);
    *all = (nytp_interned){0};
}
