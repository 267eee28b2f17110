/* SPDX-License-Identifier: MIT */
/* opening.h - the beginning of a file of format 5: its version, attributes and options. Private to replay. */
#ifndef NYTP_V5_OPENING_H
#define NYTP_V5_OPENING_H

#include "base/arena.h"
#include "base/buf.h"
#include "capture/format.h"
#include "v5/emitter.h"

typedef struct nytp_opening {
    nytp_arena arena;
    nytp_buf pairs;   /* attributes and options, in the order they came */
    nytp_str program; /* owned */
} nytp_opening;       /* all zero: no pairs */

void nytp_opening_close(nytp_opening *o);

/* Both copy their arguments. NYTP_OK or NYTP_NOMEM. */
enum nytp_code nytp_opening_pair(nytp_opening *o, uint32_t kind, const nytp_rec_pair *p);
enum nytp_code nytp_opening_program(nytp_opening *o, nytp_str program);

/* The option's value, or `otherwise` if it was not recorded. */
int64_t nytp_opening_number(const nytp_opening *o, const char *option, int64_t otherwise);

/* Emits everything up to START_DEFLATE. Strings of start are not used. */
void nytp_opening_emit(const nytp_opening *o, const nytp_rec_process_start *start, nytp_emitter *to);

#endif
