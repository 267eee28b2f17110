/* SPDX-License-Identifier: MIT */
/* plan.c - identity across several files of format 5: files by name, evals by their subs; attributes by rules. */
#include "v5/plan.h"

#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>

#define DEFAULT_RATE 1e7
#define HIGHEST_RATE 1e15 /* no clock is faster: a higher rate is ignored */

typedef struct program {
    nytp_str name;
    uint32_t runs;
} program;

typedef struct sub { /* the first of equal subs */
    nytp_str name;
    uint32_t site_fid, site_line; /* the line that ran its eval */
    uint32_t first_line, last_line;
    uint32_t data_fid;
} sub;

#define COUNT(buf, type) ((uint32_t)((buf).n / sizeof(type)))

nytp_plan_input *nytp_v5_plan_input_at(const nytp_v5_plan *p, uint32_t input) {
    return (nytp_plan_input *)(void *)p->inputs.p + input;
}

static nytp_plan_file *file_at(const nytp_v5_plan *p, uint32_t number) {
    return (nytp_plan_file *)(void *)p->files.p + number;
}

static uint32_t current(const nytp_v5_plan *p) { return COUNT(p->inputs, nytp_plan_input) - 1; }

nytp_plan_file *nytp_v5_plan_file(const nytp_v5_plan *p, uint32_t input, uint32_t fid) {
    uint32_t number = nytp_map_get(&nytp_v5_plan_input_at(p, input)->fids, fid);
    return number && fid ? file_at(p, number - 1) : NULL;
}

enum nytp_code nytp_v5_plan_input(nytp_v5_plan *p, nytp_str name) {
    const nytp_plan_input input = {.name = nytp_arena_str(&p->strings, name)};
    if (!input.name.p) return NYTP_NOMEM;
    nytp_buf_bytes(&p->inputs, &input, sizeof input);
    return p->inputs.failed ? NYTP_NOMEM : NYTP_OK;
}

static void put(nytp_buf *out, const char *text) {
    nytp_buf_bytes(out, text, nytp_str_c(text).n);
}

static void put_str(nytp_buf *out, nytp_str s) {
    nytp_buf_escaped(out, s, 4 * s.n);
}

/* ---- files ---- */

static int is_named(const void *of, uint32_t number, const void *name) {
    return nytp_str_eq(file_at(of, number - 1)->record.name, *(const nytp_str *)name);
}

/* The address of the number + 1 of the plain file of that name; 0 there if it is new. NULL when memory is short. */
static uint32_t *find_file(nytp_v5_plan *p, nytp_str name) {
    return nytp_table_at(&p->by_name, nytp_str_hash(name), is_named, p, &name);
}

/* Fids of the first input stay as they are, since its attributes may refer to them; others are numbered behind the
 * last. */
static uint32_t new_fid(nytp_v5_plan *p, uint32_t fid) {
    if (current(p) || fid == 0 || fid == UINT32_MAX) fid = p->last_fid + 1;
    if (fid > p->last_fid) p->last_fid = fid;
    return fid;
}

static uint32_t add_file(nytp_v5_plan *p, const nytp_v5_event *e, uint32_t parent_fid) {
    nytp_plan_file f = {.record = e->u.fid, .utf8 = e->utf8};
    f.record.fid = f.data_fid = new_fid(p, e->u.fid.fid);
    f.record.eval_fid = parent_fid;
    f.record.name = nytp_arena_str(&p->strings, e->u.fid.name);
    if (f.record.name.p) nytp_buf_bytes(&p->files, &f, sizeof f);
    return f.record.name.p && !p->files.failed ? COUNT(p->files, nytp_plan_file) : 0;
}

