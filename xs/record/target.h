/* SPDX-License-Identifier: MIT */
/* target.h - the file that an output goes to: a new one, or one that this process or its parent has open. */
#ifndef NYTP_RECORD_TARGET_H
#define NYTP_RECORD_TARGET_H

#include "record/recorder.h"

enum nytp_target {
    NYTP_TARGET_NEW,    /* the recorder's own */
    NYTP_TARGET_SHARED, /* of other recorders of this process */
    NYTP_TARGET_PARENTS /* the parent's: the process may not make a file, after chroot or as another user */
};

/* Opens the file for r->base, leaves its name, NUL-terminated, in used, and says in kind which it is. Returns a
 * descriptor, or -1 with the error set. */
int nytp_target_open(nytp_recorder *r, nytp_buf *used, enum nytp_target *kind, nytp_error *e);

/* The open output of r, if it may be shared, becomes the outlet's file. */
void nytp_target_share(nytp_recorder *r, nytp_outlet *o);

/* The next file is opened where the process is now, although it may have gone elsewhere by then. */
void nytp_target_stay(nytp_recorder *r);
void nytp_target_move(nytp_recorder *r); /* no longer */

/* Appends the path asked for. */
void nytp_target_base(const nytp_recorder *r, nytp_buf *path);

/* Removes a new file that could not be begun, unless it is a device. */
void nytp_target_remove(const char *name);

/* Forgets the outlet's file. */
void nytp_target_leave(nytp_outlet *o);

/* For a program that starts a profile anew: forgets the outlet's file if its name leads to another one now, or to none,
 * as after a change of directory. Streams of a running profile stay in their file. */
void nytp_target_leave_elsewhere(nytp_outlet *o);

#endif
