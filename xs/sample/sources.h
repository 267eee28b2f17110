/* SPDX-License-Identifier: MIT */
/* sources.h - the recorder's file for a statement that a walk has found. */
#ifndef NYTP_SAMPLE_SOURCES_H
#define NYTP_SAMPLE_SOURCES_H

#include "sample/found.h"

/* outer is where the frame around it stands, which has evaluated it if it is in a string eval. NULL: its name could not
 * be read, or memory is short (the recorder is then dead). */
nytp_live_file *nytp_sources_of(nytp_found *c, const nytp_frame *f, const nytp_live_place *outer);

#endif