/* Files of one name are one file; each eval is a file of its own, unless plan_sub finds it equal to another. */
static enum nytp_code plan_fid(nytp_v5_plan *p, const nytp_v5_event *e) {
    const nytp_plan_file *parent = nytp_v5_plan_file(p, current(p), e->u.fid.eval_fid);
    uint32_t *known = e->u.fid.eval_fid ? NULL : find_file(p, e->u.fid.name);
    uint32_t number = known ? *known : 0;
    if (!e->u.fid.eval_fid && !known) return NYTP_NOMEM;
    if (!number) number = add_file(p, e, parent ? parent->data_fid : 0);
    uint32_t *mine = number ? nytp_map_at(&nytp_v5_plan_input_at(p, current(p))->fids, e->u.fid.fid) : NULL;
    if (!mine) return NYTP_NOMEM;
    if (known) *known = number;
    *mine = number;
    return NYTP_OK;
}

static int is_same_sub(const void *of, uint32_t number, const void *like) {
    const sub *a = (const sub *)(const void *)((const nytp_v5_plan *)of)->subs.p + (number - 1), *b = like;
    return a->site_fid == b->site_fid && a->site_line == b->site_line && a->first_line == b->first_line &&
           a->last_line == b->last_line && nytp_str_eq(a->name, b->name);
}

/* Subs of one name and the same lines, in evals run by the same line, are the same code evaluated again: their evals
 * are one file. */
static enum nytp_code plan_sub(nytp_v5_plan *p, const nytp_v5_sub *s) {
    nytp_plan_file *f = nytp_v5_plan_file(p, current(p), s->fid);
    if (!f || !f->record.eval_fid) return NYTP_OK;
    sub new = {s->name, f->record.eval_fid, f->record.eval_line, s->first_line, s->last_line, f->data_fid};
    uint64_t hash = nytp_str_hash(s->name) ^ (uint64_t)new.site_fid << 32 ^ new.site_line;
    uint32_t *at = nytp_table_at(&p->by_sub, hash, is_same_sub, p, &new);
    if (!at) return NYTP_NOMEM;
    if (*at) {
        f->data_fid = ((const sub *)(const void *)p->subs.p + (*at - 1))->data_fid;
        return NYTP_OK;
    }
    new.name = nytp_arena_str(&p->strings, s->name);
    nytp_buf_bytes(&p->subs, &new, sizeof new);
    *at = COUNT(p->subs, sub);
    return new.name.p && !p->subs.failed ? NYTP_OK : NYTP_NOMEM;
}

/* ---- attributes and options ---- */

enum how {
    SAME,     /* a difference makes a remark */
    FIRST,    /* the first input's; a difference does no harm */
    EARLIEST, /* the smallest number */
    SUM,      /* of ticks */
    NAMES     /* of programs */
};

static enum how how_to_merge(const nytp_v5_event *e) {
    static const struct {
        const char *key;
        enum nytp_v5_tag tag;
        enum how how;
    } rules[] = {
        {"ticks_per_sec", NYTP_V5_ATTRIBUTE, FIRST},      {"xs_version", NYTP_V5_ATTRIBUTE, FIRST},
        {"sawampersand_fid", NYTP_V5_ATTRIBUTE, FIRST},   {"sawampersand_line", NYTP_V5_ATTRIBUTE, FIRST},
        {"basetime", NYTP_V5_ATTRIBUTE, EARLIEST},        {"application", NYTP_V5_ATTRIBUTE, NAMES},
        {"cumulative_overhead_ticks", NYTP_V5_ATTRIBUTE, SUM}, {"PL_perldb", NYTP_V5_ATTRIBUTE, FIRST},
        {"forkdepth", NYTP_V5_OPTION, FIRST},             {"compress", NYTP_V5_OPTION, FIRST},
        {"trace", NYTP_V5_OPTION, FIRST},                 {"perldb", NYTP_V5_OPTION, FIRST},
    };
    for (size_t i = 0; i < sizeof rules / sizeof *rules; i++)
        if (rules[i].tag == e->tag && nytp_str_eq(e->u.pair.key, nytp_str_c(rules[i].key))) return rules[i].how;
    return SAME;
}

