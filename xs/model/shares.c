/* SPDX-License-Identifier: MIT */
/* shares.c - a sub's time, with that of the subs in C that it calls, to its lines: in proportion to the time up to the
 * samples in each. A sub without a sample has its time in its first line. So the lines' times add up to the subs'. */
#include "model/shares.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/grow.h"
#include "base/ticks.h"
#include "model/metrics.h"
#include "model/notes.h"
#include "model/samples.h"

/* ---- what is read ---- */

enum nytp_code nytp_shares_time(nytp_shares *s, uint32_t node, int64_t ticks) {
    if (node >= s->times_n) {
        uint32_t n = s->times_n ? s->times_n : 1024;
        while (n <= node) n *= 2;
        int64_t *grown = realloc(s->times, n * sizeof *grown);
        if (!grown) return NYTP_NOMEM;
        memset(grown + s->times_n, 0, (n - s->times_n) * sizeof *grown);
        s->times = grown;
        s->times_n = n;
    }
    s->times[node] = nytp_ticks_add(s->times[node], ticks);
    return NYTP_OK;
}

static nytp_seen_spot *spot_of(nytp_shares *s, uint32_t node, uint32_t place) {
    uint32_t *number = nytp_map_at(&s->by_pair, (uint64_t)node << 32 | place);
    if (!number) return NULL;
    if (*number) return &s->spots[*number - 1];
    nytp_seen_spot *made = nytp_grow_owned(&s->spots, s->spots_n, &s->spots_room, sizeof *made);
    if (!made) return NULL;
    *made = (nytp_seen_spot){.node = node, .place = place};
    *number = ++s->spots_n;
    return made;
}

/* The number of samples is a metric, as that of a sampled program is. */
static void count(nytp_profile *p, uint32_t node, uint32_t place, int64_t samples) {
    static const nytp_rec_metric what = {.of = NYTP_OF_PLACE | NYTP_OF_NODE, .adds = NYTP_ADDS_SUM,
                                         .name = {"samples", 7}, .unit = {"samples", 7}, .title = {"Samples", 7}};
    const nytp_metric *metric = nytp_metrics_define(p, &what);
    if (!metric) return;
    nytp_metrics_put(p, (uint32_t)(metric - p->metrics), &p->nodes[node].own, samples);
    nytp_metrics_put(p, (uint32_t)(metric - p->metrics), &p->places[place].values, samples);
}

enum nytp_code nytp_shares_seen(nytp_shares *s, nytp_profile *p, uint32_t node, uint32_t place,
                                const nytp_rec_seen *seen) {
    nytp_seen_spot *at = spot_of(s, node, place);
    if (!at) return NYTP_NOMEM;
    at->samples = nytp_ticks_add(at->samples, seen->samples);
    at->ns = nytp_ticks_add(at->ns, seen->ns);
    count(p, node, place, seen->samples);
    return NYTP_OK;
}

/* ---- shares ---- */

typedef struct portion { /* of a sub */
    int64_t time;         /* to be shared */
    int64_t seen;         /* ns of its spots */
    int64_t dealt, given; /* so far: of seen, and of time */
    int64_t samples;
} portion;

/* By node, the sub whose lines have its time: that of a sub in C belongs to the nearest one in Perl around it. */
static uint32_t *find_owners(const nytp_profile *p) {
    uint32_t *owner = malloc(p->nodes_n * sizeof *owner);
    for (uint32_t i = 0; owner && i < p->nodes_n; i++) {
        const nytp_node *node = &p->nodes[i];
        const nytp_sub *sub = &p->subs[node->sub];
        int is_owner = !i || sub->file || sub->flags & NYTP_SUB_PHASE || node->parent >= i;
        owner[i] = is_owner ? node->sub : owner[node->parent];
    }
    return owner;
}

static int64_t positive(int64_t v) { return v > 0 ? v : 0; }

