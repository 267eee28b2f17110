/* SPDX-License-Identifier: MIT */
/* notes.h - sentences for the reader of a report about the quality of the profile. Private to load. */
#ifndef NYTP_MODEL_NOTES_H
#define NYTP_MODEL_NOTES_H

#include "model/profile.h"

#define NYTP_NOTES_MAX 40 /* sentences kept; a badly damaged capture would make thousands */

/* Adds a sentence unless there is an equal one; it is dropped when memory is short. */
void nytp_notes_add(nytp_profile *p, const char *format, ...) NYTP_PRINTF(2, 3);

/* Adds the notes on a loaded profile's processes and clocks. */
void nytp_notes_finish(nytp_profile *p);

#endif
