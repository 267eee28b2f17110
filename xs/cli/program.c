/* SPDX-License-Identifier: MIT */
/* program.c - finds the interpreter of a program: by its name, its #! line or its extension. */
#include "cli/program.h"

#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "cli/interpreters.h"

#define BLANKS " \t\r"

static const char *basename_of(const char *path) {
    const char *slash = strrchr(path, '/');
    return slash ? slash + 1 : path;
}

static int is_file(const char *path) {
    struct stat st;
    return stat(path, &st) == 0 && S_ISREG(st.st_mode);
}

int nytp_program_in_path(const char *name, char *found, size_t room) {
    const char *path = getenv("PATH");
    for (const char *at = path ? path : "/usr/bin:/bin"; at; at = strchr(at, ':') ? strchr(at, ':') + 1 : NULL) {
        int n = (int)strcspn(at, ":");
        int length = snprintf(found, room, "%.*s%s%s", n, at, n ? "/" : "", name);
        if (length > 0 && (size_t)length < room && is_file(found) && access(found, X_OK) == 0) return 1;
    }
    return 0;
}

/* Cuts off the first word of text; *rest is the remainder without blanks around it. */
static char *cut_word(char *text, char **rest) {
    char *word = text + strspn(text, BLANKS);
    char *end = word + strcspn(word, BLANKS);
    *rest = end + strspn(end, BLANKS);
    *end = 0;
    return word;
}

/* "#!/usr/bin/perl -w", also with env. The text behind the interpreter is one argument, as for the kernel. */
static void read_first_line(nytp_program *p, const char *path) {
    int fd = open(path, O_RDONLY | O_CLOEXEC | O_NOCTTY);
    ssize_t n = fd < 0 ? 0 : read(fd, p->line, sizeof p->line - 1);
    char *rest, *word, *end;
    if (fd >= 0) close(fd);
    p->line[n > 0 ? n : 0] = 0;
    if (strncmp(p->line, "#!", 2) != 0 || !(end = strchr(p->line, '\n'))) return;
    while (strchr(BLANKS, end[-1])) end--;
    *end = 0;
    word = cut_word(p->line + 2, &rest);
    if (strcmp(basename_of(word), "env") == 0) word = cut_word(rest, &rest);
    if (strcmp(word, "-S") == 0) word = cut_word(rest, &rest);
    p->interpreter = nytp_interpreters_named(word);
    p->words[0] = word;
    p->words[1] = rest;
    p->words_n = *rest ? 2 : 1;
}

static void guess_by_extension(nytp_program *p, const char *name) {
    char found[NYTP_PROGRAM_PATH];
    p->interpreter = nytp_interpreters_of_suffix(name);
    if (!p->interpreter) return;
    p->words_n = 1;
    p->words[0] = p->interpreter->names[0];
    for (const char *const *command = p->interpreter->commands; *command; command++)
        if (nytp_program_in_path(*command, found, sizeof found)) {
            p->words[0] = *command;
            return;
        }
}

/* A #! line counts more than the name: an interpreter of another language makes it another program. */
static void examine(nytp_program *p, const char *path, const char *name) {
    p->words_n = 0;
    p->script = NULL;
    p->interpreter = nytp_interpreters_named(name);
    if (!p->interpreter) {
        read_first_line(p, path);
        if (p->words_n == 0) guess_by_extension(p, path);
        if (p->interpreter) p->script = path;
    }
    if (p->script) return;
    p->words[0] = name;
    p->words_n = 1;
}

int nytp_program_find(nytp_program *p, const char *name, nytp_error *e) {
    int has_slash = strchr(name, '/') != NULL, found = is_file(name);
    p->interpreter = NULL;
    if (found) examine(p, name, name);
    if (!has_slash && !(found && p->script)) {
        found = nytp_program_in_path(name, p->path, sizeof p->path);
        if (found) examine(p, p->path, name);
    }
    if (!found && has_slash) return nytp_error_set(e, NYTP_USAGE, "run: %s: no such program file", name);
    if (!found) return nytp_error_set(e, NYTP_USAGE, "run: %s: no such program, neither here nor in PATH", name);
    return NYTP_OK;
}
