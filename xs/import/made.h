/* SPDX-License-Identifier: MIT */
/* made.h - processes that another program has recorded, and the capture that is made of them. FORMAT, section 9. */
#ifndef NYTP_IMPORT_MADE_H
#define NYTP_IMPORT_MADE_H

#include "base/arena.h"
#include "base/buf.h"
#include "base/error.h"
#include "capture/format.h"

#define NYTP_MADE_HOSTS 100u

typedef struct nytp_made_process {
    nytp_rec_process of; /* but start and parent, which follow from the next; directory is absolute */
    nytp_rec_exit used;  /* but start and end; likewise */
    int64_t began, ended; /* ns since the epoch; ended before began: the end is not known */
    uint32_t parent; /* a number that nytp_made_add gave; 0: none */
    nytp_str object; /* the file that it makes, in its directory; empty: not known */
    nytp_str host;   /* empty: not known */
} nytp_made_process;

typedef struct nytp_made {
    nytp_made_process *all; /* a number is an index here plus one */
    uint32_t n, room;
    nytp_arena arena;
    nytp_str program, recorder; /* of the build, and what recorded it; borrowed */
    uint64_t run[2];
} nytp_made; /* all zero: no processes yet */

/* Adds a process, with copies of its texts. Returns its number; 0 with e set for want of memory. */
uint32_t nytp_made_add(nytp_made *m, const nytp_made_process *p, nytp_error *e);

/* Appends a word to a command as a process record has it. */
void nytp_made_word(nytp_rec_process *p, nytp_buf *command, nytp_str word);

/* Whether a file, by its absolute name, lies beside the object of a process under the same name but the suffix. */
int nytp_made_is_beside(const nytp_made_process *p, nytp_str file);

/* Writes the capture. The descriptor is closed in any case. Returns the error's code. */
enum nytp_code nytp_made_write(const nytp_made *m, int fd, nytp_error *e);

void nytp_made_free(nytp_made *m);

#endif
