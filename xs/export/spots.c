/* SPDX-License-Identifier: MIT */
/* spots.c - call paths with lines, from the calling contexts of a profile. The time of a context is known, and that of
 * a sub's lines; which of it is whose is estimated. */
#include "export/spots.h"

#include <stdlib.h>

#include "base/grow.h"
#include "base/table.h"
#include "base/ticks.h"
#include "export/spread.h"
#include "model/costs.h"
#include "model/metrics.h"

#define NOT_SHOWN UINT32_MAX

/* A calling context on its way into the tree. */
typedef struct context {
    uint32_t process;
    uint32_t base; /* the node of the tree below which its frames are; NOT_SHOWN: option --from leaves it out */
    uint8_t is_chosen; /* 1: a sub on its path is */
    uint8_t is_merged; /* 1: it is too short to have frames, and its time is that of node `base` */
} context;

/* Nearly all subs are in one file. */
typedef struct function {
    uint32_t number; /* from 1; 0: none */
    uint32_t file;
} function;

typedef struct maker {
    nytp_spots *s;
    const nytp_profile *p;
    const nytp_selection *selection;
    context *contexts; /* per node of the profile */
    nytp_table numbers; /* of spots: 1 + index */
    uint32_t *of_sub, *of_cost; /* the same for a sub's first line, and for a row of costs; 0: not looked up yet */
    nytp_map functions;         /* of sub and file: 1 + number */
    function *latest;           /* per sub */
    int with; /* enum nytp_spots_with */
    nytp_costs costs;
    const nytp_cost *lines; /* of the sub whose time is spread, their spots (1 + index, or 0), and its contexts */
    uint32_t *of_line;
    const uint32_t *nodes;
} maker;

/* ---- spots ---- */

static int is_same(const void *of, uint32_t number, const void *like) {
    const nytp_spot *a = &((const nytp_spots *)of)->at[number - 1], *b = like;
    return a->sub == b->sub && a->file == b->file && a->line == b->line;
}

/* UINT32_MAX when memory is short, as in the next ones. */
static uint32_t function_of(maker *m, const nytp_spot *spot) {
    function *latest = &m->latest[spot->sub];
    if (latest->number && latest->file == spot->file) return latest->number - 1;
    uint32_t *number = nytp_map_at(&m->functions, (uint64_t)spot->sub << 32 | spot->file);
    if (!number) return UINT32_MAX;
    if (!*number) *number = ++m->s->functions_n;
    *latest = (function){*number, spot->file};
    return *number - 1;
}

static uint64_t hash(const nytp_spot *spot) {
    uint64_t h = ((uint64_t)spot->sub << 32 | spot->line) * 0x9E3779B97F4A7C15u;
    return (h ^ h >> 32 ^ spot->file) * 0x9E3779B97F4A7C15u;
}

/* The index of a spot. */
static uint32_t number_of(maker *m, const nytp_spot *spot) {
    nytp_spots *s = m->s;
    uint32_t *number = nytp_table_at(&m->numbers, hash(spot), is_same, s, spot);
    if (number && *number) return *number - 1;
    nytp_spot *made = number ? nytp_grow(&s->tree.arena, &s->at, s->n, &s->room, sizeof *made) : NULL;
    if (!made) return UINT32_MAX;
    *made = *spot;
    made->function = function_of(m, spot);
    if (made->function == UINT32_MAX) return UINT32_MAX;
    *number = ++s->n;
    return *number - 1;
}

/* Leads out of evals, up to the one that has the sub. */
static nytp_spot spot_of(const nytp_profile *p, uint32_t sub, uint32_t file, uint32_t line) {
    uint32_t home = p->subs[sub].file;
    if (!file) file = home;
    while (p->files[file].parent && file != home) {
        line = p->files[file].parent_line;
        file = p->files[file].parent;
    }
    return (nytp_spot){.sub = sub, .file = file, .line = file && line != NYTP_LINE_UNKNOWN ? line : 0};
}

