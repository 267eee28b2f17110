/* SPDX-License-Identifier: MIT */
/* interned.c - names by hash; those of one hash are told apart by their bytes, which a capture may have chosen. */
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

static int is_name(const nytp_interned *among, uint32_t i, nytp_str name) {
    size_t begin = among->begins[i], end = i + 1 < among->n ? among->begins[i + 1] : among->list.n;
    return nytp_str_eq((nytp_str){(const char *)among->list.p + begin, end - begin - 1}, name);
}

uint32_t nytp_interned_number(nytp_interned *among, nytp_str name) {
    for (uint64_t key = nytp_str_hash(name); !among->list.failed; key++) {
        uint32_t *number = nytp_map_at(&among->known, key);
        if (!number) among->list.failed = 1;
        else if (!*number) {
            nytp_interned_append(among, name);
            *number = among->n;
            return among->n ? among->n - 1 : 0;
        } else if (is_name(among, *number - 1, name)) return *number - 1;
    }
    return 0;
}

void nytp_interned_free(nytp_interned *all) {
    nytp_buf_free(&all->list);
    nytp_map_free(&all->known);
    free(all->begins);
    *all = (nytp_interned){0};
}
