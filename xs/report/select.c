/* SPDX-License-Identifier: MIT */
/* select.c - marks the subs that options choose. */
#include "report/select.h"

#include <string.h>

#include "base/ticks.h"
#include "model/below.h"
#include "report/match.h"
#include "report/pattern.h"

enum nytp_code nytp_selection_check(const nytp_wish *wish, nytp_error *e) {
    if (wish->package && !*wish->package) nytp_error_set(e, NYTP_USAGE, "--package: expected a name, got an empty one");
    if (wish->source && !*wish->source) nytp_error_set(e, NYTP_USAGE, "--source: expected a name, got an empty one");
    if (wish->from && !*wish->from) nytp_error_set(e, NYTP_USAGE, "--from: expected a name, got an empty one");
    if (wish->filter) nytp_pattern_check("--filter", wish->filter, e);
    return e->code;
}

/* Whether name is the package, or one below it: Foo has Foo::Bar, and in Lua foo has foo.bar. */
static int is_in_package(nytp_str name, nytp_str package) {
    if (name.n < package.n || memcmp(name.p, package.p, package.n) != 0) return 0;
    return name.n == package.n || name.p[package.n] == ':' || name.p[package.n] == '.';
}

/* Whether the file, or that of the eval which made it, has the name, or ends with it behind a slash. */
static int is_in_source(const nytp_profile *p, uint32_t file, nytp_str source) {
    while (p->files[file].parent) file = p->files[file].parent;
    nytp_str name = p->files[file].name;
    if (name.n < source.n || memcmp(name.p + name.n - source.n, source.p, source.n) != 0) return 0;
    return name.n == source.n || name.p[name.n - source.n - 1] == '/';
}

static void keep_named(nytp_selection *s, const nytp_profile *p, const nytp_wish *wish) {
    for (uint32_t i = 0; i < p->subs_n; i++) {
        const nytp_sub *sub = &p->subs[i];
        if (wish->package && !is_in_package(sub->package, nytp_str_c(wish->package))) s->chosen[i] = 0;
        if (wish->source && !is_in_source(p, sub->file, nytp_str_c(wish->source))) s->chosen[i] = 0;
    }
}

/* Evals go with the files that ran them. */
static enum nytp_code mark_files(nytp_selection *s, const nytp_profile *p, const char *source, nytp_error *e) {
    s->files = nytp_arena_get(&s->arena, p->files_n + (size_t)1);
    if (!s->files) return nytp_error_set(e, NYTP_NOMEM, "out of memory");
    for (uint32_t i = 0; i < p->files_n; i++)
        s->files[i] = (unsigned char)is_in_source(p, i, nytp_str_c(source));
    return NYTP_OK;
}

int64_t nytp_selection_least(const nytp_selection *s, int64_t whole) {
    double least = s->share * (double)whole;
    int64_t nearest = nytp_ticks_whole(least);
    return nearest + (nearest < INT64_MAX && least > (double)nearest);
}

enum nytp_code nytp_selection_make(nytp_selection *s, const nytp_profile *p, const nytp_wish *wish, nytp_error *e) {
    size_t n = p->subs_n + (size_t)1;
    *s = (nytp_selection){.top = wish->top > 0 ? (uint32_t)wish->top : UINT32_MAX, .share = wish->percent / 100};
    s->least = s->share > 0 ? nytp_selection_least(s, p->totals.whole) : INT64_MIN;
    if (nytp_selection_check(wish, e)) return e->code;
    if (wish->filter || wish->package || wish->source) {
        s->chosen = nytp_arena_get(&s->arena, n);
        if (!s->chosen) return nytp_error_set(e, NYTP_NOMEM, "out of memory");
        memset(s->chosen, 1, n);
        keep_named(s, p, wish);
    }
    if (wish->source && mark_files(s, p, wish->source, e)) return e->code;
    if (wish->filter && nytp_pattern_keep(s->chosen, p, wish->filter, e)) return e->code;
    if (!wish->from) return NYTP_OK;
    s->from = nytp_arena_get(&s->arena, n);
    return s->from ? nytp_match_one(s->from, p, wish->from, e) : nytp_error_set(e, NYTP_NOMEM, "out of memory");
}

enum nytp_code nytp_selection_cut(nytp_selection *s, nytp_profile *p) {
    if (!s->from) return NYTP_OK;
    if (nytp_below_keep(p, s->from)) return NYTP_NOMEM;
    if (!s->chosen) s->chosen = s->from;
    for (uint32_t i = 0; i < p->subs_n; i++) s->chosen[i] &= s->from[i];
    return NYTP_OK;
}

int nytp_selection_is_empty(const nytp_selection *s, const nytp_profile *p) {
    int is_chosen = !s->chosen;
    for (uint32_t i = 0; i < p->subs_n && s->chosen; i++) is_chosen |= s->chosen[i];
    for (uint32_t i = 0; i < p->files_n && s->files; i++) is_chosen |= s->files[i];
    return !is_chosen;
}

void nytp_selection_free(nytp_selection *s) { nytp_arena_free(&s->arena); }
