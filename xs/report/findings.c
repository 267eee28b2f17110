/* SPDX-License-Identifier: MIT */
/* findings.c - what a profile says to look at first: a table of rules, each of which looks for one kind of finding. */
#include "report/findings.h"

#include <stdlib.h>
#include <string.h>

#include "base/ticks.h"

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

#define MANY_CALLS 100000
#define MANY_EVALS 10
#define DEEP 1000
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

/* Whether a time is a finding: so many percent of the run, its error aside. */
static int is_share(const search *s, int64_t ticks, float spread, int percent) {
    double sure = (double)ticks - (double)spread, whole = (double)s->p->totals.whole;
    return whole > 0 && sure * 100 >= whole * percent && sure * LEAST_PER_SECOND >= (double)s->p->ticks_per_second;
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

/* ---- what built-ins do, and C code like them ---- */

/* Words with a blank on either side. Those that may wait for other processes count only if there is one: else it is the
 * work of others that they wait for. */
static const struct builtins {
    enum nytp_finding_kind kind;
    const char *ops, *in_c, *for_others;
} builtins[] = {
    {NYTP_FINDING_WAITING, " accept connect flock lock semop sleep syscall ",
     " Time::HiRes::sleep Time::HiRes::usleep Time::HiRes::nanosleep Time::HiRes::clock_nanosleep Kernel#sleep ",
     " backtick msgrcv recv select sselect system wait waitpid POSIX::pause Kernel#system Kernel#` IO.select "
     "Process.wait os.execute "},
    {NYTP_FINDING_IO,
     " closedir fteexec fteread ftewrite ftdir ftfile ftis ftlink ftmtime ftsize glob lstat mkdir open open_dir print "
     "prtf readdir readlink rename rmdir say seek send stat symlink sysopen sysseek syswrite tell truncate unlink "
     "utime ",
     " io.open io.write IO#print IO#puts IO#write IO.open ",
     " close eof getc read readline sysread io.lines io.read IO#each_line IO#gets IO#read IO.read "},
    {NYTP_FINDING_REGEX, " match qr regcomp subst substcont ",
     " string.find string.gmatch string.gsub string.match String#=~ String#gsub String#gsub! String#match "
     "String#match? String#scan String#sub String#sub! Regexp#=~ Regexp#match Regexp#match? ", " "},
    {NYTP_FINDING_SORT, " sort ", " table.sort Array#sort Array#sort! Array#sort_by! Enumerable#sort_by ", " "},
};

/* The word may be anything that a capture has. */
static int has_word(const char *words, nytp_str word) {
    size_t n = word.n ? strlen(words) : 0;
    for (size_t i = 0; i + word.n + 2 <= n; i++)
        if (words[i] == ' ' && words[i + word.n + 1] == ' ' && !memcmp(words + i + 1, word.p, word.n)) return 1;
    return 0;
}

static int is_in_c(const nytp_sub *s) { return (s->flags & (NYTP_SUB_OPCODE | NYTP_SUB_XSUB)) != 0; }

/* The word for an operator in the name of a sub, main::CORE:sort; the whole name of another sub. */
static nytp_str word_of(const nytp_sub *s) {
    for (size_t i = s->flags & NYTP_SUB_OPCODE ? s->name.n : 0; i-- > 0;)
        if (s->name.p[i] == ':') return (nytp_str){s->name.p + i + 1, s->name.n - i - 1};
    return s->name;
}

static int is_one_of(const nytp_profile *p, const struct builtins *b, const nytp_sub *s) {
    if (!is_in_c(s)) return 0;
    nytp_str word = word_of(s);
    return has_word(s->flags & NYTP_SUB_OPCODE ? b->ops : b->in_c, word) ||
           (p->processes_n == 1 && has_word(b->for_others, word));
}

static int waits_for_others(const nytp_sub *s) {
    nytp_str word = word_of(s);
    for (size_t i = 0; is_in_c(s) && i < sizeof builtins / sizeof *builtins; i++)
        if (has_word(builtins[i].for_others, word)) return 1;
    return 0;
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

/* Perl's BEGIN@12 is a use statement. */
static int is_loading(const nytp_sub *s) {
    nytp_str begin = NYTP_LIT("BEGIN@");
    for (size_t i = 0; i + begin.n < s->name.n; i++)
        if (nytp_str_starts((nytp_str){s->name.p + i, s->name.n - i}, begin)) return 1;
    return 0;
}

static int is_code(const nytp_profile *p, const nytp_sub *s) {
    for (size_t i = 0; i < sizeof builtins / sizeof *builtins; i++)
        if (is_one_of(p, &builtins[i], s)) return 0;
    if (s->flags & (NYTP_SUB_PHASE | NYTP_SUB_OPCODE) || waits_for_others(s)) return 0;
    return nytp_profile_sub_called(s) && !is_loading(s);
}

static void find_calls(search *s) {
    for (uint32_t i = 0; i < s->p->subs_n; i++) {
        const nytp_sub *sub = &s->p->subs[i];
        double tiny = (double)sub->calls * TINY_US * 1e-6 * (double)s->p->ticks_per_second;
        if (s->p->is_uncounted || sub->flags & NYTP_SUB_XSUB || sub->calls < MANY_CALLS) continue;
        if ((double)sub->exclusive > tiny || !is_share(s, sub->exclusive, sub->spread, LEAST_CALLS)) continue;
        nytp_finding f = finding_of_sub(s->p, NYTP_FINDING_CALLS, i);
        if (is_code(s->p, sub)) add_body(s, &f);
    }
}

static void find_subs(search *s) {
    for (uint32_t i = 0; i < s->p->subs_n; i++) {
        const nytp_sub *sub = &s->p->subs[i];
        int in_c = (sub->flags & NYTP_SUB_XSUB) != 0;
        if (!is_share(s, sub->exclusive, sub->spread, LEAST_SUB) || !is_code(s->p, sub)) continue;
        nytp_finding f = finding_of_sub(s->p, in_c ? NYTP_FINDING_IN_C : NYTP_FINDING_SUB, i);
        add_body(s, &f);
    }
}

/* The one that takes the most time, as others may call it in turns. */
static void find_deep(search *s) {
    uint32_t deepest = NYTP_ROOT;
    for (uint32_t i = 1; i < s->p->subs_n; i++) {
        const nytp_sub *sub = &s->p->subs[i];
        if (sub->depth < DEEP || !is_code(s->p, sub)) continue;
        if (!is_share(s, sub->inclusive, sub->whole_spread, LEAST_DEEP)) continue;
        if (deepest == NYTP_ROOT || sub->inclusive > s->p->subs[deepest].inclusive) deepest = i;
    }
    if (deepest == NYTP_ROOT) return;
    const nytp_finding f = {.kind = NYTP_FINDING_DEEP, .sub = deepest, .ticks = s->p->subs[deepest].inclusive,
                            .count = s->p->subs[deepest].depth};
    add(s, &f, 0, 0, 0, 0);
}

/* ---- built-ins ---- */

/* What all of a kind take together. */
static nytp_finding add_up(const nytp_profile *p, const struct builtins *b, float *spread) {
    nytp_finding f = {.kind = b->kind};
    for (uint32_t i = 1; i < p->subs_n; i++) {
        const nytp_sub *of = &p->subs[i];
        if (!is_one_of(p, b, of)) continue;
        f.ticks = nytp_ticks_add(f.ticks, of->exclusive);
        f.count = p->is_uncounted ? 0 : nytp_ticks_add(f.count, of->calls);
        *spread += of->spread;
        find_line(p, of, &f);
        if (!f.sub || of->exclusive > p->subs[f.sub].exclusive) f.sub = i;
    }
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
    double cpu = ((double)of->user_us + (double)of->system_us) * 1e-6 * (double)s->p->ticks_per_second;
    nytp_finding f = {.kind = NYTP_FINDING_IDLE, .whole = of->elapsed};
    f.ticks = nytp_ticks_minus(nytp_ticks_minus(of->elapsed, of->waited), nytp_ticks_whole(cpu));
    double unknown = (double)f.ticks - (double)of->flush - (double)of->cold;
    for (size_t i = 0; i < sizeof builtins / sizeof *builtins; i++) {
        float spread = 0;
        if (builtins[i].kind <= NYTP_FINDING_IO) unknown -= (double)add_up(s->p, &builtins[i], &spread).ticks;
    }
    if (cpu > 0 && unknown * 100 >= (double)f.whole * LEAST_IDLE &&
        unknown * LEAST_PER_SECOND >= (double)s->p->ticks_per_second)
        add_line(s, &f);
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
    return s->p->processes_n > 1 && !is_share(s, without(s->p, file, l, waits_for_others), l->spread, LEAST_LINE);
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
                                          find_deep, find_loading, find_idle};

nytp_findings nytp_findings_find(const nytp_profile *p, const nytp_loading *l) {
    nytp_findings found = {.n = 0};
    search s = {.p = p, .l = l};
    for (size_t i = 0; i < sizeof rules / sizeof *rules; i++) rules[i](&s);
    drop_what_is_said(&s);
    for (uint32_t i = 0; i < s.n && found.n < NYTP_FINDINGS_MOST; i++) found.at[found.n++] = s.all[i].found;
    return found;
}
