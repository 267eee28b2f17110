/* SPDX-License-Identifier: MIT */
/* findings.c - what a profile says to look at first: a table of rules, each of which looks for one kind of finding. */
#include "report/findings.h"

#include <stdlib.h>

#include "base/ticks.h"
#include "model/metrics.h"
#include "report/kinds.h"

/* Shares of the run, in percent. */
#define LEAST_CALLS 10
#define LEAST_BUILTINS 15
#define LEAST_EVALS 10
#define LEAST_MODULE 10
#define LEAST_LINE 20
#define LEAST_SUB 25
#define LEAST_DEEP 10
#define LEAST_LOADING 25
#define LEAST_IDLE 30
#define LEAST_NO_CPU 15
#define LEAST_GROWTH 30 /* of what is kept at the end */
#define MOST_GROWTH 110 /* a line with more has things that other lines have freed */

#define MANY_CALLS 100000
#define MANY_EVALS 10
#define DEEP 1000
#define MANY_BYTES (1 << 20)
#define MANY_VALUES 10000
#define TINY_US 1           /* time per call of a sub that is called too often */
#define LEAST_PER_SECOND 50 /* the least time of a finding is this part of a second */
#define ALIKE_PERCENT 80    /* findings about the same code whose times agree so far are one */
#define CANDIDATES 64       /* more are not looked at: shares of a run are at least 10 %, times below zero aside */

/* A finding, and the code with its time: lines of a file, of which `at` are the ticks. file 0: none. */
typedef struct candidate {
    nytp_finding found;
    uint32_t file, first, last;
    int64_t at;
} candidate;

typedef struct search {
    const nytp_profile *p;
    const nytp_loading *l;
    candidate all[CANDIDATES];
    uint32_t n;
} search;

/* Whether a time is a finding: so many percent of the whole. */
static int is_enough(const search *s, double ticks, int64_t whole, int percent) {
    return whole > 0 && ticks * 100 >= (double)whole * percent &&
           ticks * LEAST_PER_SECOND >= (double)s->p->ticks_per_second;
}

/* The same of the run, its error aside. */
static int is_share(const search *s, int64_t ticks, float spread, int percent) {
    return is_enough(s, (double)ticks - (double)spread, s->p->totals.whole, percent);
}

static int is_line(uint32_t file, uint32_t line) { return file && line && line != NYTP_LINE_UNKNOWN; }

static void add(search *s, const nytp_finding *found, uint32_t file, uint32_t first, uint32_t last, int64_t at) {
    if (s->n == CANDIDATES) return;
    candidate *new = &s->all[s->n++];
    *new = (candidate){*found, file, first, last, at};
    if (!new->found.whole) new->found.whole = s->p->totals.whole;
}

/* Of a finding whose code is one line. */
static void add_line(search *s, const nytp_finding *f) { add(s, f, f->file, f->line, f->line, f->here); }

/* ---- built-ins ---- */

static const struct builtins {
    enum nytp_finding_kind found;
    enum nytp_code_kind kind;
} builtins[] = {
    {NYTP_FINDING_WAITING, NYTP_KIND_WAITING}, {NYTP_FINDING_IO, NYTP_KIND_IO},
    {NYTP_FINDING_REGEX, NYTP_KIND_REGEX}, {NYTP_FINDING_SORT, NYTP_KIND_SORT},
};

static int is_in_c(const nytp_sub *s) { return (s->flags & (NYTP_SUB_OPCODE | NYTP_SUB_XSUB)) != 0; }

int nytp_findings_is_measured(const nytp_profile *p) {
    return nytp_metrics_find(p, NYTP_LIT("no-cpu")) < p->metrics_n;
}

/* The ticks of a time that is a metric. */
static int64_t ticks_of(const nytp_profile *p, nytp_str metric, uint32_t row) {
    uint32_t i = nytp_metrics_find(p, metric);
    double ns = i < p->metrics_n ? (double)nytp_metrics_get(p, i, row) : 0;
    return nytp_ticks_whole(ns * (double)p->ticks_per_second / NYTP_NANOSECONDS);
}

