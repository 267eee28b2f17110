/* SPDX-License-Identifier: MIT */
/* launch.c - switches and environment by which an interpreter loads the profiler. */
#include "cli/launch.h"

#include <limits.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "base/pairs.h"
#include "cli/cli.h"
#include "cli/environment.h"
#include "cli/lua_start.h"

/* --- finding the profiler --- */

/* A built command is build/nytprof, with a copy in blib/script; an installed one is in bin/ below a prefix. */
static const struct layout {
    const char *command;
    int32_t is_installed;
} layouts[] = {{"/build/nytprof", 0}, {"/blib/script/nytprof", 0}, {"/bin/nytprof", 1}};

void nytp_launch_locate(nytp_launch *l) {
    ssize_t n = readlink("/proc/self/exe", l->top, sizeof l->top - 1);
    size_t length = n > 0 ? (size_t)n : 0;
    l->top[length] = 0;
    for (size_t i = 0; i < sizeof layouts / sizeof *layouts; i++) {
        if (!nytp_str_ends(nytp_str_c(l->top), nytp_str_c(layouts[i].command))) continue;
        l->top[length - strlen(layouts[i].command)] = 0;
        l->is_installed = layouts[i].is_installed;
        l->is_located = 1;
        return;
    }
}

uint32_t nytp_launch_directories(nytp_launch *l, const nytp_interpreter *row) {
    const char *const *below = l->is_installed ? row->installed : row->built;
    char module[NYTP_PROGRAM_PATH];
    uint32_t n = 0;
    for (; l->is_located && n < NYTP_INTERPRETERS_DIRECTORIES && below[n]; n++) {
        int length = snprintf(l->directories[n], sizeof l->directories[n], "-I%s%s", l->top, below[n]);
        if (length < 0 || length >= NYTP_PROGRAM_PATH) return 0;
    }
    if (!n || !row->module) return n;
    int length = snprintf(module, sizeof module, "%s/%s", l->directories[0] + 2, row->module);
    return length > 0 && length < NYTP_PROGRAM_PATH && access(module, R_OK) == 0 ? n : 0;
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

int nytp_launch_options(const nytp_launch *l, nytp_buf *text, nytp_buf *file) {
    const char *inherited = getenv("NYTPROF");
    int is_ours = choose_file(l, inherited, file);
    nytp_buf_byte(file, 0);
    put_pairs(text, inherited);
    if (l->calls) put_pairs(text, "calls=2");
    if (l->memory) put_pairs(text, "memory=1");
    put_pairs(text, l->sample);
    put_pairs(text, l->options);
    if (is_ours && !file->failed) put_file(text, (const char *)file->p);
    if (file->failed) text->failed = 1;
    return is_ours;
}

/* --- the environment --- */

static const char *switch_of(const nytp_launch *l, const nytp_interpreter *row) {
    return l->sample ? row->samples : row->load;
}

static void put_option(const nytp_interpreter *row, const char *option, nytp_error *e) {
    const char *options = nytp_environment_get(row->options, "", "");
    if (!strstr(options, option))
        nytp_environment_set(e, row->options, "%s%s%s", options, *options ? " " : "", option);
}

/* For interpreters that the program starts: more switches. Directories are among them, as programs empty PERL5LIB and
 * start another perl (Test::Harness does); those with a blank, which divides switches, are in front of those that are
 * there. */
static void put_switches(nytp_launch *l, const nytp_interpreter *row, nytp_error *e) {
    uint32_t n = nytp_launch_directories(l, row);
    if (row->is_needed && !n) return;
    for (uint32_t i = 0; i < n; i++)
        if (!strpbrk(l->directories[i], " \t\n")) put_option(row, l->directories[i], e);
    put_option(row, switch_of(l, row), e);
    while (n-- > 0) {
        const char *path = nytp_environment_get(row->path, "", "");
        if (strpbrk(l->directories[n], " \t\n"))
            nytp_environment_set(e, row->path, "%s%s%s", l->directories[n] + 2, *path ? ":" : "", path);
    }
}

static const char *first_directory(nytp_launch *l, const nytp_interpreter *row) {
    return nytp_launch_directories(l, row) ? l->directories[0] + 2 : "";
}

/* The library that counts bytes (heap/). Sanitizers' libraries must stay in front; an allocator that is loaded has to
 * stand behind this one. Where only one program is profiled, the library hides itself from what that starts. */
static void put_heap(const nytp_launch *l, int is_any, nytp_error *e) {
    const char *others = nytp_environment_get("LD_PRELOAD", "", "");
    char path[NYTP_PROGRAM_PATH];
    int n = snprintf(path, sizeof path, "%s%s", l->top,
                     l->is_installed ? "/lib/nytprof/libnytprof-heap.so" : "/build/heap/libnytprof-heap.so");
    if (!l->is_located || n < 0 || n >= NYTP_PROGRAM_PATH || access(path, R_OK))
        nytp_error_set(e, NYTP_IO, "run: --memory: libnytprof-heap.so is not there, expected it beside this command");
    else if (path[strcspn(path, " :")])
        nytp_error_set(e, NYTP_IO, "run: --memory: %s: a blank or colon in this path keeps it from use", path);
    else if (strstr(others, "san.so")) nytp_environment_set(e, "LD_PRELOAD", "%s:%s", others, path);
    else nytp_environment_set(e, "LD_PRELOAD", "%s%s%s", path, *others ? ":" : "", others);
    if (!is_any) nytp_environment_set(e, "NYTPROF_HEAP", "1");
}

int nytp_launch_prepare(nytp_launch *l, const nytp_program *p, const nytp_buf *text, nytp_error *e) {
    const nytp_interpreter *row;
    int is_any = !p->interpreter || l->children;
    if (text->failed) nytp_error_set(e, NYTP_NOMEM, "out of memory");
    else if (text->n) nytp_environment_set(e, "NYTPROF", "%.*s", (int)text->n, (const char *)text->p);
    for (uint32_t i = 0; (row = nytp_interpreters_at(i)); i++) {
        int is_certain = row == p->interpreter;
        if (switch_of(l, row) && is_any) put_switches(l, row, e);
        if (row->prepare && (!l->sample || row->reads_sample) && (is_any || is_certain))
            row->prepare(first_directory(l, row), is_certain, e);
    }
    if (l->memory && (is_any || p->interpreter->loads_heap)) put_heap(l, is_any, e);
    if (l->preload) nytp_lua_start_preload(first_directory(l, nytp_interpreters_named("lua")), p, e);
    return e->code;
}

/* --- the command --- */

#define SWITCHES (NYTP_INTERPRETERS_DIRECTORIES + 1)

/* The switches for an interpreter that is run directly; returns their number. */
static size_t find_switches(nytp_launch *l, const nytp_program *p, const char *switches[SWITCHES]) {
    size_t n = 0;
    if (!p->interpreter || !switch_of(l, p->interpreter)) return 0;
    for (uint32_t found = nytp_launch_directories(l, p->interpreter); n < found; n++) switches[n] = l->directories[n];
    switches[n++] = switch_of(l, p->interpreter);
    return n;
}

const char **nytp_launch_command(nytp_launch *l, const nytp_program *p, int argc, char **argv) {
    size_t room = NYTP_PROGRAM_WORDS + SWITCHES + 1 + (size_t)argc + 1, n = 1;
    const char **command = calloc(room, sizeof *command);
    if (!command) return NULL;
    command[0] = p->words[0];
    if (p->words_n > 1) command[n++] = p->words[1];
    if (l) n += find_switches(l, p, command + n);
    if (p->script) command[n++] = p->script;
    for (int i = 0; i < argc; i++) command[n++] = argv[i];
    return command;
}
