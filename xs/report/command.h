/* SPDX-License-Identifier: MIT */
/* command.h - which program a command of a build is about. */
#ifndef NYTP_REPORT_COMMAND_H
#define NYTP_REPORT_COMMAND_H

#include "base/buf.h"
#include "model/processes.h"

/* Appends a command as a text: that behind -c of a shell, else all arguments with blanks between them. */
void nytp_command_text(nytp_buf *out, nytp_str arguments);

/* Whether the program of a command is make or ninja, which start the processes of a build. -1 for want of memory. */
int nytp_command_is_builder(nytp_str arguments);

/* The first program in such a text that does the work: behind cd, assignments, tests, words of the shell, and programs
 * that run others (ccache, libtool, env, nice, time). Without its directory; empty if there is none. Borrowed. */
nytp_str nytp_command_program(nytp_str text);

/* What a list shows of a process. */
typedef struct nytp_command_label {
    char text[200]; /* target and command: printable characters, cut where the room ends */
    char directory[100];
    int32_t failed; /* 1: for want of memory it is not whole, which fails what it is put into */
} nytp_command_label;

void nytp_command_describe(nytp_command_label *label, const nytp_built *process);

/* Appends it, to the end of the line. */
void nytp_command_put(nytp_buf *out, const nytp_command_label *label);

static inline double nytp_command_seconds(const nytp_built *process) {
    return nytp_seconds_between(process->began, process->ended);
}

static inline double nytp_command_cpu(const nytp_built *process) { /* seconds, with children */
    return 1e-6 * ((double)process->used.user_us + (double)process->used.system_us);
}

#endif