static void add_up(const nytp_shares *s, const nytp_profile *p, const uint32_t *owner, portion *all) {
    for (uint32_t i = 0; i < s->times_n && i < p->nodes_n; i++)
        all[owner[i]].time = nytp_ticks_add(all[owner[i]].time, s->times[i]);
    for (uint32_t i = 0; i < s->spots_n; i++) {
        portion *of = &all[owner[s->spots[i].node]];
        of->seen = nytp_ticks_add(of->seen, positive(s->spots[i].ns));
        of->samples = nytp_ticks_add(of->samples, positive(s->spots[i].samples));
    }
}

/* Of the time of a spot that so many of the sub's samples found. As every share is as likely before the first sample,
 * it has a beta distribution: a sub with one sample may have other lines. */
static float variance_of(const portion *of, int64_t samples) {
    double all = (double)of->samples + 2, share = ((double)positive(samples) + 1) / all, time = (double)of->time;
    return (float)(time * time * share * (1 - share) / (all + 1));
}

/* The rest of rounding is carried from spot to spot, so that the time is used up. */
static void deal_spots(const nytp_shares *s, nytp_profile *p, const uint32_t *owner, portion *all) {
    for (uint32_t i = 0; i < s->spots_n; i++) {
        portion *of = &all[owner[s->spots[i].node]];
        nytp_place *place = &p->places[s->spots[i].place];
        if (!of->seen) continue;
        of->dealt = nytp_ticks_add(of->dealt, positive(s->spots[i].ns));
        int64_t due = of->dealt == of->seen ? of->time
            : nytp_ticks_whole((double)of->time * ((double)of->dealt / (double)of->seen));
        place->ticks = nytp_ticks_add(place->ticks, nytp_ticks_minus(due, of->given));
        place->variance += variance_of(of, s->spots[i].samples);
        of->given = due;
    }
}

/* What has no line is time outside statements, as ever. */
static enum nytp_code deal_rests(nytp_profile *p, nytp_intern *in, const portion *all) {
    for (uint32_t i = 0; i < p->subs_n; i++) {
        const nytp_sub *s = &p->subs[i];
        int64_t rest = nytp_ticks_minus(all[i].time, all[i].given);
        nytp_place first = {.file = s->file, .line = s->first_line, .block_line = s->first_line,
                            .sub_line = s->first_line};
        if (rest && s->file && s->first_line) {
            uint32_t place = nytp_intern_place(in, &first);
            if (place == NYTP_INTERN_FAILED) return NYTP_NOMEM;
            p->places[place].ticks = nytp_ticks_add(p->places[place].ticks, rest);
        } else if (rest && p->processes_n) {
            uint32_t process = s->process && s->process <= p->processes_n ? s->process - 1 : 0;
            p->processes[process].outside = nytp_ticks_add(p->processes[process].outside, rest);
        }
    }
    return NYTP_OK;
}

static enum nytp_code tell(const nytp_shares *s, nytp_profile *p) {
    int64_t samples = 0;
    char text[NYTP_ERROR_TEXT], worth[NYTP_SAMPLES_WORTH];
    for (uint32_t i = 0; i < s->spots_n; i++) samples = nytp_ticks_add(samples, s->spots[i].samples);
    nytp_samples_worth(samples, worth);
    snprintf(text, sizeof text, "Statements were not counted, but seen in %lld samples (option sample): the times of "
             "lines are estimates, shares of the times of subs. %s Calls and the times of subs are exact.",
             (long long)samples, worth);
    p->estimate = nytp_arena_str(&p->arena, nytp_str_c(text));
    nytp_notes_add(p, "%s", text);
    return p->estimate.p ? NYTP_OK : NYTP_NOMEM;
}

enum nytp_code nytp_shares_deal(nytp_shares *s, nytp_profile *p, nytp_intern *in) {
    uint32_t *owner = find_owners(p);
    portion *all = calloc(p->subs_n, sizeof *all);
    int failed = !owner || !all;
    if (!failed) add_up(s, p, owner, all);
    if (!failed) deal_spots(s, p, owner, all);
    failed = failed || deal_rests(p, in, all) || tell(s, p);
    free(owner);
    free(all);
    return failed ? NYTP_NOMEM : NYTP_OK;
}

void nytp_shares_free(nytp_shares *s) {
    free(s->spots);
    free(s->times);
    nytp_map_free(&s->by_pair);
    *s = (nytp_shares){0};
}
