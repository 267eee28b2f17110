/* SPDX-License-Identifier: MIT */
/* aligned.c - which line of an old text is which of a new one. */
#include "report/aligned.h"

#include <stdlib.h>

#define CELLS_ONCE 1000000u  /* of the table of one stretch: bytes, and steps */
#define CELLS_ALL 100000000u /* of all tables: steps */
#define DEEPEST 32           /* stretches within each other */

typedef struct alignment {
    nytp_aligned_text of[2];
    uint32_t *partners;
    uint64_t *cells; /* so far */
} alignment;

/* Lines of both texts, from the first ones to those before the ends. */
typedef struct stretch {
    uint32_t first[2], end[2];
} stretch;

static uint32_t length(const stretch *s, int side) { return s->end[side] - s->first[side]; }

static int is_same(const alignment *a, uint32_t old, uint32_t new) { return a->of[0].at[old] == a->of[1].at[new]; }

/* ---- a short stretch ---- */

/* Lines that were replaced by as many are partners in their order. */
static void pair_replaced(alignment *a, const stretch *s) {
    if (length(s, 0) != length(s, 1)) return;
    for (uint32_t i = 0; i < length(s, 0); i++) a->partners[s->first[0] + i] = s->first[1] + i;
}

enum step { BOTH, OLD_ALONE, NEW_ALONE };

/* The lengths of common subsequences of the first i old and the first j new lines (Wagner and Fischer, 1974). */
static void fill(const alignment *a, const stretch *s, uint32_t *rows, unsigned char *steps) {
    uint32_t width = length(s, 1) + 1;
    for (uint32_t i = 1; i <= length(s, 0); i++) {
        const uint32_t *above = rows + (i + 1) % 2 * width;
        uint32_t *row = rows + i % 2 * width;
        row[0] = 0;
        for (uint32_t j = 1; j < width; j++) {
            unsigned char *step = &steps[(size_t)i * width + j];
            if (is_same(a, s->first[0] + i - 1, s->first[1] + j - 1)) row[j] = above[j - 1] + 1, *step = BOTH;
            else if (above[j] >= row[j - 1]) row[j] = above[j], *step = OLD_ALONE;
            else row[j] = row[j - 1], *step = NEW_ALONE;
        }
    }
}

/* From the end to the beginning; `gap` is between two lines that are common. */
static void follow(alignment *a, const stretch *s, const unsigned char *steps) {
    uint32_t i = length(s, 0), j = length(s, 1), width = j + 1;
    stretch gap = *s;
    while (i && j) {
        enum step step = (enum step)steps[(size_t)i * width + j];
        if (step == BOTH) {
            gap.first[0] = s->first[0] + i;
            gap.first[1] = s->first[1] + j;
            pair_replaced(a, &gap);
            gap.end[0] = s->first[0] + i - 1;
            gap.end[1] = s->first[1] + j - 1;
            a->partners[gap.end[0]] = gap.end[1];
        }
        if (step != NEW_ALONE) i--;
        if (step != OLD_ALONE) j--;
    }
    gap.first[0] = s->first[0];
    gap.first[1] = s->first[1];
    pair_replaced(a, &gap);
}

/* 0 if memory is short. */
static int align_short(alignment *a, const stretch *s) {
    size_t width = length(s, 1) + (size_t)1, height = length(s, 0) + (size_t)1;
    uint32_t *rows = calloc(2 * width, sizeof *rows);
    unsigned char *steps = malloc(width * height);
    int is_fine = rows && steps;
    if (is_fine) {
        fill(a, s, rows, steps);
        follow(a, s, steps);
    }
    free(rows);
    free(steps);
    return is_fine;
}

/* ---- a long stretch: lines that are in it once on each side ---- */

typedef struct line {
    uint64_t hash;
    uint32_t number;
} line;

static int by_hash(const void *a, const void *b) {
    const line *x = a, *y = b;
    if (x->hash != y->hash) return x->hash < y->hash ? -1 : 1;
    return x->number < y->number ? -1 : x->number > y->number;
}

/* Sorts the lines of a side and leaves those that are there once. Returns how many. */
static uint32_t take_single(const alignment *a, const stretch *s, int side, line *to) {
    uint32_t all = length(s, side), n = 0;
    for (uint32_t i = 0; i < all; i++)
        to[i] = (line){a->of[side].at[s->first[side] + i], s->first[side] + i};
    qsort(to, all, sizeof *to, by_hash);
    for (uint32_t i = 0, behind; i < all; i = behind) {
        for (behind = i + 1; behind < all && to[behind].hash == to[i].hash;) behind++;
        if (behind == i + 1) to[n++] = to[i];
    }
    return n;
}

typedef struct anchor {
    uint32_t old, new, before; /* 1 + index of the anchor before it in a longest increasing sequence; 0: none */
} anchor;

