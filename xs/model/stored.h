/* SPDX-License-Identifier: MIT */
/* stored.h - source in the store beside the captures of a job. Private to load. */
#ifndef NYTP_MODEL_STORED_H
#define NYTP_MODEL_STORED_H

#include "model/loader.h"

/* Notes that the text of that key is the source of a file, by index, unless the file has lines already. Index 0 is no
 * file. */
enum nytp_code nytp_stored_refer(nytp_loader *l, uint32_t file, nytp_str key);

/* Takes a text for the file that refers to it, if there is one. */
enum nytp_code nytp_stored_text(nytp_loader *l, const nytp_rec_text *r);

/* After all records of the capture at path, while its streams are known: looks for the missing texts in the capture
 * itself, if it has texts, and in the stores that they name. NYTP_OK or NYTP_NOMEM. */
enum nytp_code nytp_stored_find(nytp_loader *l, const char *path);

/* When all captures are loaded: adds a note on texts that were not found. */
void nytp_stored_tell_missing(nytp_loader *l);

#endif
