/* SPDX-License-Identifier: MIT */
/* program.c - finds the language and interpreter of a program: by its name, its #! line or its extension. */
#include "cli/program.h"

#include <fcntl.h>
#include <limits.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "base/str.h"

#define BLANKS " \t\r"

static const char *basename_of(const char *path) {
    const char *slash = strrchr(path, '/');
    return slash ? slash + 1 : path;
}

static int is_file(const char *path) {
    struct stat st;
    return stat(path, &st) == 0 && S_ISREG(st.st_mode);
}

/* Whether PATH has an executable of that name; its path is left in found. */
static int find_in_path(const char *name, char *found, size_t room) {
    const char *path = getenv("PATH");
    for (const char *at = path ? path : "/usr/bin:/bin"; at; at = strchr(at, ':') ? strchr(at, ':') + 1 : NULL) {
        int n = (int)strcspn(at, ":");
        int length = snprintf(found, room, "%.*s%s%s", n, at, n ? "/" : "", name);
        if (length > 0 && (size_t)length < room && is_file(found) && access(found, X_OK) == 0) return 1;
    }
    return 0;
}

/* Digits and dots, as in perl5.36.0, or nothing. */
static int is_version(const char *text) {
    return text[strspn(text, "0123456789.")] == 0;
}

static int is_lua(const char *name) {
    return strcmp(name, "luajit") == 0 || (strncmp(name, "lua", 3) == 0 && is_version(name + 3));
}

static enum nytp_language language_of(const char *interpreter) {
    const char *name = basename_of(interpreter);
    if (strncmp(name, "perl", 4) == 0 && is_version(name + 4)) return NYTP_LANGUAGE_PERL;
    if (strncmp(name, "ruby", 4) == 0 && is_version(name + 4)) return NYTP_LANGUAGE_RUBY;
    return is_lua(name) ? NYTP_LANGUAGE_LUA : NYTP_LANGUAGE_OTHER;
}

/* Where several Luas are installed `lua` is a link to lua5.4 or the like. */
static int check_lua(const char *interpreter, nytp_error *e) {
    char found[NYTP_PROGRAM_PATH], resolved[PATH_MAX];
    const char *path = strchr(interpreter, '/') ? interpreter
                     : find_in_path(interpreter, found, sizeof found) ? found : "";
    const char *name = basename_of(realpath(path, resolved) && is_lua(basename_of(resolved)) ? resolved : interpreter);
    if (strcmp(name, "lua") == 0 || strcmp(name, "lua5.4") == 0 || strcmp(name, "lua5.3") == 0) return NYTP_OK;
    return nytp_error_set(e, NYTP_USAGE, "run: %s cannot be profiled, expected lua5.4 or lua5.3", name);
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
    p->language = language_of(word);
    p->words[0] = word;
    p->words[1] = rest;
    p->words_n = *rest ? 2 : 1;
}

static void guess_by_extension(nytp_program *p, const char *name) {
    static const char *const perls[] = {".pl", ".PL", ".t"};
    static const char *const luas[] = {"lua5.4", "lua5.3"};
    nytp_str s = nytp_str_c(name);
    p->words_n = 1;
    for (size_t i = 0; i < sizeof perls / sizeof *perls; i++)
        if (nytp_str_ends(s, nytp_str_c(perls[i]))) p->language = NYTP_LANGUAGE_PERL;
    p->words[0] = "perl";
    if (nytp_str_ends(s, NYTP_LIT(".rb"))) {
        p->language = NYTP_LANGUAGE_RUBY;
        p->words[0] = "ruby";
    }
    if (!nytp_str_ends(s, NYTP_LIT(".lua"))) return;
    p->language = NYTP_LANGUAGE_LUA;
    p->words[0] = "lua";
    for (size_t i = sizeof luas / sizeof *luas; i-- > 0;) {
        char found[NYTP_PROGRAM_PATH];
        if (find_in_path(luas[i], found, sizeof found)) p->words[0] = luas[i];
    }
}

/* A #! line counts more than the name: an interpreter of another language makes it another program. */
static void examine(nytp_program *p, const char *path, const char *name) {
    p->words_n = 0;
    p->script = NULL;
    p->language = language_of(name);
    if (p->language == NYTP_LANGUAGE_OTHER) {
        read_first_line(p, path);
        if (p->words_n == 0) guess_by_extension(p, path);
        if (p->language != NYTP_LANGUAGE_OTHER) p->script = path;
    }
    if (p->script) return;
    p->words[0] = name;
    p->words_n = 1;
}

int nytp_program_find(nytp_program *p, const char *name, nytp_error *e) {
    int has_slash = strchr(name, '/') != NULL, found = is_file(name);
    p->language = NYTP_LANGUAGE_OTHER;
    if (found) examine(p, name, name);
    if (!has_slash && !(found && p->script)) {
        found = find_in_path(name, p->path, sizeof p->path);
        if (found) examine(p, p->path, name);
    }
    if (!found && has_slash) return nytp_error_set(e, NYTP_USAGE, "run: %s: no such program file", name);
    if (!found) return nytp_error_set(e, NYTP_USAGE, "run: %s: no such program, neither here nor in PATH", name);
    return p->language == NYTP_LANGUAGE_LUA ? check_lua(p->words[0], e) : NYTP_OK;
}