/* A sub's own time that is of this kind. Those that may wait for other processes have it only if there are none: else
 * it is the work of others that they wait for. */
static int64_t ticks_of_kind(const nytp_profile *p, enum nytp_code_kind kind, const nytp_sub *s) {
    int is_measured = nytp_findings_is_measured(p), is_kind = nytp_kinds_builtin(s) == kind;
    if (p->processes_n > 1 && nytp_kinds_waits_for_others(s)) return 0;
    if (!is_measured) return is_kind ? s->exclusive : 0;
    int64_t waiting = ticks_of(p, NYTP_LIT("waiting"), s->own);
    if (kind == NYTP_KIND_WAITING) return waiting;
    return is_kind ? nytp_ticks_minus(s->exclusive, waiting) : 0;
}

/* ---- calls ---- */

/* Notes the line whose calls of the sub take the most, if it is more than is known. */
static void find_line(const nytp_profile *p, const nytp_sub *sub, nytp_finding *f) {
    for (uint32_t i = 0; i < sub->callers.n; i++) {
        const nytp_edge *e = &p->edges[sub->callers.first + i];
        if (!is_line(e->file, e->line) || e->exclusive <= f->here) continue;
        f->here = e->exclusive;
        f->file = e->file;
        f->line = e->line;
    }
}

static nytp_finding finding_of_sub(const nytp_profile *p, enum nytp_finding_kind kind, uint32_t sub) {
    const nytp_sub *s = &p->subs[sub];
    nytp_finding f = {.kind = kind, .sub = sub, .ticks = s->exclusive, .places = s->places,
                      .count = p->is_uncounted ? 0 : s->calls};
    find_line(p, s, &f);
    return f;
}

static void add_body(search *s, const nytp_finding *f) {
    const nytp_sub *sub = &s->p->subs[f->sub];
    if (sub->file) add(s, f, sub->file, sub->first_line, sub->last_line, f->ticks);
    else add_line(s, f);
}

static int is_code(const nytp_sub *s) {
    enum nytp_code_kind kind = nytp_kinds_builtin(s);
    for (size_t i = 0; i < sizeof builtins / sizeof *builtins; i++)
        if (kind == builtins[i].kind) return 0;
    return !(s->flags & (NYTP_SUB_PHASE | NYTP_SUB_OPCODE)) && nytp_profile_sub_called(s) && !nytp_kinds_is_loading(s);
}

static void find_calls(search *s) {
    for (uint32_t i = 0; i < s->p->subs_n; i++) {
        const nytp_sub *sub = &s->p->subs[i];
        double tiny = (double)sub->calls * TINY_US * 1e-6 * (double)s->p->ticks_per_second;
        if (s->p->is_uncounted || sub->flags & NYTP_SUB_XSUB || sub->calls < MANY_CALLS) continue;
        if ((double)sub->exclusive > tiny || !is_share(s, sub->exclusive, sub->spread, LEAST_CALLS)) continue;
        nytp_finding f = finding_of_sub(s->p, NYTP_FINDING_CALLS, i);
        if (is_code(sub)) add_body(s, &f);
    }
}

static void find_subs(search *s) {
    for (uint32_t i = 0; i < s->p->subs_n; i++) {
        const nytp_sub *sub = &s->p->subs[i];
        int in_c = (sub->flags & NYTP_SUB_XSUB) != 0;
        if (!is_share(s, sub->exclusive, sub->spread, LEAST_SUB) || !is_code(sub)) continue;
        nytp_finding f = finding_of_sub(s->p, in_c ? NYTP_FINDING_IN_C : NYTP_FINDING_SUB, i);
        add_body(s, &f);
    }
}

