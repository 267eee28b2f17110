/* SPDX-License-Identifier: MIT */
/* after.c - the reports that `nytprof run` and `nytprof attach` make at the end. */
#include "cli/after.h"

#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "cli/choices.h"
#include "cli/verbs.h"

#define NAME 64 /* of a file named after a report */

/* The path for a report: that of the option, or a default; own has room for one that has to be made. */
static const char *path_of(const nytp_choice *c, char own[NAME]) {
    if (c->value->text) return c->value->text;
    if (c->report->task == NYTP_TASK_LOOK) return "-";
    snprintf(own, NAME, "nytprof.%s", c->report->name);
    return own;
}

static const char *skip_here(const char *path) { return strncmp(path, "./", 2) == 0 ? path + 2 : path; }

static int is_same(const char *a, const char *b) { return strcmp(skip_here(a), skip_here(b)) == 0; }

int nytp_after_check(const char *verb, const nytp_arg_value *values, const char *capture) {
    char own[NAME], others[NAME];
    for (nytp_choice c = {0}; nytp_choices_next(&c, values);) {
        const char *path = path_of(&c, own);
        if (is_same(path, capture))
            return nytp_cli_usage("%s: --%s: %s is the file of the profile", verb, c.report->name, path);
        if (!c.report->is_page && strcmp(path, "-") == 0)
            return nytp_cli_usage("%s: --%s: standard output is no directory to write a report to", verb,
                                  c.report->name);
        for (nytp_choice other = c; strcmp(path, "-") != 0 && nytp_choices_next(&other, values);)
            if (is_same(path, path_of(&other, others)))
                return nytp_cli_usage("%s: --%s and --%s: expected two files, got %s for both", verb,
                                      c.report->name, other.report->name, path);
    }
    return NYTP_CLI_FINE;
}

/* Standard output becomes standard error for what the verb prints, unless the option's path is -. */
static int make(const nytp_choice *c, const char **argv, int argc) {
    char own[NAME];
    nytp_verb verb = nytp_verbs_find(c->report->name);
    int is_asked = c->value->text && strcmp(c->value->text, "-") == 0, status;
    int output = is_asked ? -1 : fcntl(STDOUT_FILENO, F_DUPFD_CLOEXEC, STDERR_FILENO + 1);
    if (!is_asked && dup2(STDERR_FILENO, STDOUT_FILENO) < 0) return NYTP_CLI_FAILURE;
    argv[0] = verb.name;
    argv[2] = path_of(c, own);
    status = nytp_verbs_run(&verb, argc, (char **)(uintptr_t)argv);
    fflush(stdout);
    if (output < 0) return status;
    dup2(output, STDOUT_FILENO);
    close(output);
    return status;
}

int nytp_after_report(const nytp_arg_value *values, char *const *captures, size_t n) {
    const char **argv = calloc(n + 5, sizeof *argv);
    int status = argv ? NYTP_CLI_FINE : NYTP_CLI_FAILURE;
    if (!argv) return status;
    argv[1] = "-o";
    argv[3] = "--";
    memcpy(argv + 4, captures, n * sizeof *argv);
    for (nytp_choice c = {0}; nytp_choices_next(&c, values);) {
        int code = make(&c, argv, (int)n + 4);
        if (!status) status = code;
    }
    free(argv);
    return status;
}
