/* SPDX-License-Identifier: MIT */
/* pusher.c - starts `nytprof push --follow` beside a program. */
#include "cli/pusher.h"

#include <dirent.h>
#include <errno.h>
#include <fcntl.h>
#include <limits.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/wait.h>
#include <unistd.h>

#include "cli/http.h"
#include "cli/receivers.h"

#define ADOPTED (-1) /* in place of an errno: the program would be the parent of orphans, and wait for them */
#define NICENESS 10

enum nytp_code nytp_pusher_check(const nytp_pusher *p, nytp_error *e) {
    nytp_url url;
    nytp_named named = {0};
    nytp_error why = {0};
    const nytp_receiver *to = nytp_http_parse(&url, p->url, &why) ? NULL : nytp_receivers_find(NULL, url.target);
    if (why.code) nytp_error_set(e, NYTP_USAGE, "--push: %s", why.text);
    else if (!to || to->is_experimental)
        nytp_error_set(e, NYTP_USAGE, "--push: %s tells no server that is taken here, expected one of `nytprof push` "
                       "by its path, but otlp", p->url);
    else if (p->labels) nytp_delta_labels(&named, p->labels, e);
    nytp_delta_labels_free(&named);
    return e->code;
}

/* ---- what it runs ---- */

enum { WORDS = 12 };

typedef struct command {
    char path[PATH_MAX], file[PATH_MAX], log[PATH_MAX], pid[24];
    const char *words[WORDS];
} command;

/* Appends to the text; 0: there is no room. */
static int put(char text[PATH_MAX], const char *more) {
    size_t n = strlen(text), m = strlen(more);
    if (n + m >= PATH_MAX) return 0;
    memcpy(text + n, more, m + 1);
    return 1;
}

/* FILE for a process in another directory, and push.FILE.log beside it, which no report takes for one of the captures
 * FILE.*. */
static int name_files(command *c, const char *file) {
    if (*file != '/' && !(getcwd(c->file, sizeof c->file) && put(c->file, "/"))) return 0;
    if (!put(c->file, file)) return 0;
    const char *base = strrchr(c->file, '/') + 1;
    memcpy(c->log, c->file, (size_t)(base - c->file));
    return put(c->log, "push.") && put(c->log, base) && put(c->log, ".log");
}

static int prepare(command *c, const nytp_pusher *p, const char *file) {
    *c = (command){0};
    if (readlink("/proc/self/exe", c->path, sizeof c->path - 1) < 0) return errno;
    if (!name_files(c, file)) return ENAMETOOLONG;
    snprintf(c->pid, sizeof c->pid, "%ld", (long)getpid());
    const char *const first[] = {"nytprof", "push", "--follow", "--while", c->pid};
    size_t n = sizeof first / sizeof *first;
    memcpy(c->words, first, sizeof first);
    if (p->service) c->words[n++] = "--service", c->words[n++] = p->service;
    if (p->labels) c->words[n++] = "--label", c->words[n++] = p->labels;
    c->words[n++] = c->file;
    c->words[n] = p->url;
    return 0;
}

/* ---- its process ---- */

/* All but the first three and one that ends with exec. */
static void close_others(int but) {
    DIR *all = opendir("/proc/self/fd");
    for (struct dirent *entry; all && (entry = readdir(all));) {
        int fd = atoi(entry->d_name);
        if (fd > 2 && fd != but && fd != dirfd(all)) close(fd);
    }
    if (all) closedir(all);
}

/* Standard output and error are the log. Where it cannot be written nothing is said. */
static int open_log(const char *log) {
    int none = open("/dev/null", O_RDWR), said = open(log, O_WRONLY | O_CREAT | O_APPEND | O_NOFOLLOW | O_NOCTTY, 0600);
    if (none < 0 || dup2(none, 0) < 0) return errno;
    for (int fd = 1; fd <= 2; fd++)
        if (dup2(said >= 0 ? said : none, fd) < 0) return errno;
    return 0;
}

/* An errno or ADOPTED, or nothing when the program runs. */
static void become(const command *c, pid_t between, pid_t program, int report) {
    sigset_t none;
    sigemptyset(&none);
    sigprocmask(SIG_SETMASK, &none, NULL);
    signal(SIGCHLD, SIG_DFL);
    while (getppid() == between) usleep(500);
    int reason = getppid() == program ? ADOPTED : open_log(c->log);
    if (!reason) {
        close_others(report);
        if (nice(NICENESS) == -1) errno = 0; /* then it has the program's priority */
        execv(c->path, (char *const *)(uintptr_t)c->words);
        reason = errno;
    }
    if (write(report, &reason, sizeof reason) < 0) reason = 0;
    _exit(127);
}

/* A process in between makes it an orphan. */
static int start(const command *c) {
    int ends[2], reason = 0;
    pid_t program = getpid();
    if (pipe(ends) || fcntl(ends[1], F_SETFD, FD_CLOEXEC)) return errno;
    pid_t between = fork();
    if (between == 0) {
        between = getpid();
        setsid();
        pid_t pusher = fork();
        if (pusher == 0) become(c, between, program, ends[1]);
        if (pusher < 0) reason = errno;
        if (reason && write(ends[1], &reason, sizeof reason) < 0) reason = 0;
        _exit(0);
    }
    if (between < 0) reason = errno;
    close(ends[1]);
    if (between > 0 && read(ends[0], &reason, sizeof reason) < 0) reason = errno;
    close(ends[0]);
    if (between > 0) waitpid(between, NULL, 0);
    return reason;
}

enum nytp_code nytp_pusher_start(const nytp_pusher *p, const char *file, nytp_error *e) {
    struct sigaction before;
    command c;
    /* Of children that end while this signal is ignored there is neither a signal nor CPU time in this process. */
    sigaction(SIGCHLD, &(struct sigaction){.sa_handler = SIG_IGN}, &before);
    int reason = prepare(&c, p, file);
    if (!reason) reason = start(&c);
    sigaction(SIGCHLD, &before, NULL);
    if (reason == ADOPTED)
        return nytp_error_set(e, NYTP_IO, "run: --push: orphans become children of this process, as of process 1 in a "
                              "container: expected an init as its parent, or `nytprof push --follow` beside it");
    errno = reason;
    return reason ? nytp_error_sys(e, "run: --push: cannot start nytprof push") : NYTP_OK;
}
