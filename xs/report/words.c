/* SPDX-License-Identifier: MIT */
/* words.c - terms of the profiled language. */
#include "report/words.h"

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
static const nytp_words both = {
    .sub = "function", .subs = "functions", .Sub = "Function", .Subs = "Functions",
    .call = "function call", .calls = "function calls",
    .statement = "statement", .statements = "statements", .Statements = "Statements", .unit = "statement",
    .eval = "eval or chunk", .evals = "evals and chunks", .Eval = "A string eval or loaded chunk",
    .Evals = "Evals",
    .in_c = "in C", .no_source = "Without source: C code and built-in operators",
    .no_file = "C code and built-in operators, by package or module, with their callers.",
    .package = "package", .packages = "packages", .Package = "Package", .no_package = "No package",
};

const nytp_words *nytp_words_of(const nytp_profile *p) {
    int luas = 0, others = 0, perls = 0;
    for (uint32_t i = 0; i < p->processes_n; i++) {
        int is_lua = p->processes[i].id.front_end == NYTP_FRONT_LUA;
        int is_other = nytp_profile_property(p, i, NYTP_LIT("root")).n > 0;
        luas |= is_lua;
        others |= is_other;
        perls |= !is_lua && !is_other;
    }
    if (others || (luas && perls)) return &both;
    return luas ? &lua : &perl;
}

void nytp_words_holes(const nytp_words *w, nytp_hole holes[NYTP_WORDS_HOLES]) {
    const nytp_hole all[NYTP_WORDS_HOLES] = {
        {"word_sub", nytp_str_c(w->sub)},
        {"word_subs", nytp_str_c(w->subs)},
        {"word_Sub", nytp_str_c(w->Sub)},
        {"word_Subs", nytp_str_c(w->Subs)},
        {"word_statements", nytp_str_c(w->statements)},
        {"word_Statements", nytp_str_c(w->Statements)},
        {"word_unit", nytp_str_c(w->unit)},
        {"word_Evals", nytp_str_c(w->Evals)},
        {"word_evals", nytp_str_c(w->evals)},
        {"word_packages", nytp_str_c(w->packages)},
        {"word_Package", nytp_str_c(w->Package)},
        {"word_in_c", nytp_str_c(w->in_c)},
        {"word_no_file", nytp_str_c(w->no_file)},
    };
    for (int i = 0; i < NYTP_WORDS_HOLES; i++) holes[i] = all[i];
}
