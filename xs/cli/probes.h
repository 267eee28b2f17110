/* SPDX-License-Identifier: MIT */
/* probes.h - programs for `nytprof selftest`, one in each language: how many events their parts have is known. */
#ifndef NYTP_CLI_PROBES_H
#define NYTP_CLI_PROBES_H

#include <stdint.h>

#define NYTP_PROBES_PARTS 4

/* A sub of the program, which prints its name, the nanoseconds of CPU time that it has taken, and those that it has
 * waited for the processor (Lua's cannot). */
typedef struct nytp_probe_part {
    const char *event;   /* for people: "statement"; NULL ends the list */
    const char *printed; /* its name in the output */
    const char *sub;     /* its name in the profile */
    const char *counted; /* the sub whose calls are the events; NULL: the third to twelfth line of the part */
    int64_t events;
} nytp_probe_part;

typedef struct nytp_probe {
    const char *language, *file; /* the file's name, by which `nytprof run` finds the interpreter */
    const char *text;
    nytp_probe_part parts[NYTP_PROBES_PARTS + 1];
} nytp_probe;

#define NYTP_PROBES 3

extern const nytp_probe nytp_probes[NYTP_PROBES];

#endif