/* The one that takes the most time, as others may call it in turns. */
static void find_deep(search *s) {
    uint32_t deepest = NYTP_ROOT;
    for (uint32_t i = 1; i < s->p->subs_n; i++) {
        const nytp_sub *sub = &s->p->subs[i];
        if (sub->depth < DEEP || !is_code(sub)) continue;
        if (!is_share(s, sub->inclusive, sub->whole_spread, LEAST_DEEP)) continue;
        if (deepest == NYTP_ROOT || sub->inclusive > s->p->subs[deepest].inclusive) deepest = i;
    }
    if (deepest == NYTP_ROOT) return;
    const nytp_finding f = {.kind = NYTP_FINDING_DEEP, .sub = deepest, .ticks = s->p->subs[deepest].inclusive,
                            .count = s->p->subs[deepest].depth};
    add(s, &f, 0, 0, 0, 0);
}

/* What all of a kind take together. */
static nytp_finding add_up(const nytp_profile *p, const struct builtins *b, float *spread) {
    nytp_finding f = {.kind = b->found};
    int64_t most = 0;
    for (uint32_t i = 1; i < p->subs_n; i++) {
        const nytp_sub *of = &p->subs[i];
        int64_t ticks = ticks_of_kind(p, b->kind, of);
        if (!ticks) continue;
        f.ticks = nytp_ticks_add(f.ticks, ticks);
        f.count = p->is_uncounted ? 0 : nytp_ticks_add(f.count, of->calls);
        *spread += of->spread;
        find_line(p, of, &f);
        if (f.sub && ticks <= most) continue;
        f.sub = i;
        most = ticks;
    }
    if (f.here > f.ticks) f.here = f.ticks;
    return f;
}

static void find_builtins(search *s) {
    for (size_t i = 0; i < sizeof builtins / sizeof *builtins; i++) {
        float spread = 0;
        nytp_finding f = add_up(s->p, &builtins[i], &spread);
        if (is_share(s, f.ticks, spread, LEAST_BUILTINS)) add_line(s, &f);
    }
}

/* ---- the process ---- */

/* Threads share the CPU time of a process, and for parts of a profile it is not known. The profiler's writing may wait,
 * too. */
static void find_idle(search *s) {
    const nytp_process *of = s->p->processes;
    if (s->p->processes_n != 1 || s->p->is_part || nytp_str_ends(of->clock, NYTP_LIT("_cpu"))) return;
    if (nytp_findings_is_measured(s->p)) return;
    double cpu = ((double)of->user_us + (double)of->system_us) * 1e-6 * (double)s->p->ticks_per_second;
    nytp_finding f = {.kind = NYTP_FINDING_IDLE, .whole = of->elapsed};
    f.ticks = nytp_ticks_minus(nytp_ticks_minus(of->elapsed, of->waited), nytp_ticks_whole(cpu));
    double unknown = (double)f.ticks - (double)of->flush - (double)of->cold;
    for (size_t i = 0; i < sizeof builtins / sizeof *builtins; i++) {
        float spread = 0;
        if (builtins[i].found <= NYTP_FINDING_IO) unknown -= (double)add_up(s->p, &builtins[i], &spread).ticks;
    }
    if (cpu > 0 && is_enough(s, unknown, f.whole, LEAST_IDLE)) add_line(s, &f);
}

/* In a run of several processes these may have been in each other's way. */
static void find_no_cpu(search *s) {
    nytp_finding f = {.kind = NYTP_FINDING_NO_CPU};
    if (s->p->processes_n != 1 || s->p->is_part) return;
    f.ticks = ticks_of(s->p, NYTP_LIT("no-cpu"), s->p->totals.values);
    f.whole = s->p->processes->elapsed;
    if (is_enough(s, (double)f.ticks, f.whole, LEAST_NO_CPU)) add_line(s, &f);
}

/* ---- lines ---- */

/* A line's time without that of such built-ins and C code that it calls, which is its own, too. */
static int64_t without(const nytp_profile *p, uint32_t file, const nytp_line *l, int (*is_such)(const nytp_sub *)) {
    nytp_slice calls = p->files[file].calls;
    int64_t ticks = l->ticks;
    for (uint32_t i = 0; i < calls.n; i++) {
        const nytp_edge *e = &p->edges[p->sites[calls.first + i]];
        if (e->line == l->line && is_such(&p->subs[e->callee])) ticks = nytp_ticks_minus(ticks, e->exclusive);
    }
    return ticks;
}