static uint32_t spot_at(maker *m, uint32_t sub, uint32_t file, uint32_t line) {
    nytp_spot spot = spot_of(m->p, sub, file, line);
    return number_of(m, &spot);
}

/* The same for a line of many contexts, which is looked up once. */
static uint32_t known_spot(maker *m, uint32_t *known, uint32_t sub, uint32_t file, uint32_t line) {
    if (!*known) *known = 1 + spot_at(m, sub, file, line);
    return *known - 1;
}

/* The node for a frame below node `base`. */
static uint32_t frame(maker *m, uint32_t base, uint32_t spot) {
    return spot == UINT32_MAX ? spot : nytp_calltree_child(&m->s->tree, base, spot);
}

/* ---- contexts ---- */

static uint32_t process_of(const maker *m, uint32_t i) {
    uint32_t process = nytp_profile_main_of(m->p, i);
    return process ? process - 1 : m->contexts[m->p->nodes[i].parent].process;
}

/* The context of the call, or NULL: a phase of the program, in which perl itself calls subs, begins a path. */
static const context *caller_of(const maker *m, uint32_t i) {
    const nytp_node *node = &m->p->nodes[i];
    int is_phase = i == NYTP_ROOT || m->p->subs[node->sub].flags & NYTP_SUB_PHASE;
    return is_phase ? NULL : &m->contexts[node->parent];
}

/* The node below which the callees of a context at that line are. */
static uint32_t base_of(maker *m, const context *caller, const nytp_node *node) {
    if (caller->is_merged) return caller->base;
    return frame(m, caller->base, spot_at(m, m->p->nodes[node->parent].sub, node->file, node->line));
}

/* Returns an nytp_code. */
static int enter(maker *m, uint32_t i) {
    const nytp_node *node = &m->p->nodes[i];
    const context *caller = caller_of(m, i);
    const unsigned char *from = m->selection->from;
    context *c = &m->contexts[i];
    c->process = process_of(m, i);
    c->is_chosen = nytp_selection_has(m->selection, node->sub) || (caller && caller->is_chosen);
    c->base = NOT_SHOWN;
    if (!caller || caller->base == NOT_SHOWN) {
        if (from && !from[node->sub]) {
            c->is_chosen = 0;
            return NYTP_OK;
        }
        c->base = nytp_calltree_child(&m->s->tree, 0, c->process);
    } else {
        c->is_merged = caller->is_merged || !nytp_selection_shows(m->selection, node->inclusive);
        c->base = base_of(m, caller, node);
    }
    return c->base == UINT32_MAX ? NYTP_NOMEM : NYTP_OK;
}

static int add_calls(maker *m, uint32_t i) {
    const nytp_node *node = &m->p->nodes[i];
    const nytp_sub *sub = &m->p->subs[node->sub];
    uint32_t spot = known_spot(m, &m->of_sub[node->sub], node->sub, sub->file, sub->first_line);
    uint32_t to = frame(m, m->contexts[i].base, spot);
    if (to == UINT32_MAX) return NYTP_NOMEM;
    m->s->entered[i] = to;
    m->s->tree.at[to].calls = nytp_ticks_add(m->s->tree.at[to].calls, node->calls > 0 ? node->calls : 0);
    return NYTP_OK;
}

static int is_shown(const context *c) { return c->base != NOT_SHOWN && c->is_chosen; }

static int add_contexts(maker *m) {
    const nytp_profile *p = m->p;
    int code = NYTP_OK;
    for (uint32_t i = 0; i < p->nodes_n && !code; i++) {
        const nytp_node *node = &p->nodes[i];
        const context *c = &m->contexts[i];
        code = enter(m, i);
        if (code || !is_shown(c)) continue;
        if (c->is_merged) m->s->entered[i] = c->base;
        else if (m->with & NYTP_SPOTS_CALLS && (node->calls || node->own)) code = add_calls(m, i);
    }
    return code;
}

/* ---- own time ---- */

