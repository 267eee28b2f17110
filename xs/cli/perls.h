/* SPDX-License-Identifier: MIT */
/* perls.h - the perl that runs in another process: where its interpreter is, and where that keeps what is sampled. */
#ifndef NYTP_CLI_PERLS_H
#define NYTP_CLI_PERLS_H

#include <limits.h>
#include <sys/types.h>

#include "base/arena.h"
#include "base/buf.h"
#include "base/error.h"
#include "sample/layout.h"

#define NYTP_PERLS_LIBRARY "libperl.so" /* the file that may have perl begins with this */
#define NYTP_PERLS_OPS 1024 /* layout.slow has so many members; perls with more are refused */

typedef struct nytp_perl {
    pid_t pid;
    int is_stock;         /* 1: the layout is of a table, and not told by that perl */
    int is_elsewhere;     /* 1: its root directory is another one, so names of files are not those of this system */
    nytp_perl_layout layout;
    nytp_perl_at at;
    uint64_t variable;    /* the address of the variable with the interpreter's; 0: that perl has none */
    uint64_t interpreter; /* what it held */
    nytp_str version;     /* "perl 5.36.0" */
    nytp_str *inc;        /* directories of @INC */
    uint32_t inc_n, inc_room;
    nytp_arena arena;     /* owns the strings */
} nytp_perl; /* all zero before it is found */

/* Finds the first interpreter of the process. Its layout is told by that perl itself: its program is run once, to
 * load this profiler's module, as far as that may be done: the program has to be root's or the user's own, and a file
 * of this system, as one of a container may be anything. Where there is no module the layout is that of a stock perl,
 * if the process has one and keeps to the layout. To be freed in any case. Returns an nytp_code with e set: why not,
 * and what can be done. */
enum nytp_code nytp_perls_find(nytp_perl *p, pid_t pid, nytp_error *e);

/* Whether the process still has that interpreter there: it has not ended, or begun another program. Of a perl without a
 * variable for it, whether there still is memory. */
int nytp_perls_is_there(const nytp_perl *p);

void nytp_perls_free(nytp_perl *p);

/* The path of a process's program, as this process sees it. 0, with errno, and an empty path: it is not told. */
int nytp_perls_program(pid_t pid, char path[PATH_MAX]);

/* The script that a perl runs, by its command, cut to the room; -e if it has no file. */
void nytp_perls_script(pid_t pid, char *name, size_t room);

/* 1 if a program of that path is called perl, or perl5.36 and so on. */
int nytp_perls_is_called(const char *path);

#endif
