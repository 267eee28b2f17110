/* SPDX-License-Identifier: MIT */
/* input.h - the events of one profile, in order: those of a file of format 5, or of a capture that is replayed. */
#ifndef NYTP_V5_INPUT_H
#define NYTP_V5_INPUT_H

#include "capture/inherited.h"
#include "capture/left.h"
#include "v5/read.h"
#include "v5/replay.h"

typedef struct nytp_v5_input {
    const char *path;      /* borrowed */
    nytp_v5_reader *v5;    /* of a file of format 5 whose first line was good; NULL for a capture */
    nytp_reader *capture;
    nytp_replay *replay;
    nytp_left left;
    nytp_inherited inherited;
    int32_t every_event;   /* 1: any number of events of any profile; to be set before */
    int32_t is_own;        /* 1: the file is the user's, but a capture has to be of this host, too */
    int64_t most;          /* events that are told */
    uint64_t damages, lost; /* places in a capture that could not be read and were skipped, and their bytes */
} nytp_v5_input;            /* all zero: not open */

/* The most events of a profile that is not the user's own, of this host: so many, and so many for each byte of it. */
#define NYTP_V5_INPUT_MOST (INT64_C(1) << 20)
#define NYTP_V5_INPUT_BYTE 16

/* A file of format 5 does not say where it was made, so the user's own ones have a limit, too: so many for each byte. A
 * loop of a single statement deflates to a byte for 51. */
#define NYTP_V5_INPUT_OWN 64

/* Gives the callback every event of the file at path; "-" is standard input. To be called once. e is set where the file
 * cannot be read to its end: with v5 and NYTP_FORMAT the events before the damage are good. A value other than 0 from
 * the callback ends the events; it is the callback's to remember, but NYTP_NOMEM may be set in e. The callback may also
 * leave by longjmp. */
void nytp_v5_input_tell(nytp_v5_input *in, const char *path, nytp_v5_callback *callback, void *self, nytp_error *e);

void nytp_v5_input_close(nytp_v5_input *in); /* takes an all-zero one; leaves damages and lost */

#endif
