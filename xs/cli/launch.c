/* SPDX-License-Identifier: MIT */
/* launch.c - switches and environment by which a Perl, a Lua or a Ruby loads the profiler. */
#include "cli/launch.h"

#include <limits.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "base/pairs.h"
#include "cli/cli.h"

#define MODULE "NYTProf"
#define LOAD "-d:" MODULE
#define RUBY_LOAD "-rnytprof"
#define PRELOAD "nytprof-preload.so"

/* --- finding the profiler --- */

/* Possible paths of the command below a top directory, and of its libraries there. A built command is build/nytprof,
 * with a copy in blib/script; an installed one has the directories of INSTALL_BASE and PREFIX. */
static const struct layout {
    const char *command, *lib, *arch, *lua, *ruby;
} layouts[] = {
    {"/build/nytprof", "/blib/lib", "/blib/arch", "/build/lua", "/build/ruby"},
    {"/blib/script/nytprof", "/blib/lib", "/blib/arch", "/build/lua", "/build/ruby"},
    {"/bin/nytprof", "/lib/perl5", NULL, "/lib/lua/", "/lib/ruby"},
};

/* Finds the layout, and the path of its top directory. */
static const struct layout *find_layout(char top[PATH_MAX]) {
    ssize_t n = readlink("/proc/self/exe", top, PATH_MAX - 1);
    top[n > 0 ? n : 0] = 0;
    for (size_t i = 0; i < sizeof layouts / sizeof *layouts; i++) {
        if (!nytp_str_ends(nytp_str_c(top), nytp_str_c(layouts[i].command))) continue;
        top[strlen(top) - strlen(layouts[i].command)] = 0;
        return &layouts[i];
    }
    return NULL;
}

/* A path that is too long counts as missing. */
static void set_path(char path[NYTP_PROGRAM_PATH], const char *before, const char *top, const char *behind) {
    int n = snprintf(path, NYTP_PROGRAM_PATH, "%s%s%s", before, top, behind);
    if (n < 0 || n >= NYTP_PROGRAM_PATH) *path = 0;
}

static int is_there(const char *directory, const char *version, const char *file) {
    char path[NYTP_PROGRAM_PATH];
    int n = snprintf(path, sizeof path, "%s%s/%s", directory, version, file);
    return n > 0 && n < NYTP_PROGRAM_PATH && access(path, R_OK) == 0;
}

void nytp_launch_locate(nytp_launch *l) {
    char top[PATH_MAX];
    const struct layout *at = find_layout(top);
    if (!at) return;
    set_path(l->lib, "-I", top, at->lib);
    if (!is_there(l->lib + 2, "", "Devel/NYTProf.pm")) *l->lib = 0;
    if (at->arch) set_path(l->arch, "-I", top, at->arch);
    set_path(l->lua, "", top, at->lua);
    set_path(l->ruby, "-I", top, at->ruby);
    if (!is_there(l->ruby + 2, "", "nytprof.so")) *l->ruby = 0;
}

/* --- NYTPROF --- */

static void put(nytp_buf *b, const char *text) {
    nytp_buf_bytes(b, text, strlen(text));
}

static void put_pairs(nytp_buf *b, const char *pairs) {
    if (!pairs || !*pairs) return;
    if (b->n) put(b, ":");
    put(b, pairs);
}

/* Copies the last file name in these options; 0 if there is none. */
static int find_file(const char *text, nytp_buf *file) {
    nytp_assignment pair = {0};
    int found = 0;
    for (const char *p = text ? text : "", *end; *p; p = end + (*end == ':')) {
        end = nytp_pairs_next(p, &pair);
        if (!nytp_pairs_is(&pair, "file")) continue;
        nytp_buf_clear(file);
        nytp_buf_bytes(file, pair.value.p, pair.value.n);
        found = 1;
    }
    file->failed |= pair.failed;
    nytp_pairs_free(&pair);
    return found;
}

/* Makes the name absolute, for processes that change their directory. It stays relative if the current directory has
 * been removed. */
static void put_file(nytp_buf *b, const char *file) {
    char here[PATH_MAX];
    put_pairs(b, "file=");
    const char *const parts[] = {*file != '/' && getcwd(here, sizeof here) ? here : "", "/", file};
    for (int part = *file != '/' && *parts[0] ? 0 : 2; part < 3; part++)
        for (const char *at = parts[part]; *at; at++) {
            if (strchr(":=\\", *at)) nytp_buf_byte(b, '\\');
            nytp_buf_byte(b, (unsigned char)*at);
        }
}

/* 1 if an option or the default names the file; 0 if the environment does. */
static int choose_file(const nytp_launch *l, const char *inherited, nytp_buf *file) {
    if (l->file) put(file, l->file);
    else if (find_file(l->options, file)) return 1;
    else if (find_file(inherited, file)) return 0;
    else put(file, NYTP_CLI_DEFAULT_FILE);
    return 1;
}

void nytp_launch_options(const nytp_launch *l, nytp_buf *text, nytp_buf *file) {
    const char *inherited = getenv("NYTPROF");
    int is_ours = choose_file(l, inherited, file);
    nytp_buf_byte(file, 0);
    put_pairs(text, inherited);
    put_pairs(text, l->options);
    if (is_ours && !file->failed) put_file(text, (const char *)file->p);
    if (file->failed) text->failed = 1;
}

/* --- the environment --- */

static void set(nytp_error *e, const char *name, const char *format, ...) NYTP_PRINTF(3, 4);