/* Attributes that all files should agree on come first, the others at the end. */
static int is_late(const nytp_v5_event *e) {
    static const char *const early[] = {"PL_perldb", "clock_id", "nv_size", "perl_version", "ticks_per_sec",
                                        "xs_version"};
    for (size_t i = 0; i < sizeof early / sizeof *early; i++)
        if (nytp_str_eq(e->u.pair.key, nytp_str_c(early[i]))) return 0;
    return e->tag == NYTP_V5_ATTRIBUTE;
}

/* Values are digits and a few signs; a longer text than any number counts as none. */
static double number_of(nytp_str s) {
    char text[64] = "";
    for (size_t i = 0; i < s.n && i + 1 < sizeof text; i++) text[i] = s.p[i];
    return strtod(text, NULL);
}

/* Ticks a second; 0 if no clock can have that rate. */
static double rate_of(nytp_str s) {
    double rate = number_of(s);
    return rate >= 1 && rate <= HIGHEST_RATE ? rate : 0;
}

static nytp_plan_pair *find_pair(const nytp_v5_plan *p, enum nytp_v5_tag tag, nytp_str key) {
    nytp_plan_pair *pairs = (nytp_plan_pair *)(void *)p->pairs.p;
    for (uint32_t i = 0; i < COUNT(p->pairs, nytp_plan_pair); i++)
        if (pairs[i].tag == tag && nytp_str_eq(pairs[i].key, key)) return &pairs[i];
    return NULL;
}

static nytp_plan_pair *add_pair(nytp_v5_plan *p, const nytp_v5_event *e) {
    nytp_plan_pair new = {.tag = e->tag, .input = current(p), .is_late = (uint32_t)is_late(e)};
    new.key = nytp_arena_str(&p->strings, e->u.pair.key);
    new.value = nytp_arena_str(&p->strings, e->u.pair.value);
    if (new.key.p && new.value.p) nytp_buf_bytes(&p->pairs, &new, sizeof new);
    return new.key.p && new.value.p && !p->pairs.failed ? find_pair(p, e->tag, e->u.pair.key) : NULL;
}

static void remark(nytp_v5_plan *p, const nytp_plan_pair *known, nytp_str value) {
    nytp_buf *r = &p->remarks;
    put_str(r, nytp_v5_plan_input_at(p, current(p))->name);
    put(r, known->tag == NYTP_V5_OPTION ? ": its option " : ": its attribute ");
    put_str(r, known->key);
    put(r, " is ");
    put_str(r, value);
    put(r, ", but ");
    put_str(r, known->value);
    put(r, " in ");
    put_str(r, nytp_v5_plan_input_at(p, known->input)->name);
    put(r, ": not all of their numbers can be compared\n");
}

static enum nytp_code count_program(nytp_v5_plan *p, nytp_str name) {
    program *programs = (program *)(void *)p->programs.p;
    for (uint32_t i = 0; i < COUNT(p->programs, program); i++)
        if (nytp_str_eq(programs[i].name, name) && ++programs[i].runs) return NYTP_OK;
    const program new = {nytp_arena_str(&p->strings, name), 1};
    if (new.name.p) nytp_buf_bytes(&p->programs, &new, sizeof new);
    return new.name.p && !p->programs.failed ? NYTP_OK : NYTP_NOMEM;
}

static enum nytp_code plan_pair(nytp_v5_plan *p, const nytp_v5_event *e) {
    nytp_str value = e->u.pair.value;
    nytp_plan_pair *known = find_pair(p, e->tag, e->u.pair.key);
    nytp_plan_input *input = nytp_v5_plan_input_at(p, current(p));
    enum how how = how_to_merge(e);
    if (nytp_str_eq(e->u.pair.key, NYTP_LIT("ticks_per_sec"))) input->rate = rate_of(value);
    int is_new = !known;
    if (is_new) known = add_pair(p, e);
    if (!known) return NYTP_NOMEM;
    if (how == SUM) known->sum += number_of(value) * (input->rate > 0 ? nytp_v5_plan_rate(p) / input->rate : 1);
    if (how == NAMES) return count_program(p, value);
    if (is_new) return NYTP_OK;
    if (how == SAME && !nytp_str_eq(known->value, value)) remark(p, known, value);
    if (how != EARLIEST || number_of(value) >= number_of(known->value)) return NYTP_OK;
    known->value = nytp_arena_str(&p->strings, value);
    return known->value.p ? NYTP_OK : NYTP_NOMEM;
}

