/* SPDX-License-Identifier: MIT */
/* cmd_diff.c - `nytprof diff`: what differs between two files of one kind, or sides of several. A kind is a row of a
 * table. */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "cli/classes.h"
#include "cli/cli.h"
#include "cli/diff_profiles.h"
#include "cli/output.h"
#include "cli/screen.h"
#include "report/compared.h"
#include "report/registry.h"

enum { OUT, MODE, FORMAT, CLASSES, SORT, TOP, LEAST, FAIL_OVER, RENAMED };

static const nytp_arg args[] = {
    [OUT] = {.name = "out", .letter = 'o', .kind = NYTP_ARG_FILE, .value = "FILE", .fallback = "-",
             .help = "where to write, - for standard output"},
    [MODE] = NYTP_ARGS_MODE("those of the captures"),
    [FORMAT] = {.name = "format", .kind = NYTP_ARG_WORD, .value = "FORMAT", .words = "text json html folded",
                .fallback = "text", .help = "a text, JSON for programs, a page, or call paths for flame graphs"},
    [CLASSES] = NYTP_ARGS_CLASSES,
    [SORT] = {.name = "sort", .kind = NYTP_ARG_WORD, .value = "KEY", .words = "real user system n blocks",
              .fallback = "real", .help = "the value whose largest changes come first"},
    [TOP] = {.name = "top", .letter = 'n', .kind = NYTP_ARG_NUMBER, .value = "N", .least = 1, .most = 1000000,
             .help = "rows of each table [text 20, html 500, json all]"},
    [LEAST] = {.name = "least", .kind = NYTP_ARG_TEXT, .value = "N%,TIME",
               .help = "of profiles: smaller differences of time are not listed [5%,10us; where noise is known 10us]"},
    [FAIL_OVER] = {.name = "fail-over", .kind = NYTP_ARG_TEXT, .value = "N%,TIME,calls",
                   .help = "of profiles: exit status 1 if a sub takes so much more, or has more calls"},
    [RENAMED] = {.name = "renamed", .kind = NYTP_ARG_TEXT, .value = "OLD=NEW",
                 .help = "of profiles: paths that begin with OLD in the old ones begin with NEW in the new ones"},
    {0},
};

typedef struct given { /* old files, then new ones */
    char *const *paths;
    uint32_t n[2];
} given;

/* ---- builds ---- */

typedef struct side {
    nytp_build build;
    nytp_classes classes;
} side;

static enum nytp_changes_value value_of(const char *word) {
    static const char *const words[] = {[NYTP_CHANGES_REAL] = "real", [NYTP_CHANGES_USER] = "user",
                                        [NYTP_CHANGES_SYSTEM] = "system", [NYTP_CHANGES_BLOCKS] = "blocks",
                                        [NYTP_CHANGES_COUNT] = "n"};
    int i = NYTP_CHANGES_COUNT;
    while (i > NYTP_CHANGES_REAL && strcmp(words[i], word) != 0) i--;
    return (enum nytp_changes_value)i;
}

/* The usual second schema has directories, which have a table anyway. */
static uint32_t count_schemata(const side *sides, const nytp_arg_value *v) {
    return v[CLASSES].given ? sides[0].classes.n : 1;
}

static int make_table(nytp_changes_table *t, const side *sides, uint32_t schema, const nytp_arg_value *v) {
    int failed = 0;
    for (int i = 0; i < 2; i++)
        failed |= nytp_changes_add(&t->changes, i, &sides[i].build, &sides[i].classes.lists[schema], t->of) != NYTP_OK;
    return !failed && nytp_changes_sort(&t->changes, value_of(v[SORT].text)) == NYTP_OK;
}