/* A process that waits for another has none of that one's time to save. */
static int waits(const search *s, uint32_t file, const nytp_line *l) {
    int64_t own = without(s->p, file, l, nytp_kinds_waits_for_others);
    return s->p->processes_n > 1 && !is_share(s, own, l->spread, LEAST_LINE);
}

static void find_lines(search *s) {
    for (uint32_t file = 1; file < s->p->files_n; file++) {
        const nytp_lines *lines = &s->p->files[file].level[NYTP_LEVEL_LINE];
        for (uint32_t i = 0; i < lines->n; i++) {
            const nytp_line *l = &lines->at[i];
            if (!is_line(file, l->line) || !is_share(s, l->ticks, l->spread, LEAST_LINE) || waits(s, file, l))
                continue;
            const nytp_finding f = {.kind = NYTP_FINDING_LINE, .file = file, .line = l->line, .ticks = l->ticks,
                                    .here = l->ticks, .count = s->p->is_uncounted ? 0 : l->count};
            add_line(s, &f);
        }
    }
}

/* ---- growth ---- */

static void weigh_growth(search *s, uint32_t file, const nytp_line *l, int64_t growth, int64_t kept) {
    double percent = (double)growth / (double)kept * 100;
    if (!is_line(file, l->line) || percent < LEAST_GROWTH || percent > MOST_GROWTH) return;
    const nytp_finding f = {.kind = NYTP_FINDING_GROWTH, .file = file, .line = l->line, .ticks = l->ticks,
                            .here = l->ticks, .count = l->count, .growth = growth, .kept = kept};
    add(s, &f, 0, 0, 0, 0);
}

static void find_growth(search *s) {
    nytp_metrics_pair of = nytp_metrics_growth(s->p);
    if (of.made == s->p->metrics_n) return;
    int is_bytes = nytp_str_eq(s->p->metrics[of.made].unit, NYTP_LIT("B"));
    int64_t kept = nytp_metrics_grown(s->p, of, s->p->totals.values);
    if (kept < (is_bytes ? MANY_BYTES : MANY_VALUES)) return;
    for (uint32_t file = 1; file < s->p->files_n; file++) {
        const nytp_lines *lines = &s->p->files[file].level[NYTP_LEVEL_LINE];
        for (uint32_t i = 0; i < lines->n; i++)
            weigh_growth(s, file, &lines->at[i], nytp_metrics_grown(s->p, of, lines->at[i].values), kept);
    }
}

/* ---- string evals ---- */

static void weigh_evals(search *s, uint32_t file, uint32_t line, int64_t evals) {
    const nytp_file *f = &s->p->files[file];
    const nytp_line *l = nytp_profile_line(f, NYTP_LEVEL_LINE, line);
    if (!l || evals < MANY_EVALS || !is_share(s, l->ticks, l->spread, LEAST_EVALS)) return;
    nytp_finding found = {.kind = NYTP_FINDING_EVALS, .file = file, .line = line,
                          .ticks = without(s->p, file, l, is_in_c),
                          .here = l->ticks, .count = s->p->is_uncounted ? 0 : l->count};
    if (is_share(s, found.ticks, l->spread, LEAST_EVALS)) add_line(s, &found);
}

static void find_evals(search *s) {
    for (uint32_t file = 1; file < s->p->files_n; file++) {
        const uint32_t *evals = s->p->evals + s->p->files[file].evals.first;
        int64_t n = 0;
        for (uint32_t i = 0; i < s->p->files[file].evals.n; i++) {
            const nytp_file *eval = &s->p->files[evals[i]];
            int is_last = i + 1 == s->p->files[file].evals.n ||
                          s->p->files[evals[i + 1]].parent_line != eval->parent_line;
            n = nytp_ticks_add(n, eval->merged);
            if (is_last) weigh_evals(s, file, eval->parent_line, n);
            if (is_last) n = 0;
        }
    }
}

