/* SPDX-License-Identifier: MIT */
/* plugin.c - finds plugins and runs them. An executable comes before a class of the same name. */
#include "cli/plugin.h"

#include <ctype.h>
#include <dirent.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "base/arena.h"
#include "base/buf.h"
#include "cli/environment.h"
#include "cli/launch.h"
#include "cli/print.h"
#include "cli/screen.h"
#include "cli/verbs.h"

#define PREFIX "nytprof-"
#define CLASSES "/Devel/NYTProf/Report"
#define DIRECTORIES 64 /* of Perl's modules */

/* ---- directories of Perl's modules ---- */

typedef struct directories {
    nytp_launch launch;
    uint32_t ours; /* directories of the launch, each behind -I */
    nytp_arena arena;
    const char *at[DIRECTORIES];
    int n;
} directories;

static void add(directories *d, const char *name) {
    nytp_str copy = d->n < DIRECTORIES && *name ? nytp_arena_str(&d->arena, nytp_str_c(name)) : nytp_str_c(NULL);
    if (copy.p) d->at[d->n++] = copy.p;
}

/* Those of --plugin-dir come first, then those of this command, then perl's own. */
static void find_directories(directories *d, int argc, char **argv) {
    static const char option[] = "--plugin-dir";
    char line[NYTP_PROGRAM_PATH];
    for (int i = 0; i < argc && strcmp(argv[i], "--") != 0; i++) {
        size_t n = strlen(option);
        if (strcmp(argv[i], option) == 0 && i + 1 < argc) add(d, argv[++i]);
        else if (strncmp(argv[i], option, n) == 0 && argv[i][n] == '=') add(d, argv[i] + n + 1);
    }
    nytp_launch_locate(&d->launch);
    d->ours = nytp_launch_directories(&d->launch, nytp_interpreters_named("perl"));
    for (uint32_t i = 0; i < d->ours; i++) add(d, d->launch.directories[i] + strlen("-I"));
    FILE *own = popen("perl -e 'print map {qq{$_\\n}} grep {!ref} @INC' 2>/dev/null", "r");
    while (own && fgets(line, sizeof line, own)) {
        line[strcspn(line, "\n")] = '\0';
        add(d, line);
    }
    if (own) pclose(own);
}

/* ---- files of plugins ---- */

/* Calls take for each file of a directory, in the order of their names, until it returns 1, and returns that. */
static int each_file(const char *directory, int (*take)(void *context, const char *directory, const char *name),
                     void *context) {
    struct dirent **entries;
    int n = scandir(directory, &entries, NULL, alphasort), found = 0;
    for (int i = 0; i < n; i++) {
        if (!found) found = take(context, directory, entries[i]->d_name);
        free(entries[i]);
    }
    if (n >= 0) free(entries);
    return found;
}

/* The length of a class's name in that of its file; 0: the file has none. */
static int class_length(const char *file) {
    size_t n = strspn(file, "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789_");
    return strcmp(file + n, ".pm") == 0 ? (int)n : 0;
}

typedef struct search {
    const char *name;
    char class[256];
} search;

static const char *skip(const char *name) { return name + strspn(name, "-_"); }

/* my-report is MyReport and My_Report, too. */
static int is_class(void *context, const char *directory, const char *file) {
    search *s = context;
    const char *a = skip(s->name), *b = file, *end = file + class_length(file);
    (void)directory;
    for (b = skip(b); *a && b < end; a = skip(a + 1), b = skip(b + 1))
        if (tolower((unsigned char)*a) != tolower((unsigned char)*b)) return 0;
    if (*a || b < end || end == file || end - file >= (int)sizeof s->class) return 0;
    memcpy(s->class, file, (size_t)(end - file));
    s->class[end - file] = '\0';
    return 1;
}

/* ---- running one ---- */

static int is_option(const char *argument) { return argument[0] == '-' && argument[1] != '\0'; }

/* The value of -f or --file, within the argument or behind it; NULL: it is another one. */
static const char *file_of(const char *argument, const char *next) {
    if (strcmp(argument, "-f") == 0 || strcmp(argument, "--file") == 0) return next;
    if (strncmp(argument, "--file=", strlen("--file=")) == 0) return argument + strlen("--file=");
    return strncmp(argument, "-f", strlen("-f")) == 0 ? argument + strlen("-f") : NULL;
}

/* Its first argument is the capture: that of -f or --file, else the argument that is no option, else the default. */
static void put_capture(const char **command, int *argc, char ***argv) {
    const char *first = *argc > 0 ? (*argv)[0] : "-", *next = *argc > 1 ? (*argv)[1] : NULL;
    const char *file = file_of(first, next);
    int asks = strcmp(first, "--help") == 0 || strcmp(first, "-h") == 0;
    int taken = file ? 1 + (file == next) : *argc > 0 && !is_option(first);
    if (!file) file = taken ? first : NYTP_CLI_DEFAULT_FILE;
    if (!asks) *command = file;
    *argc -= taken;
    *argv += taken;
}

/* Tells it where this command is: for `nytprof json`, which reads a capture for it. */
static void set_command(nytp_error *e) {
    char path[NYTP_PROGRAM_PATH];
    ssize_t n = readlink("/proc/self/exe", path, sizeof path - 1);
    path[n > 0 ? n : 0] = '\0';
    nytp_environment_set(e, "NYTPROF_COMMAND", "%s", n > 0 ? path : "nytprof");
}

