/* SPDX-License-Identifier: MIT */
/* main.c - the nytprof command: finds the verb and runs it. */
#include <errno.h>
#include <stdio.h>
#include <string.h>

#include "cli/help.h"
#include "cli/verbs.h"

static int help(const char *name) {
    nytp_verb v = nytp_verbs_find(name);
    if (!v.name) return nytp_cli_usage("no verb '%s'", name);
    nytp_help_verb(&v);
    return NYTP_CLI_FINE;
}

static int help_all(void) {
    nytp_help_verbs();
    return NYTP_CLI_FINE;
}

static int run(int argc, char **argv) {
    const char *name = argc > 1 ? argv[1] : "help";
    if (strcmp(name, "--version") == 0) {
        puts("nytprof " NYTP_VERSION);
        return NYTP_CLI_FINE;
    }
    if (strcmp(name, "help") == 0 || strcmp(name, "--help") == 0) return argc > 2 ? help(argv[2]) : help_all();
    nytp_verb v = nytp_verbs_find(name);
    if (!v.name || (argc > 2 && strcmp(argv[2], "--help") == 0)) return help(name);
    return nytp_verbs_run(&v, argc - 1, argv + 1);
}

/* A failed write to standard output must not look like a success. */
int main(int argc, char **argv) {
    int status = run(argc, argv);

    if (fclose(stdout) == 0 || status) return status;
    fprintf(stderr, "nytprof: standard output: %s\n", strerror(errno));
    return NYTP_CLI_FAILURE;
}
