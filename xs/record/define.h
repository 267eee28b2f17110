/* SPDX-License-Identifier: MIT */
/* define.h - definitions of what has counts to be written. */
#ifndef NYTP_RECORD_DEFINE_H
#define NYTP_RECORD_DEFINE_H

#include "record/recorder.h"

/* Of all queued places and nodes, and what these refer to. 0: memory is short. */
int nytp_define_queued(nytp_recorder *r);

/* Of all files and subs, with or without counts. */
void nytp_define_everything(nytp_recorder *r);

/* Whether the output has no definition of the node yet, which is not the root. */
int nytp_define_lacks(const nytp_recorder *r, const nytp_live_node *n);

#endif
