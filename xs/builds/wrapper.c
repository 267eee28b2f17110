/* SPDX-License-Identifier: MIT */
/* wrapper.c - the program sh: takes the place of a shell, or of any program in PATH, and notes its run.
 *
 * It becomes the program of its own name. As `sh` that is /bin/sh; with another name, or where /bin/sh is this file, it
 * is what PATH has behind this file. Without the variable of a build it does so by exec. In a build it starts the
 * program, passes signals on, notes its end, and ends in the same way. */
#include <errno.h>
#include <limits.h>
#include <signal.h>
#include <stdlib.h>
#include <string.h>
#include <sys/auxv.h>
#include <sys/prctl.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <unistd.h>

#include "base/stopped.h"
#include "capture/guest.h"

extern char **environ;

#define CANNOT_FIND 127 /* exit statuses, as shells have them */
#define CANNOT_RUN 126

static volatile pid_t child; /* for the handler */

/* ---- the program ---- */

static void complain(const char *name, const char *what) {
    const char *const parts[] = {name, ": ", what, "\n"};
    for (size_t i = 0; i < sizeof parts / sizeof *parts; i++)
        if (write(STDERR_FILENO, parts[i], strlen(parts[i])) < 0) return;
}

static int is_same(const struct stat *a, const struct stat *b) {
    return a->st_dev == b->st_dev && a->st_ino == b->st_ino;
}

static int is_program(const char *path, struct stat *st) {
    return stat(path, st) == 0 && S_ISREG(st->st_mode) && access(path, X_OK) == 0;
}

/* The first program of that name in PATH behind the last place where this file has it: two such files in PATH never
 * call each other in turns. */
static int search(const char *name, const struct stat *own, char found[PATH_MAX]) {
    const char *path = getenv("PATH");
    struct stat st;
    int is_found = 0;
    for (const char *at = path ? path : "/usr/bin:/bin"; at; at = strchr(at, ':') ? strchr(at, ':') + 1 : NULL) {
        size_t n = strcspn(at, ":"), length = strlen(name);
        char candidate[PATH_MAX];
        if (n + length + 3 > sizeof candidate) continue;
        memcpy(candidate, n ? at : ".", n ? n : 1);
        candidate[n ? n : 1] = '/';
        memcpy(candidate + (n ? n : 1) + 1, name, length + 1);
        if (!is_program(candidate, &st)) continue;
        if (is_same(&st, own)) is_found = 0;
        else if (!is_found) is_found = 1, memcpy(found, candidate, sizeof candidate);
    }
    return is_found;
}

static int find(const char *name, char found[PATH_MAX]) {
    struct stat own, shell;
    if (stat("/proc/self/exe", &own)) return 0;
    if (strcmp(name, "sh") != 0) return search(name, &own, found);
    memcpy(found, "/bin/sh", sizeof "/bin/sh");
    return (is_program(found, &shell) && !is_same(&shell, &own)) || search(name, &own, found);
}

static int run_status(int number) { return number == ENOENT ? CANNOT_FIND : CANNOT_RUN; }

/* ---- signals ---- */

static const int passed_on[] = {SIGHUP,  SIGINT,  SIGQUIT,  SIGTERM, SIGALRM, SIGUSR1, SIGUSR2, SIGPIPE,
                                SIGXCPU, SIGPROF, SIGWINCH, SIGTSTP, SIGTTIN, SIGTTOU, SIGCONT};

#define PASSED_ON (sizeof passed_on / sizeof *passed_on)

static void pass_on(int number, siginfo_t *info, void *context) {
    int saved = errno;
    (void)context;
    if (info->si_code <= 0) kill(child, number); /* a process sent it; the terminal's reach the child directly */
    errno = saved;
}

static void listen_for_signals(void) {
    struct sigaction action = {.sa_flags = SA_SIGINFO | SA_RESTART}, before;
    action.sa_sigaction = pass_on;
    for (size_t i = 0; i < PASSED_ON; i++)
        if (!sigaction(passed_on[i], NULL, &before) && before.sa_handler == SIG_DFL)
            sigaction(passed_on[i], &action, NULL);
}

/* Ends as the child did. */
static int end_like(int status) {
    struct rlimit none = {0, 0};
    sigset_t just;
    if (!WIFSIGNALED(status)) return WEXITSTATUS(status);
    setrlimit(RLIMIT_CORE, &none);
    signal(WTERMSIG(status), SIG_DFL);
    sigemptyset(&just);
    sigaddset(&just, WTERMSIG(status));
    sigprocmask(SIG_UNBLOCK, &just, NULL);
    raise(WTERMSIG(status));
    return 128 + WTERMSIG(status);
}