static int make_tables(nytp_changes_table *tables, const side *sides, const nytp_arg_value *v) {
    uint32_t n = count_schemata(sides, v);
    int is_fine = 1;
    for (uint32_t i = 0; i < n; i++)
        tables[i] = (nytp_changes_table){.title = sides[0].classes.lists[i].name, .of = NYTP_CHANGES_CLASS};
    tables[n] = (nytp_changes_table){.title = NYTP_LIT("TARGET"), .of = NYTP_CHANGES_TARGET};
    tables[n + 1] = (nytp_changes_table){.title = NYTP_LIT("DIRECTORY"), .of = NYTP_CHANGES_DIRECTORY};
    for (uint32_t i = 0; i < n + 2 && is_fine; i++) is_fine = make_table(&tables[i], sides, i < n ? i : 0, v);
    return is_fine;
}

/* The format's writer: a report of that name has it. */
static int write_as(const char *format, const nytp_changes_request *r, nytp_sink *sink) {
    for (const nytp_report *const *report = nytp_reports; *report; report++)
        if (strcmp((*report)->name, format) == 0) return (*report)->write_changes(r, sink);
    return nytp_changed_write(r, sink);
}

static void print(const nytp_changes_request *r, char *const *paths, const nytp_arg_value *v, nytp_error *e) {
    uint32_t mode = nytp_cli_mode(&v[MODE], (const char *const *)(uintptr_t)paths, 2);
    nytp_sink *sink = nytp_sink_file(v[OUT].text, mode, e);
    if (!sink) return;
    write_as(v[FORMAT].text, r, sink);
    nytp_sink_close(sink, e);
}

static void compare(const side *sides, char *const *paths, const nytp_arg_value *v, nytp_error *e) {
    uint32_t n = count_schemata(sides, v) + 2;
    const nytp_build builds[] = {sides[0].build, sides[1].build};
    nytp_changes_table *tables = calloc(n, sizeof *tables);
    nytp_changes_request r = {.builds = builds, .tables = tables, .tables_n = n, .most = (uint32_t)v[TOP].number,
                              .version = NYTP_VERSION};
    if (!tables || !make_tables(tables, sides, v)) nytp_error_set(e, NYTP_NOMEM, "out of memory");
    else print(&r, paths, v, e);
    for (uint32_t i = 0; tables && i < n; i++) nytp_changes_free(&tables[i].changes);
    free(tables);
}

static int diff_builds(const given *files, const nytp_arg_value *v, nytp_error *e) {
    side both[2] = {0};
    if (strcmp(v[FORMAT].text, "folded") == 0)
        nytp_error_set(e, NYTP_USAGE, "diff: --format folded is for profiles of programs");
    else if (files->n[0] + files->n[1] != 2)
        nytp_error_set(e, NYTP_USAGE, "diff: expected one build as OLD and one as NEW");
    nytp_schemata *rules = nytp_cli_classes_read("diff", v[CLASSES].text, e);
    for (int i = 0; i < 2 && !e->code; i++)
        if (!nytp_build_load(&both[i].build, files->paths[i], e) &&
            nytp_classes_make(&both[i].classes, rules, &both[i].build))
            nytp_error_set(e, NYTP_NOMEM, "out of memory");
    if (!e->code) compare(both, files->paths, v, e);
    for (int i = 0; i < 2; i++) {
        nytp_classes_free(&both[i].classes);
        nytp_build_free(&both[i].build);
    }
    nytp_schemata_free(rules);
    return NYTP_CLI_FINE;
}

/* ---- profiles ---- */

static int diff_profiles(const given *files, const nytp_arg_value *v, nytp_error *e) {
    const char *const *names = (const char *const *)(uintptr_t)files->paths;
    const nytp_diff_profiles d = {
        .paths = names, .n = {files->n[0], files->n[1]}, .least = v[LEAST].text, .fail_over = v[FAIL_OVER].text,
        .renamed = v[RENAMED].text, .most = (uint32_t)v[TOP].number, .format = v[FORMAT].text, .out = v[OUT].text,
        .mode = nytp_cli_mode(&v[MODE], names, files->n[0] + files->n[1])};
    return nytp_diff_profiles_write(&d, e) ? NYTP_CLI_FAILURE : NYTP_CLI_FINE;
}

