/* SPDX-License-Identifier: MIT */
/* command.h - which program a command of a build is about. */
#ifndef NYTP_REPORT_COMMAND_H
#define NYTP_REPORT_COMMAND_H

#include "base/buf.h"

/* Appends a command as a text: that behind -c of a shell, else all arguments with blanks between them. */
void nytp_command_text(nytp_buf *out, nytp_str arguments);

/* The first program in such a text that does the work: behind cd, assignments, tests, words of the shell, and programs
 * that run others (ccache, libtool, env, nice, time). Without its directory; empty if there is none. Borrowed. */
nytp_str nytp_command_program(nytp_str text);

#endif
