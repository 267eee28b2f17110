/* SPDX-License-Identifier: MIT */
/* front.h - the functions of nytp_front as the recorder calls them: the front end's, or record/'s for those that are
 * NULL. */
#ifndef NYTP_RECORD_FRONT_H
#define NYTP_RECORD_FRONT_H

#include "record/recorder.h"

/* NULL: the attribute "application". */
void nytp_front_describe(nytp_recorder *r);

/* NULL: the file's contents, if the option savesrc is on. */
uint32_t nytp_front_source(const nytp_recorder *r, const nytp_live_file *file, nytp_buf *text);

/* NULL: a line of the log. */
void nytp_front_say(const nytp_recorder *r, const char *line);

void nytp_front_stopped(const nytp_recorder *r);

/* Around all that writes to the output, which may call each other. */
void nytp_front_writes(nytp_recorder *r);
void nytp_front_has_written(nytp_recorder *r);

/* In a forked child: 1 if the option forkdepth, which counts down, wants it profiled. */
int nytp_front_forked(nytp_recorder *r);

/* Whether a process that ends writes only what it touched. */
int nytp_front_completes_brief(nytp_recorder *r);

#endif
