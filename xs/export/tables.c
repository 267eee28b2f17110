/* SPDX-License-Identifier: MIT */
/* tables.c - the tables of the JSON export. Those with few columns and many rows are objects of arrays. */
#include "export/tables.h"

#include <stdlib.h>

#include "model/metrics.h"
#include "model/quantile.h"
#include "model/source.h"

/* ---- rows ---- */

int nytp_tables_number(nytp_tables *t) {
    const nytp_profile *p = t->p;
    uint32_t files = 0, subs = 0;
    t->file = malloc((p->files_n + (size_t)1) * sizeof *t->file);
    t->sub = malloc((p->subs_n + (size_t)1) * sizeof *t->sub);
    if (!t->file || !t->sub) return NYTP_NOMEM;
    for (uint32_t i = 0; i < p->files_n; i++) t->file[i] = !i || p->files[i].merged ? files++ : 0;
    for (uint32_t i = 0; i < p->files_n; i++)
        if (i && !p->files[i].merged) t->file[i] = t->file[p->files[i].into];
    for (uint32_t i = 0; i < p->subs_n; i++) t->sub[i] = p->subs[i].moved == i ? subs++ : 0;
    for (uint32_t i = 0; i < p->subs_n; i++)
        if (p->subs[i].moved != i) t->sub[i] = t->sub[p->subs[i].moved];
    return NYTP_OK;
}

void nytp_tables_free(nytp_tables *t) {
    free(t->file);
    free(t->sub);
}

/* ---- values ---- */

void nytp_tables_amount(nytp_tables *t, const char *key, int64_t amount) {
    nytp_json_number(&t->json, key, amount > 0 ? (uint64_t)amount : 0);
}

void nytp_tables_values(nytp_tables *t, const char *key, uint32_t row) {
    if (!t->p->metrics_n) return;
    nytp_json_array(&t->json, key);
    for (uint32_t i = 0; i < t->p->metrics_n; i++) nytp_tables_amount(t, NULL, nytp_metrics_get(t->p, i, row));
    nytp_json_end(&t->json);
}

void nytp_tables_lengths(nytp_tables *t, const nytp_lengths *l) {
    nytp_json *j = &t->json;
    nytp_tables_amount(t, "total", l->sum);
    nytp_json_number(j, "p50", nytp_quantile_of(l, 500));
    nytp_json_number(j, "p90", nytp_quantile_of(l, 900));
    nytp_json_number(j, "p99", nytp_quantile_of(l, 990));
    nytp_tables_amount(t, "longest", l->longest);
    nytp_json_number(j, "longest_began_us", l->began / 1000);
    nytp_json_number(j, "longest_process", l->process + 1u);
}

static void put_number(nytp_tables *t, uint64_t n) { nytp_json_number(&t->json, NULL, n); }

static unsigned untold(int64_t ticks, float spread, enum nytp_tables_untold bit) {
    return nytp_profile_told(ticks, spread) < 0 ? bit : 0;
}

/* ---- files ---- */

static void put_text(nytp_tables *t, const nytp_file *f) {
    nytp_json_array(&t->json, "text");
    for (uint32_t line = 1; line <= f->source_lines; line++) {
        nytp_str text = nytp_source_line(t->p, f, line);
        if (nytp_str_ends(text, NYTP_LIT("\n"))) text.n--;
        if (text.p) nytp_json_string(&t->json, NULL, text);
        else nytp_json_null(&t->json, NULL);
    }
    nytp_json_end(&t->json);
}

static void put_file(nytp_tables *t, const nytp_file *f) {
    static const char *const sources[] = {"capture", "disk", "changed"};
    nytp_json *j = &t->json;
    nytp_json_object(j, NULL);
    nytp_json_string(j, "name", f->name);
    nytp_json_number(j, "fid", f->fid);
    nytp_json_bool(j, "eval", f->parent != 0);
    nytp_json_number(j, "parent", t->file[f->parent]);
    nytp_json_number(j, "parent_line", f->parent_line);
    nytp_json_number(j, "merged", f->merged);
    nytp_json_number(j, "process", f->process);
    nytp_json_number(j, "size", f->size);
    nytp_json_number(j, "mtime", f->mtime);
    nytp_tables_amount(t, "statements", f->count);
    nytp_tables_amount(t, "time", f->ticks);
    nytp_json_number(j, "untold", untold(f->ticks, f->spread, NYTP_TABLES_OWN));
    nytp_tables_values(t, "values", f->values);
    nytp_json_text(j, "source", f->source_lines ? sources[f->from_disk] : "none");
    if (t->has_text) put_text(t, f);
    nytp_json_end(j);
}

void nytp_tables_files(nytp_tables *t) {
    nytp_json_array(&t->json, "files");
    for (uint32_t i = 0; i < t->p->files_n; i++)
        if (!i || t->p->files[i].merged) put_file(t, &t->p->files[i]);
    nytp_json_end(&t->json);
}

/* ---- subs ---- */

