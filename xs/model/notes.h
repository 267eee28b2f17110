/* SPDX-License-Identifier: MIT */
/* notes.h - the sentences that tell a reader what to think of a profile. Private to load. */
#ifndef NYTP_MODEL_NOTES_H
#define NYTP_MODEL_NOTES_H

#include "model/profile.h"

#define NYTP_NOTES_MAX 40 /* sentences kept; a badly damaged capture would make thousands */

/* Adds a sentence unless it is there already. What cannot be kept is dropped. */
void nytp_notes_add(nytp_profile *p, const char *format, ...) NYTP_PRINTF(2, 3);

/* What a loaded profile's processes and clocks give to say. */
void nytp_notes_finish(nytp_profile *p);

#endif
