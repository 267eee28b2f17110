/* SPDX-License-Identifier: MIT */
/* guest.h - a stream that is written inside another program: in make, or in place of a shell. FORMAT, section 9.
 *
 * Nothing is allocated but for a mask, no descriptor is kept, no lock is taken and errno stays as it is, so all of this
 * may be done between vfork and exec, and without a mask in a signal handler. A record that cannot be written is lost,
 * and the program goes on. */
#ifndef NYTP_CAPTURE_GUEST_H
#define NYTP_CAPTURE_GUEST_H

#include <sys/resource.h>

#include "capture/format.h"
#include "capture/mask.h"

/* The variable of the environment by which a process knows the capture and the process of the build that it is or is
 * below, and the variable that make sets to the target. */
#define NYTP_GUEST_VARIABLE "NYTPROF_BUILD"
#define NYTP_GUEST_TARGET "NYTPROF_TARGET"
#define NYTP_GUEST_MASK "NYTPROF_BUILD_MASK" /* and that of the expression of a mask */
#define NYTP_GUEST_ROOM 4352 /* bytes of NAME=VALUE, with its NUL */
#define NYTP_GUEST_CHUNK (20u << 10) /* more than the longest chunk has */

typedef struct nytp_guest {
    nytp_stream_id stream;
    const char *file;       /* the capture: an absolute name; borrowed */
    const char *program, *recorder; /* for process_start; borrowed */
    uint64_t parent;        /* start of the process of the build that this one is or is below; 0: none */
    uint64_t chunks;        /* written */
    int32_t hides;          /* 1: only the first argument is recorded */
    int32_t has_mask;       /* 1: not hides, but arguments are recorded without what matches */
    nytp_mask mask;
    uint64_t limit;         /* megabytes of the file; 0: as many as there is room for */
    int32_t lost;           /* errno of the latest record that could not be written; 0: none was lost */
} nytp_guest;

/* A process of the build that this one starts. */
typedef struct nytp_guest_process {
    uint64_t pid, start;
    char *const *argv;
    char *const *environment; /* of the process */
} nytp_guest_process;

/* Takes a value of NYTP_GUEST_VARIABLE, which g->file borrows, and the mask from the environment. Without a mask that
 * there should be, it hides. Returns 1, or 0 for NULL and for what is none. */
int nytp_guest_begin(nytp_guest *g, const char *value);

/* The same process again, as a stream of its own: a fork child. */
void nytp_guest_renew(nytp_guest *g);

/* Writes NAME=VALUE for a process of the build with that start into `to`, which has NYTP_GUEST_ROOM bytes. Returns 0 if
 * the file's name is too long. */
int nytp_guest_spell(char *to, const nytp_guest *g, uint64_t start);

/* The place of NAME=VALUE in an environment, or of the NULL behind it. */
char *const *nytp_guest_find(char *const *environment, const char *name);

uint64_t nytp_guest_now(void); /* the clock of all these streams */

/* Write a record. The first also begins the stream; is_last ends it. */
void nytp_guest_began(nytp_guest *g, const nytp_guest_process *p);
void nytp_guest_ended(nytp_guest *g, uint64_t pid, uint64_t start, int status, const struct rusage *used, int is_last);

/* Begins the stream, where the program need not start a process: it is known to have been seen. */
void nytp_guest_open(nytp_guest *g);

/* Ends a stream that has begun: how is an enum nytp_end. */
void nytp_guest_end(nytp_guest *g, uint64_t how);

/* The record of an end, by what wait4 gives. */
nytp_rec_exit nytp_guest_exit(uint64_t pid, uint64_t start, int status, const struct rusage *used);

#endif
