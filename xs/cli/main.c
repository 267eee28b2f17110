/* SPDX-License-Identifier: MIT */
/* main.c - the nytprof command: finds the verb and runs it. */
#include <errno.h>
#include <stdio.h>
#include <string.h>

#include "cli/verbs.h"

static int is_one_of(const char *word, const char *a, const char *b) {
    return strcmp(word, a) == 0 || strcmp(word, b) == 0;
}

static int help(char *name) {
    char *argv[] = {"help", name, NULL};
    nytp_verb v = nytp_verbs_find("help");
    return nytp_verbs_run(&v, name ? 2 : 1, argv);
}

static int run(int argc, char **argv) {
    char *name = argc > 1 ? argv[1] : "help";
    if (is_one_of(name, "--version", "-V") || strcmp(name, "version") == 0) {
        puts("nytprof " NYTP_VERSION);
        return NYTP_CLI_FINE;
    }
    if (is_one_of(name, "--help", "-h")) return help(argc > 2 ? argv[2] : NULL);
    if (*name == '-') return nytp_cli_usage("unknown option %s", name);
    nytp_verb v = nytp_verbs_find(name);
    if (!v.name) return help(name);
    return argc > 1 ? nytp_verbs_run(&v, argc - 1, argv + 1) : help(NULL);
}

/* A failed write to standard output must not look like a success. */
int main(int argc, char **argv) {
    int status = run(argc, argv);

    if (fclose(stdout) == 0 || status) return status;
    fprintf(stderr, "nytprof: standard output: %s\n", strerror(errno));
    return NYTP_CLI_FAILURE;
}
