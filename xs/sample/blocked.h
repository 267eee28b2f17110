/* SPDX-License-Identifier: MIT */
/* blocked.h - how long C code has waited, and for what kind of thing (option waiting), for front ends whose hooks see C
 * code begin and end.
 *
 * The kernel knows how long a thread has run, and how long it has been ready without a CPU; the rest of the time it has
 * waited. Asking takes microseconds, so it is done when C code has taken a hundred times as long since the last time: a
 * long call is looked at when it ends, the latest of many short ones gets what all have waited. What a call waits is
 * never more than what such calls took. The reading's own time is the recorder's.
 *
 * A look before a call, if the last one is longer ago, keeps apart what code of the language itself waits: for pages of
 * its memory, or for a file of a module. That has no line: it is the process's, as is all time without a CPU. */
#ifndef NYTP_SAMPLE_BLOCKED_H
#define NYTP_SAMPLE_BLOCKED_H

#include "record/events.h"

/* Counters, in the order in which they are in the front end's table. The first two have the names of those of samples;
 * from CLIENT on they are kinds of things that the process waited for. */
enum nytp_blocked_counter {
    NYTP_BLOCKED_WAITING,
    NYTP_BLOCKED_READY,
    NYTP_BLOCKED_NO_CPU,
    NYTP_BLOCKED_CLIENT,
    NYTP_BLOCKED_CHILD,
    NYTP_BLOCKED_DISK,
    NYTP_BLOCKED_C,
    NYTP_BLOCKED_LOCK,
    NYTP_BLOCKED_PIPE,
    NYTP_BLOCKED_SELECT,
    NYTP_BLOCKED_SLEEP,
    NYTP_BLOCKED_SOCKET,
    NYTP_BLOCKED_OTHER,
    NYTP_BLOCKED_CODE
};

#define NYTP_BLOCKED_KIND(name, title) {"wait-" name, "Waiting: " title, "ns", NYTP_OF_PROCESS, NYTP_ADDS_SUM}

/* Their rows from index `first` on; other: what OTHER is, a word and a title; code: the language, as a word and as a
 * name, with what it calls its files of code. */
#define NYTP_BLOCKED_ROWS(first, other, word, language) \
    [(first) + NYTP_BLOCKED_WAITING] = {"waiting", "Waiting", "ns", NYTP_OF_PLACE | NYTP_OF_NODE, NYTP_ADDS_SUM}, \
    [(first) + NYTP_BLOCKED_READY] = {"ready", "Ready, without a CPU", "ns", NYTP_OF_PLACE | NYTP_OF_NODE, \
                                      NYTP_ADDS_SUM}, \
    [(first) + NYTP_BLOCKED_NO_CPU] = {"no-cpu", "Ready, without a CPU, in " language " code, too", "ns", \
                                       NYTP_OF_PROCESS, NYTP_ADDS_SUM}, \
    [(first) + NYTP_BLOCKED_CLIENT] = NYTP_BLOCKED_KIND("client", "clients, in accept"), \
    [(first) + NYTP_BLOCKED_CHILD] = NYTP_BLOCKED_KIND("child", "child processes"), \
    [(first) + NYTP_BLOCKED_DISK] = NYTP_BLOCKED_KIND("disk", "files and directories"), \
    [(first) + NYTP_BLOCKED_C] = NYTP_BLOCKED_KIND("c", "functions in C"), \
    [(first) + NYTP_BLOCKED_LOCK] = NYTP_BLOCKED_KIND("lock", "locks"), \
    [(first) + NYTP_BLOCKED_PIPE] = NYTP_BLOCKED_KIND("pipe", "pipes"), \
    [(first) + NYTP_BLOCKED_SELECT] = NYTP_BLOCKED_KIND("select", "any of several handles"), \
    [(first) + NYTP_BLOCKED_SLEEP] = NYTP_BLOCKED_KIND("sleep", "sleep"), \
    [(first) + NYTP_BLOCKED_SOCKET] = NYTP_BLOCKED_KIND("socket", "sockets"), \
    [(first) + NYTP_BLOCKED_OTHER] = NYTP_BLOCKED_KIND("other", other), \
    [(first) + NYTP_BLOCKED_CODE] = NYTP_BLOCKED_KIND(word, "memory or modules, in " language " code")

typedef struct nytp_blocked {
    /* Set by the front end before nytp_blocked_begin: */
    uint32_t first;          /* index of WAITING in its table of counters */
    uint32_t leaves_clients; /* 1: waiting for clients is in no call, as its time is in none */
    enum nytp_blocked_counter (*kind_of)(void *self, const nytp_live_sub *sub); /* of the current node, which waited */
    void *self;

    const void *thread;        /* the system thread of the latest look, by an address */
    int64_t wall, cpu, ready;  /* ns, at the latest look */
    int64_t switches;          /* voluntary ones; without any there was no wait */
    int64_t looked;            /* ticks: when that was */
    int64_t enough, stale;     /* ticks: of C code; between two looks */
    int64_t in_c;              /* ticks of C code whose waiting is not counted yet */
    int64_t owed;              /* ns that C code is known to have waited by then */
    double ns;                 /* of a tick */
} nytp_blocked;

/* Profiling has been switched on, or goes on in a forked child. */
void nytp_blocked_begin(nytp_blocked *w, nytp_recorder *r);

/* Around all that the recorder writes, whose waiting is not counted. */
void nytp_blocked_writes(nytp_blocked *w, nytp_recorder *r, int begins);

/* Counts what C code has waited, for the current node and place. Both return now, past their own work. */
int64_t nytp_blocked_look(nytp_blocked *w, nytp_recorder *r, int64_t now);
int64_t nytp_blocked_look_before(nytp_blocked *w, nytp_recorder *r, int64_t now);

/* The kind of what a descriptor is of, OTHER if it is none of these; 1 if the word is in a text of words with a blank
 * on either side. */
enum nytp_blocked_counter nytp_blocked_by_handle(int fd);
int nytp_blocked_has_word(const char *words, nytp_str word);

/* The current node is C code, which has run for so many ticks up to now, and ends, or calls code of the language. */
static inline int64_t nytp_blocked_after(nytp_blocked *w, nytp_recorder *r, int64_t ticks, int64_t now) {
    w->in_c += ticks;
    return NYTP_UNLIKELY(w->in_c >= w->enough) ? nytp_blocked_look(w, r, now) : now;
}

/* C code is about to begin. */
static inline int64_t nytp_blocked_before(nytp_blocked *w, nytp_recorder *r, int64_t now) {
    return NYTP_UNLIKELY(now - w->looked >= w->stale) ? nytp_blocked_look_before(w, r, now) : now;
}

#endif
