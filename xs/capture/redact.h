/* SPDX-License-Identifier: MIT */
/* redact.h - what may be secret is left out of chunks that are copied, record by record.
 *
 * Left out are texts of evals, names that have such text, and texts and names of commands, as option redact of the
 * recorder does. A chunk keeps its number, and says in a property what it lacks. */
#ifndef NYTP_CAPTURE_REDACT_H
#define NYTP_CAPTURE_REDACT_H

#include "base/str.h"
#include "capture/mask.h"
#include "capture/reader.h"

enum nytp_redact_what { NYTP_REDACT_EVALS = 1, NYTP_REDACT_COMMANDS = 2 };

/* The sum of enum nytp_redact_what for words with commas between them: evals, commands, all or none; -1 for others. */
int64_t nytp_redact_words(const char *words);

typedef struct nytp_redact nytp_redact;

/* fd is the file that the copies go to, behind what is written to it otherwise, and is owned. The mask, of commands of
 * builds, is borrowed; NULL: none. NULL when memory is short (fd is then still the caller's). */
nytp_redact *nytp_redact_open(int fd, int64_t what, const nytp_mask *mask);

/* To be called with each capture before its first record: the names of its files tell whether a name of a program is
 * one. A capture that cannot be read has none. */
enum nytp_code nytp_redact_learn(nytp_redact *x, const char *path);

/* A chunk begins; its records follow; and it ends, and is written. Return codes of writing. */
void nytp_redact_begin(nytp_redact *x, const nytp_chunk_info *chunk);
void nytp_redact_record(nytp_redact *x, const nytp_record *r);
enum nytp_code nytp_redact_end(nytp_redact *x);

/* Closes and frees. Takes NULL. Returns the first failure's code with e set, if e has none. */
enum nytp_code nytp_redact_close(nytp_redact *x, nytp_error *e);

#endif
