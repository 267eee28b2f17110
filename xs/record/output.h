/* SPDX-License-Identifier: MIT */
/* output.h - the capture a recorder writes to: its name, its opening lines, its end. */
#ifndef NYTP_RECORD_OUTPUT_H
#define NYTP_RECORD_OUTPUT_H

#include "record/recorder.h"

/* Opens r->base with the suffixes that the options ask for and writes the opening chunk. Returns an nytp_code. */
int nytp_output_open(nytp_recorder *r, nytp_error *e);

/* Writes the notices that came up since the last call. */
void nytp_output_notices(nytp_recorder *r);

/* Writes process_end and end records behind the last window. how is an enum nytp_end. The file stays open. */
void nytp_output_end(nytp_recorder *r, int how);

/* Closes the file, if one is open. Reports a failure that was not reported yet. */
void nytp_output_close(nytp_recorder *r);

#endif