/* ---- kinds of files ---- */

typedef struct kind {
    const char *title;
    int (*is)(const char *path, nytp_error *e);
    int (*diff)(const given *files, const nytp_arg_value *v, nytp_error *e); /* returns an exit code if e is not set */
    int foreign[3]; /* options that it does not have; OUT: no more */
} kind;

/* Captures and files of format 5 begin with the same word. */
static int is_capture(const char *path, nytp_error *e) {
    static const char word[] = "NYTProf ";
    char begin[sizeof word - 1];
    FILE *in = fopen(path, "rb");
    if (!in) return nytp_error_sys(e, "diff: %s", path), 0;
    int is_one = fread(begin, 1, sizeof begin, in) == sizeof begin && memcmp(begin, word, sizeof begin) == 0;
    fclose(in);
    return is_one;
}

static const kind kinds[] = {
    {"the capture of a build", nytp_build_is, diff_builds, {LEAST, FAIL_OVER, RENAMED}},
    {"a profile", is_capture, diff_profiles, {CLASSES, SORT, OUT}},
};

/* NULL with e set. */
static const kind *kind_of(const char *path, nytp_error *e) {
    for (size_t i = 0; i < sizeof kinds / sizeof *kinds && !e->code; i++)
        if (kinds[i].is(path, e)) return &kinds[i];
    nytp_error_set(e, NYTP_FORMAT, "diff: %s: expected a profile or the capture of a build", path);
    return NULL;
}

static void check_options(const kind *k, const nytp_arg_value *v, nytp_error *e) {
    for (int i = 0; i < 3 && k->foreign[i] != OUT; i++)
        if (v[k->foreign[i]].given)
            nytp_error_set(e, NYTP_USAGE, "diff: --%s cannot be used: each file is %s",
                           args[k->foreign[i]].name, k->title);
}

/* All files are of one kind: NULL with e set if they are not. */
static const kind *kind_of_all(char *const *paths, int n, nytp_error *e) {
    const kind *first = kind_of(paths[0], e);
    for (int i = 1; i < n && !e->code; i++) {
        const kind *k = kind_of(paths[i], e);
        if (k && k != first)
            nytp_error_set(e, NYTP_FORMAT, "diff: %s is %s, and %s is %s: expected files of one kind", paths[0],
                           first->title, paths[i], k->title);
    }
    return e->code ? NULL : first;
}

static int run_diff(const nytp_call *call) {
    nytp_error e = {0};
    int status = NYTP_CLI_FINE, is_divided = call->behind && call->behind < call->argc;
    int new = is_divided ? call->behind : 1, old = call->argc - new;
    if (!is_divided && call->argc != 2)
        return nytp_cli_usage("diff: expected OLD and NEW, or OLD... -- NEW..., got %d files", call->argc);
    if (old > NYTP_COMPARED_MOST || new > NYTP_COMPARED_MOST)
        return nytp_cli_usage("diff: expected %d files of a side at most", NYTP_COMPARED_MOST);
    const given files = {call->argv, {(uint32_t)old, (uint32_t)new}};
    const kind *k = kind_of_all(call->argv, call->argc, &e);
    if (k) check_options(k, call->values, &e);
    if (k && !e.code) status = k->diff(&files, call->values, &e);
    if (!e.code) return status;
    nytp_screen_end();
    return e.code == NYTP_USAGE ? nytp_cli_usage("%s", e.text) : nytp_cli_failure(&e);
}

const nytp_verb nytp_diff_verb = {
    .name = "diff",
    .task = NYTP_TASK_COMPARE,
    .is_long = 1,
    .arguments = "[OPTIONS] OLD NEW, or OLD... -- NEW...",
    .summary = "compares two profiles or two builds: what changed",
    .args = args,
    .run = run_diff,
};
