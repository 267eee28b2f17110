/* SPDX-License-Identifier: MIT */
/* whence.h - where a profile comes from: host, directory and command of its process. */
#ifndef NYTP_RECORD_WHENCE_H
#define NYTP_RECORD_WHENCE_H

#include "record/recorder.h"

#define NYTP_WHENCE_HOST 256 /* bytes */

/* Writes these as properties of the stream, and puts the host's name into `host`. */
void nytp_whence_put(nytp_recorder *r, char host[NYTP_WHENCE_HOST]);

#endif
