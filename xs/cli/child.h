/* SPDX-License-Identifier: MIT */
/* child.h - a child process that we wait for. */
#ifndef NYTP_CLI_CHILD_H
#define NYTP_CLI_CHILD_H

#include "base/error.h"

/* Runs a command, argv ending with NULL, waits for it, and passes on signals that other processes send us meanwhile;
 * those of the terminal reach it directly. Returns waitpid's status, or -1 with the error set if it could not be
 * run. */
int nytp_child_run(const char *const *argv, nytp_error *e);

/* The verb that runs a command, for messages, and what is to know the command's pid as soon as it runs, or NULL. */
typedef struct nytp_child_owner {
    const char *verb;
    void (*begun)(void *context, uint64_t pid);
    void *context;
    int32_t is_in_place; /* 1: orphans of the command are ours, and when SIGKILL ends us it ends the command, too */
} nytp_child_owner;

/* The same for another verb than run. */
int nytp_child_run_for(const nytp_child_owner *owner, const char *const *argv, nytp_error *e);

/* Ends this process by that signal, without a core dump. */
void nytp_child_die(int number);

#endif