static const char *kind_of(const nytp_sub *s) {
    if (s->flags & NYTP_SUB_ACTIVITY) return "activity";
    if (s->flags & NYTP_SUB_PHASE) return "phase";
    return s->flags & NYTP_SUB_OPCODE ? "builtin" : s->flags & NYTP_SUB_XSUB ? "c" : "sub";
}

static void put_sub_times(nytp_tables *t, const nytp_sub *s) {
    nytp_tables_amount(t, "exclusive", s->exclusive);
    nytp_tables_amount(t, "inclusive", s->inclusive);
    nytp_tables_amount(t, "recursive", s->recursive);
    nytp_json_number(&t->json, "untold", untold(s->exclusive, s->spread, NYTP_TABLES_OWN) |
                     untold(s->inclusive, s->whole_spread, NYTP_TABLES_WHOLE) |
                     untold(s->recursive, s->nested_spread, NYTP_TABLES_NESTED));
    nytp_tables_values(t, "values", s->own);
    nytp_tables_values(t, "inclusive_values", s->whole);
}

/* Only of subs with a call that has ended. */
static void put_latency(nytp_tables *t, const nytp_lengths *l) {
    nytp_json *j = &t->json;
    if (!l || l->count <= 0) return;
    nytp_json_object(j, "latency");
    nytp_tables_amount(t, "calls", l->count);
    nytp_tables_lengths(t, l);
    nytp_json_array(j, "at_least");
    for (uint32_t i = 0; i < NYTP_BUCKETS; i++)
        if (nytp_quantile_number(l, i)) put_number(t, nytp_buckets_least(i));
    nytp_json_end(j);
    nytp_json_array(j, "numbers");
    for (uint32_t i = 0; i < NYTP_BUCKETS; i++)
        if (nytp_quantile_number(l, i)) put_number(t, (uint64_t)nytp_quantile_number(l, i));
    nytp_json_end(j);
    nytp_json_end(j);
}

static void put_sub(nytp_tables *t, const nytp_sub *s) {
    nytp_json *j = &t->json;
    nytp_json_object(j, NULL);
    nytp_json_string(j, "name", s->name);
    nytp_json_string(j, "package", s->package);
    nytp_json_string(j, "alias", s->alias);
    nytp_json_text(j, "kind", kind_of(s));
    nytp_json_bool(j, "anonymous", (s->flags & NYTP_SUB_ANON) != 0);
    nytp_json_bool(j, "undefined", (s->flags & NYTP_SUB_UNDEFINED) != 0);
    nytp_json_number(j, "ordinal", s->ordinal);
    nytp_json_number(j, "process", s->process);
    nytp_json_number(j, "file", t->file[s->file]);
    nytp_json_number(j, "first_line", s->first_line);
    nytp_json_number(j, "last_line", s->last_line);
    nytp_tables_amount(t, "calls", s->calls);
    nytp_tables_amount(t, "nested_calls", s->nested);
    nytp_json_number(j, "depth", s->depth);
    put_sub_times(t, s);
    put_latency(t, s->lengths);
    nytp_json_end(j);
}

void nytp_tables_subs(nytp_tables *t) {
    nytp_json_array(&t->json, "subs");
    for (uint32_t i = 0; i < t->p->subs_n; i++)
        if (t->p->subs[i].moved == i) put_sub(t, &t->p->subs[i]);
    nytp_json_end(&t->json);
}

/* ---- calls ---- */

static void call_caller(nytp_tables *t, const nytp_edge *e) { put_number(t, t->sub[e->caller]); }
static void call_callee(nytp_tables *t, const nytp_edge *e) { put_number(t, t->sub[e->callee]); }
static void call_file(nytp_tables *t, const nytp_edge *e) { put_number(t, t->file[e->file]); }
static void call_line(nytp_tables *t, const nytp_edge *e) {
    put_number(t, e->line == NYTP_LINE_UNKNOWN ? 0 : e->line);
}
static void call_count(nytp_tables *t, const nytp_edge *e) { nytp_tables_amount(t, NULL, e->calls); }
static void call_exclusive(nytp_tables *t, const nytp_edge *e) { nytp_tables_amount(t, NULL, e->exclusive); }
static void call_inclusive(nytp_tables *t, const nytp_edge *e) { nytp_tables_amount(t, NULL, e->inclusive); }
static void call_recursive(nytp_tables *t, const nytp_edge *e) { nytp_tables_amount(t, NULL, e->recursive); }
static void call_depth(nytp_tables *t, const nytp_edge *e) { put_number(t, e->depth); }
static void call_tail(nytp_tables *t, const nytp_edge *e) { put_number(t, e->tail); }
static void call_untold(nytp_tables *t, const nytp_edge *e) {
    put_number(t, untold(e->exclusive, nytp_profile_own_spread(t->p, e), NYTP_TABLES_OWN) |
               untold(e->inclusive, e->spread, NYTP_TABLES_WHOLE) |
               untold(e->recursive, nytp_profile_nested_spread(t->p, e), NYTP_TABLES_NESTED));
}