static int by_old(const void *a, const void *b) {
    const anchor *x = a, *y = b;
    return (x->old > y->old) - (x->old < y->old);
}

static uint32_t match(const line *old, uint32_t old_n, const line *new, uint32_t new_n, anchor *to) {
    uint32_t n = 0;
    for (uint32_t i = 0, j = 0; i < old_n && j < new_n;) {
        if (old[i].hash == new[j].hash) to[n++] = (anchor){old[i++].number, new[j++].number, 0};
        else if (old[i].hash < new[j].hash) i++;
        else j++;
    }
    qsort(to, n, sizeof *to, by_old);
    return n;
}

/* Leaves a longest sequence in which new lines increase, too. `tops` has the last anchor, plus 1, of the best sequence
 * of each length. Returns how many. */
static uint32_t keep_increasing(anchor *at, uint32_t n, uint32_t *tops) {
    uint32_t longest = 0;
    for (uint32_t i = 0; i < n; i++) {
        uint32_t low = 0, high = longest;
        while (low < high) {
            uint32_t middle = (low + high) / 2;
            if (at[tops[middle] - 1].new < at[i].new) low = middle + 1;
            else high = middle;
        }
        at[i].before = low ? tops[low - 1] : 0;
        tops[low] = i + 1;
        if (low == longest) longest++;
    }
    uint32_t next = longest ? tops[longest - 1] : 0;
    for (uint32_t k = longest; k-- > 0;) {
        tops[k] = next;
        next = at[next - 1].before;
    }
    for (uint32_t k = 0; k < longest; k++) at[k] = at[tops[k] - 1];
    return longest;
}

/* Sets *anchors to an array that the caller frees. 0 if memory is short. */
static int find_anchors(const alignment *a, const stretch *s, anchor **anchors, uint32_t *n) {
    size_t least = length(s, 0) < length(s, 1) ? length(s, 0) : length(s, 1);
    line *old = malloc(length(s, 0) * sizeof *old), *new = malloc(length(s, 1) * sizeof *new);
    uint32_t *tops = malloc(least * sizeof *tops);
    *anchors = malloc(least * sizeof **anchors);
    int is_fine = old && new && tops && *anchors;
    if (is_fine) {
        uint32_t old_n = take_single(a, s, 0, old), new_n = take_single(a, s, 1, new);
        *n = keep_increasing(*anchors, match(old, old_n, new, new_n, *anchors), tops);
    }
    free(old);
    free(new);
    free(tops);
    return is_fine;
}

static int align(alignment *a, stretch s, int depth);

static int align_long(alignment *a, const stretch *s, int depth) {
    anchor *anchors = NULL;
    uint32_t n = 0;
    stretch rest = *s;
    int is_fine = find_anchors(a, s, &anchors, &n);
    for (uint32_t i = 0; i < n && is_fine; i++) {
        stretch between = {{rest.first[0], rest.first[1]}, {anchors[i].old, anchors[i].new}};
        is_fine = align(a, between, depth + 1);
        a->partners[anchors[i].old] = anchors[i].new;
        rest.first[0] = anchors[i].old + 1;
        rest.first[1] = anchors[i].new + 1;
    }
    if (is_fine && n) is_fine = align(a, rest, depth + 1);
    else if (is_fine) pair_replaced(a, s);
    free(anchors);
    return is_fine;
}

/* ---- any stretch ---- */

static int align(alignment *a, stretch s, int depth) {
    for (; length(&s, 0) && length(&s, 1) && is_same(a, s.first[0], s.first[1]); s.first[0]++, s.first[1]++)
        a->partners[s.first[0]] = s.first[1];
    for (; length(&s, 0) && length(&s, 1) && is_same(a, s.end[0] - 1, s.end[1] - 1); s.end[0]--, s.end[1]--)
        a->partners[s.end[0] - 1] = s.end[1] - 1;
    if (!length(&s, 0) || !length(&s, 1)) return 1;
    uint64_t cells = ((uint64_t)length(&s, 0) + 1) * ((uint64_t)length(&s, 1) + 1);
    if (cells > CELLS_ONCE && depth < DEEPEST) return align_long(a, &s, depth);
    if (cells > CELLS_ONCE || *a->cells + cells > CELLS_ALL) {
        pair_replaced(a, &s);
        return 1;
    }
    *a->cells += cells;
    return align_short(a, &s);
}

uint32_t *nytp_aligned_make(nytp_aligned_text old, nytp_aligned_text new, uint64_t *steps) {
    alignment a = {.of = {old, new}, .partners = malloc((old.n + (size_t)1) * sizeof *a.partners), .cells = steps};
    stretch all = {{0, 0}, {old.n, new.n}};
    if (!a.partners) return NULL;
    for (uint32_t i = 0; i < old.n; i++) a.partners[i] = NYTP_ALIGNED_NONE;
    if (align(&a, all, 0)) return a.partners;
    free(a.partners);
    return NULL;
}
