/* SPDX-License-Identifier: MIT */
/* looks.c - weights of looks, one kind of time after the other, and times in proportion to them. */
#include "sample/looks.h"

typedef double weights[NYTP_LOOKS_ROOM];

static int64_t rest_of(const nytp_look *look) { return look->wall > look->used ? look->wall - look->used : 0; }

void nytp_looks_add(nytp_looks *l, const nytp_look *look) { l->all[l->n++] = *look; }

nytp_weighed nytp_looks_time(const nytp_looks *l) {
    nytp_weighed all = {0, 0, 0};
    int64_t wall = 0;
    for (uint32_t i = l->kept; i < l->n; i++) {
        wall += l->all[i].wall;
        all.used += l->all[i].used;
    }
    all.waiting = wall > all.used ? wall - all.used : 0;
    return all;
}

/* ---- weights: each function returns their sum ---- */

static int is_countable(const nytp_look *look) { return look->state == NYTP_CAUGHT_RUNNING && look->counts > 0; }

/* Of the looks from before the window the latest, if there are too few in it. */
static double running(const nytp_looks *l, weights w) {
    double sum = 0;
    uint32_t n = 0;
    for (uint32_t i = l->n; i-- > 0;) {
        const nytp_look *look = &l->all[i];
        int is_one = is_countable(look) && (i >= l->kept || n < NYTP_LOOKS_LEAST);
        w[i] = is_one ? (double)look->counts : 0;
        sum += w[i];
        n += (uint32_t)is_one;
    }
    return sum;
}

/* An interval's rest belongs to the stretch in which the thread is at its end, else was at its beginning. */
static double standing(const nytp_looks *l, weights w, enum nytp_caught state) {
    double sum = 0;
    for (uint32_t i = 0; i < l->n; i++) w[i] = 0;
    for (uint32_t i = l->kept; i < l->n; i++) {
        uint32_t at = l->all[i].state == NYTP_CAUGHT_RUNNING && i ? i - 1 : i;
        if (l->all[at].state != state) continue;
        w[at] += (double)rest_of(&l->all[i]);
        sum += (double)rest_of(&l->all[i]);
    }
    return sum;
}

static double by_use(const nytp_looks *l, weights w) {
    double sum = 0;
    for (uint32_t i = 0; i < l->n; i++) sum += w[i] = i < l->kept ? 0 : (double)l->all[i].used;
    return sum;
}

static double by_rest(const nytp_looks *l, weights w) {
    double sum = 0;
    for (uint32_t i = 0; i < l->n; i++) sum += w[i] = i < l->kept ? 0 : (double)rest_of(&l->all[i]);
    return sum;
}

/* ---- shares ---- */

/* Part i of all, which is the last one with a weight where `before` comes out as the sum. */
static int64_t next_part(int64_t all, double sum, double *before, double weight, int64_t *given) {
    *before += weight;
    int64_t part = (*before < sum ? (int64_t)((double)all * (*before / sum)) : all) - *given;
    *given += part;
    return part;
}

static void share_used(nytp_looks *l, int64_t all, weights w) {
    double sum = running(l, w), before = 0;
    int64_t given = 0;
    if (sum <= 0) sum = by_use(l, w);
    for (uint32_t i = 0; i < l->n; i++) l->all[i].share.used = sum > 0 ? next_part(all, sum, &before, w[i], &given) : 0;
    l->all[l->n - 1].share.used += all - given;
}

static double weigh_standing(const nytp_looks *l, weights w, enum nytp_caught state) {
    double sum = standing(l, w, state);
    if (sum <= 0) sum = running(l, w);
    return sum > 0 ? sum : by_rest(l, w);
}

static void share_standing(nytp_looks *l, int64_t all, weights w, enum nytp_caught state) {
    double sum = weigh_standing(l, w, state), before = 0;
    int64_t given = 0;
    for (uint32_t i = 0; i < l->n; i++) {
        int64_t part = sum > 0 ? next_part(all, sum, &before, w[i], &given) : 0;
        if (i == l->n - 1) part += all - given;
        if (state == NYTP_CAUGHT_READY) l->all[i].share.ready = part;
        else l->all[i].share.waiting = part;
    }
}

void nytp_looks_share(nytp_looks *l, const nytp_weighed *all) {
    weights w;
    if (l->n == l->kept) return;
    share_used(l, all->used, w);
    share_standing(l, all->ready, w, NYTP_CAUGHT_READY);
    share_standing(l, all->waiting, w, NYTP_CAUGHT_WAITING);
}

/* ---- between windows ---- */

/* Some that found the thread running, and the latest one, whose state may be that of the next interval's beginning. */
void nytp_looks_keep(nytp_looks *l, int64_t since) {
    uint32_t first = l->n, n = 0, running = 0;
    while (first && l->all[first - 1].moment >= since && running < NYTP_LOOKS_LEAST)
        running += (uint32_t)is_countable(&l->all[--first]);
    for (uint32_t i = first; i < l->n; i++) {
        nytp_look look = l->all[i];
        if (i < l->n - 1 && !is_countable(&look)) continue;
        look.wall = look.used = 0;
        look.samples = 0;
        l->all[n++] = look;
    }
    l->n = l->kept = n;
}
