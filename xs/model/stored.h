/* SPDX-License-Identifier: MIT */
/* stored.h - source that the captures of a job have left to the store beside them. Private to load. */
#ifndef NYTP_MODEL_STORED_H
#define NYTP_MODEL_STORED_H

#include "model/loader.h"

/* A capture says that the source of the file with that index is the text of that key: wanted, unless it has lines
 * already. Index 0 is no file. */
int nytp_stored_refer(nytp_loader *l, uint32_t file, nytp_str key);

/* A text: of the file that wants it, if there is one. */
int nytp_stored_text(nytp_loader *l, const nytp_rec_text *r);

/* After all records of the capture at path, while its streams are known: looks for what is still wanted in the
 * capture itself, if it has texts, and in the stores that they name. NYTP_OK or NYTP_NOMEM. */
int nytp_stored_find(nytp_loader *l, const char *path);

/* When all captures are loaded: a note on what was not found. */
void nytp_stored_tell_missing(nytp_loader *l);

#endif
