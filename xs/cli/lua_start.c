/* SPDX-License-Identifier: MIT */
/* lua_start.c - variables by which a Lua loads the profiler, and Luas that cannot. */
#include "cli/lua_start.h"

#include <limits.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "cli/environment.h"
#include "cli/interpreters.h"

#define PRELOAD "nytprof-preload.so"

/* --- which Lua --- */

static int is_lua(const char *command) {
    const nytp_interpreter *row = nytp_interpreters_named(command);
    return row && row->check == nytp_lua_start_check;
}

/* Where several Luas are installed `lua` is a link to lua5.4 or the like. */
static int check_version(const char *interpreter, nytp_error *e) {
    char found[NYTP_PROGRAM_PATH], resolved[PATH_MAX];
    const char *path = strchr(interpreter, '/') ? interpreter
                     : nytp_program_in_path(interpreter, found, sizeof found) ? found : "";
    const char *name = realpath(path, resolved) && is_lua(resolved) ? resolved : interpreter;
    if (strrchr(name, '/')) name = strrchr(name, '/') + 1;
    if (strcmp(name, "lua") == 0 || strcmp(name, "lua5.4") == 0 || strcmp(name, "lua5.3") == 0) return NYTP_OK;
    return nytp_error_set(e, NYTP_USAGE, "run: %s cannot be profiled, expected lua5.4 or lua5.3", name);
}

/* Lua's switch -E ignores LUA_INIT, by which the profiler is loaded. */
int nytp_lua_start_check(const nytp_program *p, int argc, char **argv, nytp_error *e) {
    int is_there = p->words_n > 1 && strcmp(p->words[1], "-E") == 0;
    if (check_version(p->words[0], e)) return e->code;
    for (int i = 0; !p->script && i < argc && argv[i][0] == '-' && argv[i][1] && argv[i][1] != '-'; i++) {
        if (strcmp(argv[i], "-E") == 0) is_there = 1;
        if (strcmp(argv[i], "-e") == 0 || strcmp(argv[i], "-l") == 0) i++;
    }
    if (!is_there) return NYTP_OK;
    return nytp_error_set(e, NYTP_USAGE, "run: %s -E cannot be profiled: -E ignores LUA_INIT, which loads the profiler",
                          p->words[0]);
}

/* --- its environment --- */

static int is_there(const char *directory, const char *version, const char *file) {
    char path[NYTP_PROGRAM_PATH];
    int n = snprintf(path, sizeof path, "%s%s/%s", directory, version, file);
    return n > 0 && n < NYTP_PROGRAM_PATH && access(path, R_OK) == 0;
}

/* Where it is not certain that a Lua will run, a Lua that cannot load our module runs without it; but if the profile
 * cannot be written the program does not start. */
#define LOAD_IF_THERE \
    "do local ok, e = pcall(require, 'nytprof'); if not ok and e:find('^NYTProf') then error(e, 0) end end;"

/* LUA_INIT_5_4 replaces LUA_INIT, so it must run that, too; likewise the path. The comment in it tells the module that
 * the file is for that program's profile alone, as with perl's -d. */
static void prepare_version(const char *directory, int is_certain, const char *dotted, const char *version,
                            nytp_error *e) {
    char init[] = "LUA_INIT_?_?", path[] = "LUA_CPATH_?_?";
    memcpy(strchr(init, '?'), version, strlen(version));
    memcpy(strchr(path, '?'), version, strlen(version));
    const char *code = nytp_environment_get(init, "LUA_INIT", "");
    const char *dirs = nytp_environment_get(path, "LUA_CPATH", ";");
    const char *load = is_certain ? "require 'nytprof' --[[this program]];" : LOAD_IF_THERE;
    if (is_there(directory, dotted, "nytprof.so"))
        nytp_environment_set(e, path, "%s%s/?.so;%s", directory, dotted, dirs);
    if (*code == '@') nytp_environment_set(e, init, "%s dofile [==[%s]==]", load, code + 1);
    else if (!strstr(code, "'nytprof'")) nytp_environment_set(e, init, "%s%s%s", load, *code ? " " : "", code);
}

void nytp_lua_start_prepare(const char *directory, int is_certain, nytp_error *e) {
    prepare_version(directory, is_certain, "5.4", "5_4", e);
    prepare_version(directory, is_certain, "5.3", "5_3", e);
}

/* Preloads the libraries for both versions, each of which profiles states of its own Lua only. Sanitizers' libraries
 * must stay in front. */
void nytp_lua_start_preload(const char *directory, const nytp_program *p, nytp_error *e) {
    static const char *const versions[] = {"5.4", "5.3"};
    int found = 0;
    for (size_t i = 0; i < sizeof versions / sizeof *versions; i++) {
        const char *others = nytp_environment_get("LD_PRELOAD", "", "");
        if (!is_there(directory, versions[i], PRELOAD)) continue;
        nytp_environment_set(e, "LD_PRELOAD", "%s%s%s%s/" PRELOAD, others, *others ? ":" : "", directory,
                             versions[i]);
        found = 1;
    }
    if (!p->interpreter) nytp_environment_set(e, "NYTPROF_PRELOAD", "%ld", (long)getpid());
    if (!found) nytp_error_set(e, NYTP_IO, "run: --preload: there is no " PRELOAD " beside this command");
}
