/* SPDX-License-Identifier: MIT */
/* output.c - permissions, and an output file under a temporary name until it is whole. */
#include "cli/output.h"

#include <fcntl.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

uint32_t nytp_cli_mode(const nytp_arg_value *option, const char *const *paths, uint32_t n) {
    mode_t mask = umask(077), mode = 0666;
    struct stat st;
    umask(mask);
    if (option->given) return (uint32_t)option->number;
    for (uint32_t i = 0; i < n; i++) {
        int is_there = strcmp(paths[i], "-") == 0 ? !fstat(STDIN_FILENO, &st) : !stat(paths[i], &st);
        mode &= is_there && S_ISREG(st.st_mode) ? st.st_mode : NYTP_CLI_PRIVATE;
    }
    return (uint32_t)(mode & ~mask);
}

/* The name of the file that is being written, or NULL: for the signal handler, which removes it and has no argument for
 * it. */
static const char *volatile unfinished;

static void remove_unfinished(int number) {
    if (unfinished) unlink(unfinished);
    raise(number); /* takes effect when the handler returns, which is reset (SA_RESETHAND) */
}

/* Ignored signals, as under nohup, stay ignored. */
static void watch(const char *name) {
    static const int ends[] = {SIGHUP, SIGINT, SIGTERM};
    struct sigaction remove = {.sa_handler = remove_unfinished, .sa_flags = SA_RESETHAND}, before;
    unfinished = name;
    for (size_t i = 0; i < sizeof ends / sizeof *ends; i++)
        if (!sigaction(ends[i], NULL, &before) && before.sa_handler == SIG_DFL) sigaction(ends[i], &remove, NULL);
}

int nytp_cli_output_begin(nytp_cli_output *o, const char *path, uint32_t mode, nytp_error *e) {
    size_t room = strlen(path) + sizeof ".new.18446744073709551615";
    struct stat st;
    int fd;
    *o = (nytp_cli_output){.path = path};
    if (stat(path, &st) == 0 && !S_ISREG(st.st_mode)) {
        fd = open(path, O_WRONLY | O_CLOEXEC | O_NOCTTY);
    } else {
        o->temporary = malloc(room);
        if (!o->temporary) return nytp_error_set(e, NYTP_NOMEM, "out of memory"), -1;
        snprintf(o->temporary, room, "%s.new.%ld", path, (long)getpid());
        unlink(o->temporary);
        watch(o->temporary);
        fd = open(o->temporary, O_WRONLY | O_CREAT | O_EXCL | O_NOFOLLOW | O_CLOEXEC, NYTP_CLI_PRIVATE);
        if (fd >= 0) (void)fchmod(fd, mode); /* without effect where all files have the same permissions */
    }
    if (fd >= 0) return fd;
    nytp_error_sys(e, "cannot write %s", path);
    unfinished = NULL;
    free(o->temporary);
    return -1;
}

void nytp_cli_output_end(nytp_cli_output *o, nytp_error *e) {
    if (!o->temporary) return;
    if (!e->code && rename(o->temporary, o->path)) nytp_error_sys(e, "cannot rename a file to %s", o->path);
    if (e->code) unlink(o->temporary);
    unfinished = NULL;
    free(o->temporary);
}