static void call_ended(nytp_tables *t, const nytp_edge *e) {
    const nytp_lengths *l = nytp_profile_edge_lengths(t->p, e);
    nytp_tables_amount(t, NULL, l ? l->count : 0);
}
static void put_quantile(nytp_tables *t, const nytp_edge *e, uint32_t thousandths) {
    const nytp_lengths *l = nytp_profile_edge_lengths(t->p, e);
    put_number(t, l ? nytp_quantile_of(l, thousandths) : 0);
}
static void call_p50(nytp_tables *t, const nytp_edge *e) { put_quantile(t, e, 500); }
static void call_p90(nytp_tables *t, const nytp_edge *e) { put_quantile(t, e, 900); }
static void call_p99(nytp_tables *t, const nytp_edge *e) { put_quantile(t, e, 990); }
static void call_longest(nytp_tables *t, const nytp_edge *e) {
    const nytp_lengths *l = nytp_profile_edge_lengths(t->p, e);
    put_number(t, l ? nytp_quantile_longest(l) : 0);
}

/* The last five are there with lengths of calls only. */
void nytp_tables_calls(nytp_tables *t) {
    static const struct {
        const char *name;
        void (*put)(nytp_tables *t, const nytp_edge *e);
    } columns[] = {{"caller", call_caller},       {"callee", call_callee},       {"file", call_file},
                   {"line", call_line},           {"calls", call_count},         {"exclusive", call_exclusive},
                   {"inclusive", call_inclusive}, {"recursive", call_recursive}, {"depth", call_depth},
                   {"tail", call_tail},           {"untold", call_untold},       {"ended", call_ended},
                   {"p50", call_p50},             {"p90", call_p90},             {"p99", call_p99},
                   {"longest", call_longest}};
    size_t n = sizeof columns / sizeof *columns - (t->p->is_timed ? 0 : 5);
    nytp_json_object(&t->json, "calls");
    for (size_t c = 0; c < n; c++) {
        nytp_json_array(&t->json, columns[c].name);
        for (uint32_t i = 0; i < t->p->edges_n; i++) columns[c].put(t, &t->p->edges[i]);
        nytp_json_end(&t->json);
    }
    nytp_json_end(&t->json);
}

/* ---- lines ---- */

static void line_file(nytp_tables *t, uint32_t file, const nytp_line *l) {
    (void)l;
    put_number(t, t->file[file]);
}
static void line_line(nytp_tables *t, uint32_t file, const nytp_line *l) {
    (void)file;
    put_number(t, l->line);
}
static void line_statements(nytp_tables *t, uint32_t file, const nytp_line *l) {
    (void)file;
    nytp_tables_amount(t, NULL, l->count);
}
static void line_time(nytp_tables *t, uint32_t file, const nytp_line *l) {
    (void)file;
    nytp_tables_amount(t, NULL, l->ticks);
}
static void line_untold(nytp_tables *t, uint32_t file, const nytp_line *l) {
    (void)file;
    put_number(t, untold(l->ticks, l->spread, NYTP_TABLES_OWN));
}

static void put_line_values(nytp_tables *t, enum nytp_level level, uint32_t metric) {
    nytp_json_array(&t->json, NULL);
    for (uint32_t i = 0; i < t->p->files_n; i++)
        for (uint32_t k = 0; k < t->p->files[i].level[level].n; k++)
            nytp_tables_amount(t, NULL, nytp_metrics_get(t->p, metric, t->p->files[i].level[level].at[k].values));
    nytp_json_end(&t->json);
}

void nytp_tables_lines(nytp_tables *t, const char *key, enum nytp_level level) {
    static const struct {
        const char *name;
        void (*put)(nytp_tables *t, uint32_t file, const nytp_line *l);
    } columns[] = {{"file", line_file}, {"line", line_line}, {"statements", line_statements}, {"time", line_time},
                   {"untold", line_untold}};
    nytp_json_object(&t->json, key);
    for (size_t c = 0; c < sizeof columns / sizeof *columns; c++) {
        nytp_json_array(&t->json, columns[c].name);
        for (uint32_t i = 0; i < t->p->files_n; i++)
            for (uint32_t k = 0; k < t->p->files[i].level[level].n; k++)
                columns[c].put(t, i, &t->p->files[i].level[level].at[k]);
        nytp_json_end(&t->json);
    }
    nytp_json_array(&t->json, "values");
    for (uint32_t m = 0; m < t->p->metrics_n; m++) put_line_values(t, level, m);
    nytp_json_end(&t->json);
    nytp_json_end(&t->json);
}

static void put_carried(nytp_tables *t, const char *key, int column) {
    nytp_json_array(&t->json, key);
    for (uint32_t i = 0; i < t->p->files_n; i++)
        for (uint32_t k = 0; k < t->p->files[i].carried_n; k++) {
            const nytp_carried *c = &t->p->files[i].carried[k];
            put_number(t, column == 0 ? t->file[i] : column == 1 ? c->line : c->carrier);
        }
    nytp_json_end(&t->json);
}

void nytp_tables_carried(nytp_tables *t) {
    static const char *const names[] = {"file", "line", "carrier"};
    nytp_json_object(&t->json, "carried");
    for (int column = 0; column < 3; column++) put_carried(t, names[column], column);
    nytp_json_end(&t->json);
}