double nytp_v5_plan_rate(const nytp_v5_plan *p) {
    const nytp_plan_pair *rate = find_pair(p, NYTP_V5_ATTRIBUTE, NYTP_LIT("ticks_per_sec"));
    double value = rate ? rate_of(rate->value) : 0;
    return value > 0 ? value : DEFAULT_RATE;
}

/* "a.pl (2 runs) and b.pl" */
static void put_programs(const nytp_v5_plan *p, nytp_buf *out) {
    const program *programs = (const program *)(const void *)p->programs.p;
    for (uint32_t i = 0; i < COUNT(p->programs, program); i++) {
        char runs[32];
        if (i) put(out, " and ");
        nytp_buf_bytes(out, programs[i].name.p, programs[i].name.n);
        snprintf(runs, sizeof runs, " (%" PRIu32 " runs)", programs[i].runs);
        if (programs[i].runs > 1) put(out, runs);
    }
}

static void emit_pair(nytp_v5_plan *p, const nytp_plan_pair *pair, nytp_emitter *to) {
    nytp_v5_event e = {.tag = pair->tag, .u.pair = {pair->key, pair->value}};
    enum how how = how_to_merge(&e);
    nytp_buf text = {0};
    char number[64];
    if (how == NAMES) {
        put_programs(p, &text);
        e.u.pair.value = (nytp_str){(const char *)text.p, text.n};
    } else if (how == SUM) {
        snprintf(number, sizeof number, "%.0f", pair->sum);
        e.u.pair.value = nytp_str_c(number);
    }
    if (text.failed) nytp_emitter_no_memory(to);
    nytp_emitter_event(to, &e);
    nytp_buf_free(&text);
}

void nytp_v5_plan_emit(nytp_v5_plan *p, int late, nytp_emitter *to) {
    const nytp_plan_pair *pairs = (const nytp_plan_pair *)(const void *)p->pairs.p;
    for (uint32_t i = 0; i < COUNT(p->pairs, nytp_plan_pair); i++)
        if ((int)pairs[i].is_late == late) emit_pair(p, &pairs[i], to);
}

/* ---- events ---- */

enum nytp_code nytp_v5_plan_event(nytp_v5_plan *p, const nytp_v5_event *e) {
    switch (e->tag) {
    case NYTP_V5_VERSION:
        if (e->u.version.minor > p->minor) p->minor = e->u.version.minor;
        return NYTP_OK;
    case NYTP_V5_START_DEFLATE: p->is_deflated = 1; return NYTP_OK;
    case NYTP_V5_ATTRIBUTE:
    case NYTP_V5_OPTION: return plan_pair(p, e);
    case NYTP_V5_NEW_FID: return plan_fid(p, e);
    case NYTP_V5_SUB_INFO: return plan_sub(p, &e->u.sub);
    default: return NYTP_OK;
    }
}

void nytp_v5_plan_close(nytp_v5_plan *p) {
    for (uint32_t i = 0; i < COUNT(p->inputs, nytp_plan_input); i++) nytp_map_free(&nytp_v5_plan_input_at(p, i)->fids);
    nytp_arena_free(&p->strings);
    nytp_buf_free(&p->inputs);
    nytp_buf_free(&p->files);
    nytp_buf_free(&p->pairs);
    nytp_buf_free(&p->programs);
    nytp_buf_free(&p->subs);
    nytp_buf_free(&p->remarks);
    nytp_table_free(&p->by_name);
    nytp_table_free(&p->by_sub);
}