/* Returns an exit code if it fails. */
static int become(const char **command, const char *path) {
    nytp_error e = {0};
    set_command(&e);
    nytp_screen_end();
    if (!e.code) execv(path, (char *const *)(uintptr_t)command);
    nytp_error_sys(&e, "cannot run %s", path);
    return nytp_cli_failure(&e);
}

static int run_executable(const char *path, int argc, char **argv) {
    const char **command = calloc((size_t)argc + 3, sizeof *command);
    if (!command) return nytp_cli_failure(&(nytp_error){.code = NYTP_NOMEM, .text = "out of memory"});
    int n = 1;
    command[0] = path;
    put_capture(command + 1, &argc, &argv);
    const char *capture = command[1];
    n += capture != NULL;
    for (int i = 0; i < argc; i++) command[n + i] = argv[i];
    nytp_error e = {0};
    if (capture && strcmp(capture, "-") != 0 && access(capture, R_OK)) nytp_error_sys(&e, "%s", capture);
    int status = e.code ? nytp_cli_failure(&e) : become(command, path);
    free(command);
    return status;
}

static int run_class(const directories *d, const char *name, const char *class, int argc, char **argv) {
    char path[NYTP_PROGRAM_PATH];
    const char **command = calloc((size_t)argc + d->ours + 8, sizeof *command);
    int n = 0;
    if (!command) return nytp_cli_failure(&(nytp_error){.code = NYTP_NOMEM, .text = "out of memory"});
    command[n++] = "perl";
    for (uint32_t i = 0; i < d->ours; i++) command[n++] = d->launch.directories[i];
    command[n++] = "-MDevel::NYTProf::Report";
    command[n++] = "-e";
    command[n++] = "exit Devel::NYTProf::Report::run(@ARGV)";
    command[n++] = "--";
    command[n++] = name;
    command[n++] = class;
    for (int i = 0; i < argc; i++) command[n + i] = argv[i];
    int status = nytp_program_in_path("perl", path, sizeof path) ? become(command, path) : -1;
    free(command);
    return status;
}

int nytp_plugin_run(const char *name, int argc, char **argv) {
    char file[256], path[NYTP_PROGRAM_PATH];
    int n = snprintf(file, sizeof file, PREFIX "%s", name), status = -1;
    directories d = {0};
    search s = {.name = name};
    if (n < 0 || n >= (int)sizeof file || strchr(name, '/') || !*skip(name)) return -1;
    if (nytp_program_in_path(file, path, sizeof path)) return run_executable(path, argc, argv);
    find_directories(&d, argc, argv);
    for (int i = 0; i < d.n && status < 0; i++) {
        int length = snprintf(path, sizeof path, "%s" CLASSES, d.at[i]);
        if (length > 0 && length < (int)sizeof path && each_file(path, is_class, &s))
            status = run_class(&d, name, s.class, argc, argv);
    }
    nytp_arena_free(&d.arena);
    return status;
}

/* ---- the list ---- */

typedef struct listing {
    FILE *to;
    nytp_buf names; /* of those that are listed, each with its NUL */
} listing;

static int is_listed(const listing *l, const char *name) {
    for (size_t at = 0; at < l->names.n; at += strlen((const char *)l->names.p + at) + 1)
        if (strcmp((const char *)l->names.p + at, name) == 0) return 1;
    return 0;
}

/* Of several with one name only the first is ever run. */
static void print_line(listing *l, const char *name, const char *what, const char *rest) {
    if (is_listed(l, name)) return;
    if (!l->names.n) fputs("\nPlugins:\n", l->to);
    nytp_buf_bytes(&l->names, name, strlen(name) + 1);
    nytp_print_line(l->to, "  %-10s  %s%s", name, what, rest);
}

/* Not those that an earlier directory or a verb hides. */
static int list_executable(void *context, const char *directory, const char *file) {
    char path[NYTP_PROGRAM_PATH], mine[NYTP_PROGRAM_PATH];
    int n = snprintf(mine, sizeof mine, "%s/%s", directory, file);
    if (strncmp(file, PREFIX, strlen(PREFIX)) != 0 || n < 0 || n >= (int)sizeof mine) return 0;
    const char *name = file + strlen(PREFIX);
    if (nytp_verbs_find(name).name || !nytp_program_in_path(file, path, sizeof path)) return 0;
    if (strcmp(path, mine) == 0) print_line(context, name, path, "");
    return 0;
}

static int list_class(void *context, const char *directory, const char *file) {
    char class[256], lower[sizeof class];
    int length = class_length(file);
    (void)directory;
    if (!length || snprintf(class, sizeof class, "%.*s", length, file) >= (int)sizeof class) return 0;
    for (int i = 0; i <= length; i++) lower[i] = (char)tolower((unsigned char)class[i]);
    if (!nytp_verbs_find(lower).name) print_line(context, lower, "Devel::NYTProf::Report::", class);
    return 0;
}

void nytp_plugin_list(FILE *to) {
    listing l = {.to = to};
    directories d = {0};
    const char *path = getenv("PATH");
    char *copy = path ? strdup(path) : NULL, *rest = NULL;
    for (char *name = copy ? strtok_r(copy, ":", &rest) : NULL; name; name = strtok_r(NULL, ":", &rest))
        each_file(name, list_executable, &l);
    free(copy);
    find_directories(&d, 0, NULL);
    for (int i = 0; i < d.n; i++) {
        char classes[NYTP_PROGRAM_PATH];
        int n = snprintf(classes, sizeof classes, "%s" CLASSES, d.at[i]);
        if (n > 0 && n < (int)sizeof classes) each_file(classes, list_class, &l);
    }
    nytp_buf_free(&l.names);
    nytp_arena_free(&d.arena);
}
