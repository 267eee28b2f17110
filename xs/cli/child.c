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

#include "base/stopped.h"

/* Where the kernel has no such ties between processes, there are none. */
#ifdef __linux__
#include <sys/prctl.h>
static void adopt_orphans(void) { prctl(PR_SET_CHILD_SUBREAPER, 1); }
static void die_with_parent(void) { prctl(PR_SET_PDEATHSIG, SIGKILL); }
#else
static void adopt_orphans(void) {}
static void die_with_parent(void) {}
#endif

/* For the signal handler, which has no argument for it. Signals are blocked until it is set. */
static volatile pid_t child;

static const int passed_on[] = {SIGHUP,  SIGINT,   SIGQUIT, SIGTERM, SIGALRM, SIGUSR1,
                                SIGUSR2, SIGWINCH, SIGTSTP, SIGTTIN, SIGTTOU, SIGCONT};

#define PASSED_ON (sizeof passed_on / sizeof *passed_on)

static void pass_on(int number, siginfo_t *info, void *context) {
    int saved = errno;
    (void)context;
    if (info->si_code <= 0) kill(child, number); /* a process sent it; the terminal's reach the child directly */
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

/* What the program gets as we have got it. */
typedef struct inherited {
    sigset_t mask;
    struct sigaction ends; /* of children */
} inherited;

/* Runs the program. The pipe `report` closes on success, or carries the errno of the failure. */
static void become(const nytp_child_owner *owner, const char *const *argv, const inherited *from, int report) {
    if (owner->is_in_place) die_with_parent();
    sigaction(SIGCHLD, &from->ends, NULL);
    sigprocmask(SIG_SETMASK, &from->mask, NULL);
    execvp(argv[0], (char *const *)(uintptr_t)argv);
    int reason = errno;
    if (write(report, &reason, sizeof reason) < 0) reason = EIO;
    _exit(127);
}

static int begin(const nytp_child_owner *owner, const char *const *argv, const inherited *from) {
    int ends[2], reason = 0;
    if (pipe(ends) || fcntl(ends[0], F_SETFD, FD_CLOEXEC) || fcntl(ends[1], F_SETFD, FD_CLOEXEC)) return errno;
    child = fork();
    if (child == 0) become(owner, argv, from, ends[1]);
    if (child < 0) reason = errno;
    close(ends[1]);
    if (child > 0 && read(ends[0], &reason, sizeof reason) < 0) reason = errno;
    close(ends[0]);
    return reason;
}

/* Orphans that are ours are no zombies longer than they would be init's. While the child is stopped, this process is.
 * Returns 0 when the child has ended. */
static int wait_for(int *status) {
    for (;;) {
        pid_t found = waitpid(-1, status, WUNTRACED);
        if (found < 0 && errno != EINTR) return -1;
        if (found != child) continue;
        if (!WIFSTOPPED(*status)) return 0;
        nytp_stopped_follow(child, WSTOPSIG(*status));
    }
}

int nytp_child_run_for(const nytp_child_owner *owner, const char *const *argv, nytp_error *e) {
    inherited from;
    sigset_t all;
    int status = 0;
    if (owner->is_in_place) adopt_orphans();
    sigfillset(&all);
    sigprocmask(SIG_BLOCK, &all, &from.mask);
    sigaction(SIGCHLD, &(struct sigaction){.sa_handler = SIG_DFL}, &from.ends); /* ignored there would be no status */
    errno = begin(owner, argv, &from);
    if (errno) {
        nytp_error_sys(e, "%s: cannot run %s", owner->verb, argv[0]);
    } else {
        listen_for_signals();
        if (owner->begun) owner->begun(owner->context, (uint64_t)child);
    }
    sigprocmask(SIG_SETMASK, &from.mask, NULL);
    if (!e->code && wait_for(&status)) nytp_error_sys(e, "%s: cannot wait for %s", owner->verb, argv[0]);
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
