/* SPDX-License-Identifier: MIT */
/* browser.c - shows a page in a web browser. */
#include "cli/browser.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/wait.h>
#include <unistd.h>

#include "cli/print.h"

#define WORDS 30 /* in a command */

/* Runs a command, which is split at blanks in place. Returns 1 if it exits with 0. */
static int run(char *command, const char *page) {
    const char *words[WORDS + 2] = {NULL};
    int n = 0, has_page = 0, status = -1;
    char *save = NULL;
    for (char *word = strtok_r(command, " ", &save); word && n < WORDS; word = strtok_r(NULL, " ", &save)) {
        int is_page = strcmp(word, "%s") == 0;
        words[n++] = is_page ? page : word;
        has_page |= is_page;
    }
    if (!n) return 0;
    if (!has_page) words[n] = page;
    pid_t child = fork();
    if (child == 0) {
        execvp(words[0], (char **)(void *)words);
        _exit(127);
    }
    return child > 0 && waitpid(child, &status, 0) == child && WIFEXITED(status) && WEXITSTATUS(status) == 0;
}

/* Tries commands separated by colons. */
static int run_one_of(const char *commands, const char *page) {
    char *copy = strdup(commands), *save = NULL;
    int shown = 0;
    for (char *each = copy ? strtok_r(copy, ":", &save) : NULL; each && !shown; each = strtok_r(NULL, ":", &save))
        shown = run(each, page);
    free(copy);
    return shown;
}

void nytp_cli_browser_open(const char *page) {
    const char *own = getenv("BROWSER");
    if (own && run_one_of(own, page)) return;
#ifdef __APPLE__
    if (run_one_of("open", page)) return;
#endif
    if (run_one_of("xdg-open:sensible-browser:x-www-browser", page)) return;
    nytp_print_message("no browser could be started (is BROWSER set?); the report is in %s", page);
}
