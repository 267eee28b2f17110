/* SPDX-License-Identifier: MIT */
/* blocks.c - the lines that a block and a sub consist of: source.js marks them when the pointer is on one.
 *
 * A file's blocks are one attribute: "sub block line line ...,sub block line ...", where a sub's line is given as the
 * difference to the sub before, and every other number to the number before it. A block's first line is not among its
 * lines, and blocks of one line are left out. */
#include "pages/blocks.h"

#include <stdlib.h>

#include "report/text.h"

static int in_order(const void *a, const void *b) {
    const nytp_html_place *x = a, *y = b;
    if (x->file != y->file) return x->file < y->file ? -1 : 1;
    if (x->sub_line != y->sub_line) return x->sub_line < y->sub_line ? -1 : 1;
    if (x->block_line != y->block_line) return x->block_line < y->block_line ? -1 : 1;
    return x->line < y->line ? -1 : x->line > y->line;
}

int nytp_blocks_find(nytp_html *h) {
    nytp_html_place *sorted = malloc((h->p->places_n + 1u) * sizeof *sorted);
    if (!sorted) return NYTP_NOMEM;
    for (uint32_t i = 0; i < h->p->places_n; i++) {
        const nytp_place *place = &h->p->places[i];
        if (!place->block_line || !place->line || (!place->count && !place->ticks)) continue;
        sorted[h->blocks_n++] = (nytp_html_place){place->file, place->sub_line, place->block_line, place->line};
    }
    qsort(sorted, h->blocks_n, sizeof *sorted, in_order);
    h->blocks = sorted;
    return NYTP_OK;
}

/* The first place of that file or a later one. */
static uint32_t find_file(const nytp_html *h, uint32_t file) {
    uint32_t low = 0, high = h->blocks_n;
    while (low < high) {
        uint32_t middle = low + (high - low) / 2;
        if (h->blocks[middle].file < file) low = middle + 1;
        else high = middle;
    }
    return low;
}

static int is_same_block(const nytp_html_place *a, const nytp_html_place *b) {
    return a->sub_line == b->sub_line && a->block_line == b->block_line;
}

static void put_step(nytp_buf *out, uint32_t from, uint32_t to) {
    nytp_buf_byte(out, ' ');
    nytp_text_signed(out, (int64_t)to - from);
}

/* The n places of one block. */
static void put_block(nytp_buf *out, const nytp_html_place *at, uint32_t n, uint32_t *last_sub) {
    uint32_t last = at->block_line;
    size_t begin = out->n;
    if (*last_sub) nytp_buf_byte(out, ',');
    nytp_text_signed(out, (int64_t)at->sub_line - *last_sub);
    put_step(out, at->sub_line, at->block_line);
    size_t head = out->n;
    for (uint32_t i = 0; i < n; i++) {
        if (at[i].line == last || at[i].line == at->block_line) continue;
        put_step(out, last, at[i].line);
        last = at[i].line;
    }
    if (out->n == head && at->block_line == at->sub_line) out->n = begin;
    else *last_sub = at->sub_line;
}

void nytp_blocks_put(nytp_buf *out, const nytp_html *h, uint32_t file) {
    uint32_t i = find_file(h, file), last_sub = 0;
    size_t begin = out->n;
    nytp_text_put(out, " data-blocks=\"");
    while (i < h->blocks_n && h->blocks[i].file == file) {
        uint32_t n = 1;
        while (i + n < h->blocks_n && h->blocks[i + n].file == file && is_same_block(&h->blocks[i], &h->blocks[i + n]))
            n++;
        put_block(out, &h->blocks[i], n, &last_sub);
        i += n;
    }
    if (last_sub) nytp_text_put(out, "\"");
    else out->n = begin;
}
