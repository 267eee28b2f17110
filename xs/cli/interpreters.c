/* SPDX-License-Identifier: MIT */
/* interpreters.c - the table of interpreters. */
#include "cli/interpreters.h"

#include <string.h>

#include "base/str.h"
#include "cli/lua_start.h"

#ifndef NYTP_PERL_MODULES /* below the prefix; set by the Makefile */
#define NYTP_PERL_MODULES "/lib/perl5"
#endif

static const nytp_interpreter rows[] = {
    {.names = {"perl"}, .suffixes = {".pl", ".PL", ".t"}, .built = {"/blib/lib", "/blib/arch"},
     .installed = {NYTP_PERL_MODULES}, .module = "Devel/NYTProf.pm", .load = "-d:NYTProf",
     .samples = "-MDevel::NYTProf::Sample", .options = "PERL5OPT", .path = "PERL5LIB", .counts_memory = 1,
     .loads_heap = 1},
    {.names = {"ruby"}, .suffixes = {".rb"}, .built = {"/build/ruby"}, .installed = {"/lib/ruby"},
     .module = "nytprof.so", .is_needed = 1, .load = "-rnytprof", .options = "RUBYOPT", .path = "RUBYLIB"},
    {.names = {"lua", "luajit"}, .suffixes = {".lua"}, .commands = {"lua5.4", "lua5.3"}, .built = {"/build/lua"},
     .installed = {"/lib/lua/"}, .reads_sample = 1, .counts_memory = 1, .prepare = nytp_lua_start_prepare,
     .check = nytp_lua_start_check},
};

const nytp_interpreter *nytp_interpreters_at(uint32_t i) {
    return i < sizeof rows / sizeof *rows ? &rows[i] : NULL;
}

/* Digits and dots, as in perl5.36.0, or nothing. */
static int is_version(const char *text) {
    return text[strspn(text, "0123456789.")] == 0;
}

const nytp_interpreter *nytp_interpreters_named(const char *command) {
    const char *slash = strrchr(command, '/'), *file = slash ? slash + 1 : command;
    const nytp_interpreter *row;
    for (uint32_t i = 0; (row = nytp_interpreters_at(i)); i++)
        for (const char *const *name = row->names; *name; name++)
            if (strncmp(file, *name, strlen(*name)) == 0 && is_version(file + strlen(*name))) return row;
    return NULL;
}

const nytp_interpreter *nytp_interpreters_of_suffix(const char *file) {
    const nytp_interpreter *row;
    for (uint32_t i = 0; (row = nytp_interpreters_at(i)); i++)
        for (const char *const *suffix = row->suffixes; *suffix; suffix++)
            if (nytp_str_ends(nytp_str_c(file), nytp_str_c(*suffix))) return row;
    return NULL;
}
