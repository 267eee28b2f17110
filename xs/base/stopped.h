/* SPDX-License-Identifier: MIT */
/* stopped.h - what a process does whose child has been stopped, if it stands for that child before a shell. */
#ifndef NYTP_STOPPED_H
#define NYTP_STOPPED_H

#include <sys/types.h>

/* Stops this process by the signal that has stopped the child, and returns when it is told to go on, or at once if the
 * child goes on already. A SIGSTOP stops this process only if it leads a job of a shell, which looks at it: others that
 * stop the child in this way know the child, and continue only that. */
void nytp_stopped_follow(pid_t child, int number);

#endif
