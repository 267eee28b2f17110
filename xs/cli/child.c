/* SPDX-License-Identifier: MIT */
/* child.c - a child process that we wait for. */
#include "cli/child.h"

#include <errno.h>
#include <fcntl.h>
#include <signal.h>
#include <sys/resource.h>
#include <sys/types.h>
#include <sys/wait.h>
#include <unistd.h>

/* For the signal handler, which has no argument for it. Signals are blocked until it is set. */
static volatile pid_t child;

static const int passed_on[] = {SIGHUP, SIGINT, SIGQUIT, SIGTERM, SIGALRM, SIGUSR1, SIGUSR2, SIGWINCH};

#define PASSED_ON (sizeof passed_on / sizeof *passed_on)

static void pass_on(int number, siginfo_t *info, void *context) {
    int saved = errno;
    (void)context;
    if (info->si_code <= 0) kill(child, number); /* a process sent it */
    errno = saved;
}

/* Ignored signals, as under nohup, stay ignored, also in the child. */
static void listen_for_signals(void) {
    struct sigaction action = {.sa_flags = SA_SIGINFO | SA_RESTART}, before;
    action.sa_sigaction = pass_on;
    for (size_t i = 0; i < PASSED_ON; i++)
        if (!sigaction(passed_on[i], NULL, &before) && before.sa_handler == SIG_DFL)
            sigaction(passed_on[i], &action, NULL);
}

/* Signals are our own again, as the child's number may be that of another process. */
static void stop_listening(void) {
    struct sigaction action;
    for (size_t i = 0; i < PASSED_ON; i++)
        if (!sigaction(passed_on[i], NULL, &action) && action.sa_flags & SA_SIGINFO && action.sa_sigaction == pass_on)
            signal(passed_on[i], SIG_DFL);
}

/* Runs the program. The pipe `report` closes on success, or carries the errno of the failure. */
static void become(const char *const *argv, const sigset_t *mask, int report) {
    sigprocmask(SIG_SETMASK, mask, NULL);
    execvp(argv[0], (char *const *)(uintptr_t)argv);
    int reason = errno;
    if (write(report, &reason, sizeof reason) < 0) reason = EIO;
    _exit(127);
}

static int begin(const char *const *argv, const sigset_t *mask) {
    int ends[2], reason = 0;
    if (pipe(ends) || fcntl(ends[1], F_SETFD, FD_CLOEXEC)) return errno;
    child = fork();
    if (child == 0) become(argv, mask, ends[1]);
    if (child < 0) reason = errno;
    close(ends[1]);
    if (child > 0 && read(ends[0], &reason, sizeof reason) < 0) reason = errno;
    close(ends[0]);
    return reason;
}

int nytp_child_run_for(const nytp_child_owner *owner, const char *const *argv, nytp_error *e) {
    sigset_t all, mask;
    int status = 0;
    sigfillset(&all);
    sigprocmask(SIG_BLOCK, &all, &mask);
    errno = begin(argv, &mask);
    if (errno) {
        nytp_error_sys(e, "%s: cannot run %s", owner->verb, argv[0]);
    } else {
        listen_for_signals();
        if (owner->begun) owner->begun(owner->context, (uint64_t)child);
    }
    sigprocmask(SIG_SETMASK, &mask, NULL);
    while (!e->code && waitpid(child, &status, 0) < 0)
        if (errno != EINTR) nytp_error_sys(e, "%s: cannot wait for %s", owner->verb, argv[0]);
    stop_listening();
    return e->code ? -1 : status;
}

int nytp_child_run(const char *const *argv, nytp_error *e) {
    return nytp_child_run_for(&(nytp_child_owner){.verb = "run"}, argv, e);
}

void nytp_child_die(int number) {
    struct rlimit none = {0, 0};
    sigset_t just;
    setrlimit(RLIMIT_CORE, &none);
    signal(number, SIG_DFL);
    sigemptyset(&just);
    sigaddset(&just, number);
    sigprocmask(SIG_UNBLOCK, &just, NULL);
    raise(number);
}
