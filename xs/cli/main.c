/* SPDX-License-Identifier: MIT */
/* main.c - the nytprof command: finds the verb and runs it. */
#include <errno.h>
#include <stdio.h>
#include <string.h>

#include "cli/help.h"
#include "cli/plugin.h"
#include "cli/print.h"
#include "cli/screen.h"
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
    if (strcmp(name, "--list") == 0) name = "list";
    if (*name == '-') return nytp_cli_usage("unknown option %s", name);
    nytp_verb v = nytp_verbs_find(name);
    if (!v.name) {
        int status = nytp_plugin_run(name, argc - 2, argv + 2);
        return status < 0 ? nytp_help_unknown(name) : status;
    }
    return argc > 1 ? nytp_verbs_run(&v, argc - 1, argv + 1) : help(NULL);
}

/* A failed write to standard output must not look like a success, unless a reader has closed it. */
int main(int argc, char **argv) {
    nytp_screen_outlive_reader();
    int status = run(argc, argv), has_failed = fflush(stdout) || ferror(stdout);
    int has_reader = nytp_screen_has_reader();

    nytp_screen_end();
    has_failed |= fclose(stdout) != 0;
    if (status || !has_failed || !has_reader) return status;
    nytp_print_message("cannot write standard output: %s", strerror(errno));
    return NYTP_CLI_FAILURE;
}