/* ---- the run ---- */

/* With vfork, as a child is to ignore the ends of its own children if this process was told so, and this process must
 * not. Returns the errno of a failure. */
static int start(const char *path, char **argv, const sigset_t *mask, int ignores_ends) {
    volatile int failure = 0;
    pid_t its = vfork();
    if (its == 0) {
        prctl(PR_SET_PDEATHSIG, SIGKILL); /* kill -9 of this process is one of the program's */
        if (ignores_ends) signal(SIGCHLD, SIG_IGN);
        sigprocmask(SIG_SETMASK, mask, NULL);
        execve(path, argv, environ);
        failure = errno;
        _exit(CANNOT_RUN);
    }
    if (its < 0) return errno;
    child = its;
    return failure;
}

static void add_time(struct timeval *to, struct timeval more) {
    to->tv_sec += more.tv_sec + (to->tv_usec + more.tv_usec) / 1000000;
    to->tv_usec = (to->tv_usec + more.tv_usec) % 1000000;
}

static void add_orphan(struct rusage *orphans, const struct rusage *its) {
    add_time(&orphans->ru_utime, its->ru_utime);
    add_time(&orphans->ru_stime, its->ru_stime);
}

/* What the child has used, and orphans of it that have ended by then. The others go on. While the child is stopped,
 * this process is. */
static int wait_for_child(struct rusage *used) {
    struct rusage its, orphans = {0};
    int status = 0;
    for (;;) {
        pid_t found = wait4(-1, &status, WUNTRACED, used);
        if (found < 0 && errno != EINTR) return -1;
        if (found > 0 && WIFSTOPPED(status)) {
            if (found == child) nytp_stopped_follow(child, WSTOPSIG(status));
        } else if (found == child) {
            break;
        } else if (found > 0) {
            add_orphan(&orphans, used);
        }
    }
    while (wait4(-1, NULL, WNOHANG, &its) > 0) add_orphan(&orphans, &its);
    add_orphan(used, &orphans);
    for (size_t i = 0; i < PASSED_ON; i++) { /* its number may become that of another process */
        struct sigaction action;
        if (!sigaction(passed_on[i], NULL, &action) && action.sa_flags & SA_SIGINFO) signal(passed_on[i], SIG_DFL);
    }
    return status;
}

static int run(nytp_guest *g, const char *path, char **argv) {
    char variable[NYTP_GUEST_ROOM];
    struct sigaction ends;
    struct rusage used = {0};
    sigset_t all, mask;
    uint64_t began = nytp_guest_now();
    if (nytp_guest_spell(variable, g, began)) putenv(variable);
    int ignores_ends = !sigaction(SIGCHLD, NULL, &ends) && ends.sa_handler == SIG_IGN;
    if (ignores_ends) signal(SIGCHLD, SIG_DFL);
    prctl(PR_SET_CHILD_SUBREAPER, 1);
    sigfillset(&all);
    sigprocmask(SIG_BLOCK, &all, &mask);
    int failure = start(path, argv, &mask, ignores_ends);
    if (!failure) listen_for_signals();
    sigprocmask(SIG_SETMASK, &mask, NULL);
    if (failure) {
        complain(argv[0], strerror(failure));
        return run_status(failure);
    }
    nytp_guest_began(g, &(nytp_guest_process){(uint64_t)child, began, argv, environ});
    int status = wait_for_child(&used);
    nytp_guest_ended(g, (uint64_t)child, began, status, &used, 1);
    return end_like(status);
}

int main(int argc, char **argv) {
    static char path[PATH_MAX];
    const char *slash = argc ? strrchr(argv[0], '/') : NULL, *name = slash ? slash + 1 : argc ? argv[0] : "";
    nytp_guest g;
    name += *name == '-'; /* a login shell */
    if (!*name || !find(name, path)) {
        complain(name, "not found behind this program in PATH");
        return CANNOT_FIND;
    }
    if (slash) argv[0] = path;
    if (!getauxval(AT_SECURE) && nytp_guest_begin(&g, getenv(NYTP_GUEST_VARIABLE))) {
        g.program = name;
        g.recorder = "wrapper " NYTP_VERSION;
        return run(&g, path, argv);
    }
    execve(path, argv, environ);
    complain(argv[0], strerror(errno));
    return run_status(errno);
}