/* Of the context of node i of the profile. Returns an nytp_code. */
static int note_part(maker *m, uint32_t i, uint32_t to, const nytp_cost *line, int64_t ticks) {
    nytp_spots *s = m->s;
    if (!(m->with & NYTP_SPOTS_PARTS)) return NYTP_OK;
    nytp_spots_part *part = nytp_grow(&s->tree.arena, &s->parts, s->parts_n, &s->parts_room, sizeof *part);
    if (!part) return NYTP_NOMEM;
    *part = (nytp_spots_part){to, line->file, line->line, s->parts_of[i], ticks};
    s->parts_of[i] = ++s->parts_n;
    return NYTP_OK;
}

/* Takes the time that a context of the sub spent on one of its lines. */
static int add_part(void *context_of, uint32_t row, uint32_t column, int64_t ticks) {
    maker *m = context_of;
    const nytp_cost *line = &m->lines[column];
    const context *c = &m->contexts[m->nodes[row]];
    if (!is_shown(c)) return NYTP_OK;
    uint32_t to = c->base;
    if (!c->is_merged) to = frame(m, to, known_spot(m, &m->of_line[column], line->sub, line->file, line->line));
    if (to == UINT32_MAX) return NYTP_NOMEM;
    m->s->tree.at[to].self = nytp_ticks_add(m->s->tree.at[to].self, ticks);
    return note_part(m, m->nodes[row], to, line, ticks);
}

static int64_t above_zero(int64_t v) { return v > 0 ? v : 0; }

/* Spreads the times of a sub's contexts, nodes[0..n), over its lines; `times` has room for all. */
static int add_sub(maker *m, uint32_t sub, const uint32_t *nodes, uint32_t n, int64_t *times) {
    const nytp_cost here = {.sub = sub, .file = m->p->subs[sub].file, .line = m->p->subs[sub].first_line};
    uint32_t first = m->costs.first[sub], lines = m->costs.first[sub + 1] - first;
    nytp_spread spread = {.rows = times, .columns = times + n, .rows_n = n, .columns_n = lines ? lines : 1,
                          .least = nytp_spread_least(m->p->totals.whole), .take = add_part, .context = m};
    spread.left = times + n + spread.columns_n;
    m->nodes = nodes;
    m->lines = lines ? m->costs.at + first : &here;
    m->of_line = lines ? m->of_cost + first : &m->of_sub[sub];
    for (uint32_t i = 0; i < n; i++) times[i] = above_zero(m->p->nodes[nodes[i]].exclusive);
    for (uint32_t j = 0; j < spread.columns_n; j++) times[n + j] = above_zero(m->lines[j].ticks);
    return nytp_spread_all(&spread);
}

/* Sorts the contexts by sub: a count per sub becomes the index of its first one, then of its end. */
static void sort_contexts(const nytp_profile *p, uint32_t *sorted, uint32_t *ends) {
    uint32_t before = 0;
    for (uint32_t i = 0; i < p->nodes_n; i++) ends[p->nodes[i].sub]++;
    for (uint32_t i = 0; i < p->subs_n; i++) {
        uint32_t n = ends[i];
        ends[i] = before;
        before += n;
    }
    for (uint32_t i = 0; i < p->nodes_n; i++) sorted[ends[p->nodes[i].sub]++] = i;
}

static int add_times(maker *m) {
    const nytp_profile *p = m->p;
    uint32_t *sorted = malloc((p->nodes_n + (size_t)1) * sizeof *sorted);
    uint32_t *ends = calloc(p->subs_n + (size_t)1, sizeof *ends);
    int64_t *times = malloc((p->nodes_n + 2 * (size_t)(m->costs.n + 1)) * sizeof *times);
    int code = sorted && ends && times ? NYTP_OK : NYTP_NOMEM;
    if (!code) sort_contexts(p, sorted, ends);
    for (uint32_t i = 0, begin = 0; i < p->subs_n && !code; begin = ends[i++])
        code = add_sub(m, i, sorted + begin, ends[i] - begin, times);
    free(sorted);
    free(ends);
    free(times);
    return code;
}

/* ---- all ---- */

