/* SPDX-License-Identifier: MIT */
/* waiting.c - kinds of things that Perl's C code waits for, by names and handles. */
#include "perl/waiting.h"

#include "perl/counted.h"

static const struct kind_of {
    enum nytp_blocked_counter kind;
    const char *ops, *subs; /* built-ins and functions in C, with a blank on either side */
} kinds[] = {
    {NYTP_BLOCKED_CLIENT, " accept ", " "},
    {NYTP_BLOCKED_CHILD, " backtick system wait waitpid ", " POSIX::wait POSIX::waitpid threads::join "},
    {NYTP_BLOCKED_DISK,
     " chdir chmod chown closedir egrent fteexec fteread ftewrite ftdir ftfile ftis ftlink ftmtime ftsize glob "
     "link lstat mkdir open open_dir readdir readlink rename rmdir stat symlink sysopen truncate unlink utime ",
     " "},
    {NYTP_BLOCKED_LOCK, " fcntl flock lock semop ", " threads::shared::cond_timedwait threads::shared::cond_wait "},
    {NYTP_BLOCKED_SELECT, " sselect ", " IO::Poll::_poll "},
    {NYTP_BLOCKED_SLEEP, " sleep ",
     " POSIX::pause POSIX::sigsuspend POSIX::sleep Time::HiRes::clock_nanosleep Time::HiRes::nanosleep "
     "Time::HiRes::sleep Time::HiRes::usleep "},
    {NYTP_BLOCKED_SOCKET, " connect ghbyaddr ghbyname recv send shutdown ", " Socket::getaddrinfo "},
};

/* That of the sub. close waits for the child behind a pipe, so the handle of a built-in is asked for before it runs. */
static enum nytp_blocked_counter kind_of(void *glue, const nytp_live_sub *sub) {
    int fd = ((nytp_glue *)glue)->waiting->fd, is_op = (sub->flags & NYTP_SUB_OPCODE) != 0;
    nytp_str word = sub->name;
    for (size_t i = is_op ? word.n : 0; i-- > 0;) {
        if (sub->name.p[i] != ':') continue;
        word = (nytp_str){sub->name.p + i + 1, sub->name.n - i - 1};
        break;
    }
    if (fd == NYTP_WAITING_NO_HANDLES) return NYTP_BLOCKED_SLEEP;
    for (size_t i = 0; word.n && i < sizeof kinds / sizeof *kinds; i++)
        if (nytp_blocked_has_word(is_op ? kinds[i].ops : kinds[i].subs, word)) return kinds[i].kind;
    return is_op ? nytp_blocked_by_handle(fd) : NYTP_BLOCKED_C;
}

void nytp_waiting_left(void *glue) {
    nytp_glue *g = (nytp_glue *)glue;
    if (g->waiting) nytp_waiting_after(g, nytp_now(&g->r));
}

/* The wait in accept is no sub's, as its time is none. */
void nytp_waiting_begin(nytp_glue *g) {
    if (!g->options.waiting) return;
    if (!g->waiting) g->waiting = (nytp_waiting *)calloc(1, sizeof *g->waiting);
    nytp_waiting *w = g->waiting;
    if (!w) return;
    w->fd = -1;
    w->blocked.first = NYTP_COUNTED_BLOCKED;
    w->blocked.leaves_clients = 1;
    w->blocked.kind_of = kind_of;
    w->blocked.self = g;
    nytp_blocked_begin(&w->blocked, &g->r);
}

void nytp_waiting_writes(nytp_glue *g, int begins) {
    if (g->waiting) nytp_blocked_writes(&g->waiting->blocked, &g->r, begins);
}

void nytp_waiting_free(nytp_glue *g) {
    free(g->waiting);
    g->waiting = NULL;
}
