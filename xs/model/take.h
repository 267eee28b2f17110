/* SPDX-License-Identifier: MIT */
/* take.h - a record of a capture into the profile that is being loaded. */
#ifndef NYTP_MODEL_TAKE_H
#define NYTP_MODEL_TAKE_H

#include "model/loader.h"
#include "model/stream.h"

/* Takes a record of a stream; one of an unknown kind has no effect. Returns an nytp_code, with the loader's error
 * set. */
enum nytp_code nytp_take_record(nytp_loader *l, nytp_stream *s, const nytp_record *r);

#endif
