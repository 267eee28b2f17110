/* SPDX-License-Identifier: MIT */
/* words.c - terms of the profiled language. */
#include "report/words.h"

#include <ctype.h>
#include <stddef.h>
#include <string.h>

#include "model/language.h"

static const nytp_words perl = {
    .sub = "sub", .subs = "subs", .Sub = "Sub", .Subs = "Subs", .call = "sub call", .calls = "sub calls",
    .statement = "statement", .statements = "statements", .Statements = "Statements", .unit = "statement",
    .eval = "string eval", .evals = "string evals", .Eval = "A string eval", .Evals = "Evals",
    .in_c = "xsub", .no_source = "Without Perl source: C code and built-in operators",
    .no_file = "C code and built-in operators of packages that have no Perl subs of their own, by package, with their "
               "callers.",
    .package = "package", .packages = "packages", .Package = "Package", .no_package = "No package",
};

static const nytp_words lua = {
    .sub = "function", .subs = "functions", .Sub = "Function", .Subs = "Functions",
    .call = "function call", .calls = "function calls",
    .statement = "line run", .statements = "lines run", .Statements = "Lines run", .unit = "line",
    .eval = "loaded chunk", .evals = "loaded chunks", .Eval = "A loaded chunk", .Evals = "Chunks",
    .in_c = "C function", .no_source = "Without Lua source: C functions",
    .no_file = "C functions, by module, with their callers.",
    .package = "module", .packages = "modules", .Package = "Module", .no_package = "No module",
};

/* Terms for several languages, or for an unknown one. */
static const nytp_words several = {
    .sub = "function", .subs = "functions", .Sub = "Function", .Subs = "Functions",
    .call = "function call", .calls = "function calls",
    .statement = "statement", .statements = "statements", .Statements = "Statements", .unit = "statement",
    .eval = "eval or chunk", .evals = "evals and chunks", .Eval = "A string eval or loaded chunk",
    .Evals = "Evals",
    .in_c = "in C", .no_source = "Without source: C code and built-in operators",
    .no_file = "C code and built-in operators, by package or module, with their callers.",
    .package = "package", .packages = "packages", .Package = "Package", .no_package = "No package",
};

/* Fields of nytp_words by the names of their holes, which are "word_" and their names in a property. */
static const struct row {
    const char *hole;
    size_t offset;
} rows[NYTP_WORDS_HOLES] = {
#define ROW(name) {"word_" #name, offsetof(nytp_words, name)}
    ROW(sub), ROW(subs), ROW(Sub), ROW(Subs), ROW(call), ROW(calls), ROW(statement), ROW(statements), ROW(Statements),
    ROW(unit), ROW(eval), ROW(evals), ROW(Eval), ROW(Evals), ROW(in_c), ROW(no_source), ROW(package), ROW(packages),
    ROW(Package), ROW(no_package), ROW(no_file),
#undef ROW
};

/* Needs no escaping anywhere. */
static int is_plain(nytp_str s) {
    for (size_t i = 0; i < s.n; i++)
        if (!isalnum((unsigned char)s.p[i]) && !memchr(" ,.:-", s.p[i], strlen(" ,.:-"))) return 0;
    return s.n > 0;
}

/* Puts in "sub=method"; returns 0 when memory is short. What is unknown, as from a later version, is passed over. */
static int put_in(nytp_words *w, nytp_arena *arena, nytp_str pair) {
    const char *equals = memchr(pair.p, '=', pair.n);
    if (!equals) return 1;
    nytp_str name = {pair.p, (size_t)(equals - pair.p)}, word = {equals + 1, pair.n - name.n - 1};
    for (size_t i = 0; i < NYTP_WORDS_HOLES; i++) {
        if (!nytp_str_eq(name, nytp_str_c(rows[i].hole + strlen("word_"))) || !is_plain(word)) continue;
        nytp_str copy = nytp_arena_str(arena, word);
        if (!copy.p) return 0;
        *(const char **)(void *)((char *)w + rows[i].offset) = copy.p;
    }
    return 1;
}

static int put_all_in(nytp_words *w, nytp_arena *arena, nytp_str told) {
    int is_well = 1;
    while (told.n && is_well) {
        const char *end = memchr(told.p, ';', told.n);
        size_t n = end ? (size_t)(end - told.p) : told.n;
        is_well = put_in(w, arena, (nytp_str){told.p, n});
        n += end != NULL;
        told = (nytp_str){told.p + n, told.n - n};
    }
    return is_well;
}

static const nytp_words *known(const nytp_process *process) {
    if (process->id.front_end == NYTP_FRONT_PERL) return &perl;
    return process->id.front_end == NYTP_FRONT_LUA ? &lua : &several;
}

nytp_words *nytp_words_find(nytp_arena *arena, const nytp_profile *p) {
    nytp_words *all = nytp_arena_get(arena, (p->processes_n + 1u) * sizeof *all);
    int is_mixed = 0;
    if (!all) return NULL;
    for (uint32_t i = 0; i < p->processes_n; i++) {
        const nytp_process *process = &p->processes[i];
        int is_same = i && nytp_language_same(process, process - 1);
        all[i + 1] = is_same ? all[i] : *known(process);
        if (!is_same && !put_all_in(&all[i + 1], arena, process->language.words)) return NULL;
        is_mixed |= i && !is_same;
    }
    all[0] = is_mixed ? several : p->processes_n ? all[1] : perl;
    return all;
}

void nytp_words_holes(const nytp_words *w, nytp_hole holes[NYTP_WORDS_HOLES]) {
    for (size_t i = 0; i < NYTP_WORDS_HOLES; i++) {
        const char *word = *(const char *const *)(const void *)((const char *)w + rows[i].offset);
        holes[i] = (nytp_hole){rows[i].hole, nytp_str_c(word)};
    }
}