/* ---- loading ---- */

/* Without a line it is the program, or options of perl. */
static void find_modules(search *s) {
    nytp_str compiling = NYTP_LIT("compiling ");
    for (uint32_t i = 0; i < s->l->n; i++) {
        const nytp_module *m = &s->l->modules[i];
        int is_program = !m->line && nytp_str_starts(m->name, compiling);
        if (!(m->line || is_program) || !is_share(s, m->own, 0, LEAST_MODULE)) continue;
        const nytp_finding f = {.kind = NYTP_FINDING_MODULE, .file = m->file, .line = m->line, .ticks = m->own,
                                .here = m->own, .name = is_program ? nytp_str_c(NULL) : m->name};
        add_line(s, &f);
    }
}

/* One module with nearly all of it is found instead. */
static void find_loading(search *s) {
    const nytp_finding f = {.kind = NYTP_FINDING_LOADING, .ticks = s->l->total};
    int is_said = 0;
    for (uint32_t i = 0; i < s->n; i++)
        is_said |= s->all[i].found.kind == NYTP_FINDING_MODULE &&
                   (double)s->all[i].found.ticks * 100 >= (double)f.ticks * ALIKE_PERCENT;
    if (!is_said && is_share(s, f.ticks, 0, LEAST_LOADING)) add_line(s, &f);
}

/* ---- the result ---- */

/* Whether b has its time from code that a says more about: from a part of it, or from about the same. */
static int is_said_by(const candidate *a, const candidate *b) {
    double said = (double)a->at * 100, told = (double)b->at * 100;
    int is_part = a->first <= b->first && b->last <= a->last;
    return a->file && a->file == b->file && a->first <= b->last && b->first <= a->last &&
           said >= (double)b->at * ALIKE_PERCENT && (is_part || told >= (double)a->at * ALIKE_PERCENT);
}

static int by_kind(const void *a, const void *b) {
    const candidate *x = a, *y = b;
    if (x->found.kind != y->found.kind) return x->found.kind < y->found.kind ? -1 : 1;
    return x->found.ticks != y->found.ticks ? (x->found.ticks > y->found.ticks ? -1 : 1) : 0;
}

static int by_ticks(const void *a, const void *b) {
    const candidate *x = a, *y = b;
    if (x->found.growth != y->found.growth) return x->found.growth > y->found.growth ? -1 : 1;
    if (x->found.ticks != y->found.ticks) return x->found.ticks > y->found.ticks ? -1 : 1;
    return by_kind(a, b);
}

static void drop_what_is_said(search *s) {
    uint32_t n = 0;
    qsort(s->all, s->n, sizeof *s->all, by_kind);
    for (uint32_t i = 0; i < s->n; i++) {
        int is_said = 0;
        for (uint32_t other = 0; other < n; other++)
            is_said |= s->all[other].found.kind != s->all[i].found.kind && is_said_by(&s->all[other], &s->all[i]);
        if (!is_said) s->all[n++] = s->all[i];
    }
    s->n = n;
    qsort(s->all, s->n, sizeof *s->all, by_ticks);
}

static void (*const rules[])(search *) = {find_calls, find_builtins, find_subs, find_evals, find_modules, find_lines,
                                          find_deep, find_loading, find_idle, find_no_cpu, find_growth};

nytp_findings nytp_findings_find(const nytp_profile *p, const nytp_loading *l) {
    nytp_findings found = {.n = 0};
    search s = {.p = p, .l = l};
    for (size_t i = 0; i < sizeof rules / sizeof *rules; i++) rules[i](&s);
    drop_what_is_said(&s);
    for (uint32_t i = 0; i < s.n && found.n < NYTP_FINDINGS_MOST; i++) found.at[found.n++] = s.all[i].found;
    return found;
}