static void set(nytp_error *e, const char *name, const char *format, ...) {
    va_list values, again;
    va_start(values, format);
    va_copy(again, values);
    int n = vsnprintf(NULL, 0, format, values);
    char *text = n < 0 ? NULL : malloc((size_t)n + 1);
    if (text) vsnprintf(text, (size_t)n + 1, format, again);
    if (!text || setenv(name, text, 1)) nytp_error_set(e, NYTP_NOMEM, "out of memory");
    free(text);
    va_end(again);
    va_end(values);
}

/* The value of the first of these variables that is set, else the default `without`. */
static const char *value_of(const char *name, const char *second, const char *without) {
    const char *value = getenv(name);
    if (!value) value = getenv(second);
    return value ? value : without;
}

static void prepare_perl(const nytp_launch *l, nytp_error *e) {
    const char *options = value_of("PERL5OPT", "", ""), *path = value_of("PERL5LIB", "", "");
    if (!strstr(options, LOAD)) set(e, "PERL5OPT", "%s%s" LOAD, options, *options ? " " : "");
    if (*l->arch) set(e, "PERL5LIB", "%s:%s%s%s", l->lib + 2, l->arch + 2, *path ? ":" : "", path);
    else if (*l->lib) set(e, "PERL5LIB", "%s%s%s", l->lib + 2, *path ? ":" : "", path);
}

/* Where it is not certain that a Lua will run, a Lua that cannot load our module runs without it; but if the profile
 * cannot be written the program does not start. */
#define LOAD_IF_THERE \
    "do local ok, e = pcall(require, 'nytprof'); if not ok and e:find('^NYTProf') then error(e, 0) end end;"

/* LUA_INIT_5_4 replaces LUA_INIT, so it must run that, too; likewise the path. The comment in it tells the module that
 * the file is for that program's profile alone, as with perl's -d. */
static void prepare_lua(const nytp_launch *l, int is_certain, const char *dotted, const char *version, nytp_error *e) {
    char init[] = "LUA_INIT_?_?", path[] = "LUA_CPATH_?_?";
    memcpy(strchr(init, '?'), version, strlen(version));
    memcpy(strchr(path, '?'), version, strlen(version));
    const char *code = value_of(init, "LUA_INIT", ""), *dirs = value_of(path, "LUA_CPATH", ";");
    const char *load = is_certain ? "require 'nytprof' --[[this program]];" : LOAD_IF_THERE;
    if (is_there(l->lua, dotted, "nytprof.so")) set(e, path, "%s%s/?.so;%s", l->lua, dotted, dirs);
    if (*code == '@') set(e, init, "%s dofile [==[%s]==]", load, code + 1);
    else if (!strstr(code, "'nytprof'")) set(e, init, "%s%s%s", load, *code ? " " : "", code);
}

/* A Ruby that does not find the module does not start, so where none is ours those that a command starts stay as they
 * are. */
static void prepare_ruby(const nytp_launch *l, nytp_error *e) {
    const char *options = value_of("RUBYOPT", "", ""), *path = value_of("RUBYLIB", "", "");
    if (!*l->ruby || strstr(options, RUBY_LOAD)) return;
    set(e, "RUBYOPT", "%s%s" RUBY_LOAD, options, *options ? " " : "");
    set(e, "RUBYLIB", "%s%s%s", l->ruby + 2, *path ? ":" : "", path);
}

/* Preloads the libraries for both versions, each of which profiles states of its own Lua only. Sanitizers' libraries
 * must stay in front. */
static void prepare_preload(const nytp_launch *l, const nytp_program *p, nytp_error *e) {
    static const char *const versions[] = {"5.4", "5.3"};
    int found = 0;
    for (size_t i = 0; i < sizeof versions / sizeof *versions; i++) {
        const char *others = value_of("LD_PRELOAD", "", "");
        if (!is_there(l->lua, versions[i], PRELOAD)) continue;
        set(e, "LD_PRELOAD", "%s%s%s%s/" PRELOAD, others, *others ? ":" : "", l->lua, versions[i]);
        found = 1;
    }
    if (p->language == NYTP_LANGUAGE_OTHER) set(e, "NYTPROF_PRELOAD", "%ld", (long)getpid());
    if (!found) nytp_error_set(e, NYTP_IO, "run: --preload: there is no " PRELOAD " beside this command");
}

int nytp_launch_prepare(const nytp_launch *l, const nytp_program *p, const nytp_buf *text, nytp_error *e) {
    int is_lua = p->language == NYTP_LANGUAGE_LUA;
    if (text->failed) nytp_error_set(e, NYTP_NOMEM, "out of memory");
    else if (text->n) set(e, "NYTPROF", "%.*s", (int)text->n, (const char *)text->p);
    if (p->language == NYTP_LANGUAGE_OTHER || l->children) prepare_perl(l, e);
    if (p->language == NYTP_LANGUAGE_OTHER || l->children) prepare_ruby(l, e);
    if (p->language == NYTP_LANGUAGE_OTHER || is_lua || l->children) {
        prepare_lua(l, is_lua, "5.4", "5_4", e);
        prepare_lua(l, is_lua, "5.3", "5_3", e);
    }
    if (l->preload) prepare_preload(l, p, e);
    return e->code;
}

int nytp_launch_switches(const nytp_launch *l, const nytp_program *p, const char *switches[NYTP_LAUNCH_SWITCHES]) {
    int n = 0;
    if (p->language == NYTP_LANGUAGE_RUBY) {
        if (*l->ruby) switches[n++] = l->ruby;
        switches[n++] = RUBY_LOAD;
    }
    if (p->language != NYTP_LANGUAGE_PERL) return n;
    if (*l->lib) switches[n++] = l->lib;
    if (*l->arch) switches[n++] = l->arch;
    switches[n++] = LOAD;
    return n;
}
