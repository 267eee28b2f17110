/* SPDX-License-Identifier: MIT */
/* cmd_diff.c - `nytprof diff`: what differs between two files of one kind. A kind is a row of a table. */
#include <stdio.h>
#include <string.h>
#include <unistd.h>

#include "cli/classes.h"
#include "cli/cli.h"
#include "cli/screen.h"
#include "report/changes.h"
#include "report/text.h"

enum { CLASSES, SORT, TOP };

static const nytp_arg args[] = {
    [CLASSES] = NYTP_ARGS_CLASSES,
    [SORT] = {.name = "sort", .kind = NYTP_ARG_WORD, .value = "KEY", .words = "real user system n blocks",
              .fallback = "real", .help = "the value whose largest changes come first"},
    [TOP] = {.name = "top", .letter = 'n', .kind = NYTP_ARG_NUMBER, .value = "N", .least = 1, .most = 1000000,
             .fallback = "20", .help = "rows of each table"},
    {0},
};

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

static void put_table(nytp_buf *out, const side *sides, uint32_t schema, enum nytp_changes_of of, const char *title,
                      const nytp_arg_value *v) {
    nytp_changes c = {0};
    int failed = 0;
    for (int i = 0; i < 2; i++)
        failed |= nytp_changes_add(&c, i, &sides[i].build, &sides[i].classes.lists[schema], of) != NYTP_OK;
    if (!failed) failed = nytp_changes_sort(&c, value_of(v[SORT].text));
    if (!failed && c.n) nytp_changes_put(out, &c, title, (uint32_t)v[TOP].number);
    out->failed |= failed;
    nytp_changes_free(&c);
}

static void print(const side *sides, const nytp_arg_value *v, nytp_error *e) {
    nytp_buf out = {0};
    char title[100];
    uint32_t schemata = v[CLASSES].given ? sides[0].classes.n : 1; /* the usual second one has directories, too */
    nytp_changes_put_whole(&out, &sides[0].build, &sides[1].build);
    for (uint32_t i = 0; i < schemata; i++) {
        nytp_str name = sides[0].classes.lists[i].name;
        snprintf(title, sizeof title, "%.*s", (int)(name.n < 60 ? name.n : 60), name.p);
        put_table(&out, sides, i, NYTP_CHANGES_CLASS, title, v);
    }
    put_table(&out, sides, 0, NYTP_CHANGES_TARGET, "TARGET", v);
    put_table(&out, sides, 0, NYTP_CHANGES_DIRECTORY, "DIRECTORY", v);
    if (out.failed) nytp_error_set(e, NYTP_NOMEM, "out of memory");
    else if (fwrite(out.p, 1, out.n, stdout) != out.n || fflush(stdout)) nytp_error_sys(e, "standard output");
    nytp_buf_free(&out);
}

static void diff_builds(char *const *paths, const nytp_arg_value *v, nytp_error *e) {
    side sides[2] = {0};
    nytp_schemata *rules = nytp_cli_classes_read("diff", v[CLASSES].text, e);
    for (int i = 0; i < 2 && !e->code; i++)
        if (!nytp_build_load(&sides[i].build, paths[i], e) &&
            nytp_classes_make(&sides[i].classes, rules, &sides[i].build))
            nytp_error_set(e, NYTP_NOMEM, "out of memory");
    if (!e->code) print(sides, v, e);
    for (int i = 0; i < 2; i++) {
        nytp_classes_free(&sides[i].classes);
        nytp_build_free(&sides[i].build);
    }
    nytp_schemata_free(rules);
}

/* ---- kinds of files ---- */

typedef struct kind {
    const char *title;
    int (*is)(const char *path, nytp_error *e);
    void (*diff)(char *const *paths, const nytp_arg_value *v, nytp_error *e);
} kind;

static const kind kinds[] = {
    {"the capture of a build", nytp_build_is, diff_builds},
};

/* NULL with e set. */
static const kind *kind_of(const char *path, nytp_error *e) {
    for (size_t i = 0; i < sizeof kinds / sizeof *kinds; i++)
        if (kinds[i].is(path, e)) return &kinds[i];
    if (!e->code && access(path, R_OK)) nytp_error_sys(e, "diff: %s", path);
    nytp_error_set(e, NYTP_FORMAT, "diff: %s: expected the capture of a build", path);
    return NULL;
}

static int run_diff(const nytp_call *call) {
    nytp_error e = {0};
    if (call->argc != 2) return nytp_cli_usage("diff: expected OLD and NEW, got %d files", call->argc);
    const kind *old = kind_of(call->argv[0], &e), *new = old ? kind_of(call->argv[1], &e) : NULL;
    if (new && new != old)
        nytp_error_set(&e, NYTP_FORMAT, "diff: %s is %s, and %s is %s: expected two of one kind", call->argv[0],
                       old->title, call->argv[1], new->title);
    if (!e.code) old->diff(call->argv, call->values, &e);
    if (!e.code) return NYTP_CLI_FINE;
    nytp_screen_end();
    return e.code == NYTP_USAGE ? nytp_cli_usage("%s", e.text) : nytp_cli_failure(&e);
}

const nytp_verb nytp_diff_verb = {
    .name = "diff",
    .task = NYTP_TASK_COMPARE,
    .is_long = 1,
    .arguments = "[OPTIONS] OLD NEW",
    .summary = "compares two builds: what took more, what less, what is new",
    .args = args,
    .run = run_diff,
};
