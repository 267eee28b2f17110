/* SPDX-License-Identifier: MIT */
/* stopped.c - what a process does whose child has been stopped, if it stands for that child before a shell. */
#include "base/stopped.h"

#include <signal.h>
#include <sys/wait.h>
#include <unistd.h>

static int goes_on(pid_t child) {
    siginfo_t info = {0};
    return !waitid(P_PID, (id_t)child, &info, WCONTINUED | WNOHANG) && info.si_pid == child;
}

void nytp_stopped_follow(pid_t child, int number) {
    struct sigaction plain = {.sa_handler = SIG_DFL}, before;
    sigset_t just, mask;
    if ((number == SIGSTOP && getpgrp() != getpid()) || goes_on(child)) return;
    sigemptyset(&just);
    sigaddset(&just, number);
    sigaction(number, &plain, &before); /* fails for SIGSTOP, which has no handlers */
    sigprocmask(SIG_UNBLOCK, &just, &mask);
    raise(number);
    sigprocmask(SIG_SETMASK, &mask, NULL);
    if (number != SIGSTOP) sigaction(number, &before, NULL);
}