static int add_all(maker *m) {
    const nytp_profile *p = m->p;
    m->contexts = calloc(p->nodes_n + (size_t)1, sizeof *m->contexts);
    m->s->entered = nytp_arena_get(&m->s->tree.arena, (p->nodes_n + (size_t)1) * sizeof *m->s->entered);
    m->s->parts_of = nytp_arena_get(&m->s->tree.arena, (p->nodes_n + (size_t)1) * sizeof *m->s->parts_of);
    m->of_sub = calloc(p->subs_n + (size_t)1, sizeof *m->of_sub);
    m->latest = calloc(p->subs_n + (size_t)1, sizeof *m->latest);
    if (!m->contexts || !m->s->entered || !m->s->parts_of || !m->of_sub || !m->latest) return NYTP_NOMEM;
    int code = nytp_costs_find(&m->costs, p);
    if (code) return code;
    m->of_cost = calloc(m->costs.n + (size_t)1, sizeof *m->of_cost);
    code = m->of_cost ? add_contexts(m) : NYTP_NOMEM;
    return code ? code : add_times(m);
}

int nytp_spots_make(nytp_spots *s, const nytp_profile *p, const nytp_selection *selection, int with) {
    maker m = {.s = s, .p = p, .selection = selection, .with = with};
    int code = add_all(&m);
    free(m.contexts);
    free(m.of_sub);
    free(m.of_cost);
    free(m.latest);
    nytp_map_free(&m.functions);
    nytp_table_free(&m.numbers);
    nytp_costs_free(&m.costs);
    if (code) return code;
    nytp_calltree_sum(&s->tree);
    return nytp_calltree_link(&s->tree, NULL, 1);
}

/* ---- values ---- */

/* In proportion to what of the metric that time on its line is worth. */
static double worth_of(const nytp_profile *p, uint32_t metric, const nytp_spots_part *part) {
    const nytp_line *line = nytp_profile_line(&p->files[part->file], NYTP_LEVEL_LINE, part->line);
    if (!line || line->ticks <= 0) return 0;
    double value = (double)nytp_metrics_get(p, metric, line->values);
    return value > 0 ? (double)part->ticks * value / (double)line->ticks : 0;
}

/* The parts of a context, whose list begins with `first`, add up to the value. If its lines have nothing of the metric
 * they are in proportion to its time on them. */
static void spread_value(const nytp_spots *s, const nytp_profile *p, uint32_t metric, uint32_t first, int64_t value,
                         int64_t *values) {
    double sum = 0, all = 0, before = 0;
    int64_t given = 0;
    for (uint32_t i = first; i; i = s->parts[i - 1].next) {
        sum += worth_of(p, metric, &s->parts[i - 1]);
        all += (double)s->parts[i - 1].ticks;
    }
    for (uint32_t i = first; i; i = s->parts[i - 1].next) {
        const nytp_spots_part *part = &s->parts[i - 1];
        before += sum > 0 ? worth_of(p, metric, part) / sum : (double)part->ticks / all;
        int64_t until = part->next && before < 1 ? nytp_ticks_whole((double)value * before) : value;
        values[part->to] = nytp_ticks_add(values[part->to], until - given);
        given = until;
    }
}

void nytp_spots_values(const nytp_spots *s, const nytp_profile *p, uint32_t metric, int64_t *values) {
    const nytp_metric *m = &p->metrics[metric];
    int is_of_lines = m->of & NYTP_OF_PLACE && m->adds != NYTP_ADDS_MAX;
    for (uint32_t i = 0; i < s->tree.n; i++) values[i] = 0;
    for (uint32_t i = 0; i < p->nodes_n; i++) {
        int64_t value = nytp_metrics_get(p, metric, p->nodes[i].own), *at = &values[s->entered[i]];
        uint32_t first = is_of_lines ? s->parts_of[i] : 0;
        if (value > 0 && first) spread_value(s, p, metric, first, value, values);
        else *at = nytp_metrics_join(m, *at, value);
    }
}

void nytp_spots_free(nytp_spots *s) {
    nytp_calltree_free(&s->tree);
    *s = (nytp_spots){0};
}
