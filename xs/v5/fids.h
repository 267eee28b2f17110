/* SPDX-License-Identifier: MIT */
/* fids.h - files by their numbers (fids) in a file of format 5, and the events about them. Private to replay. */
#ifndef NYTP_V5_FIDS_H
#define NYTP_V5_FIDS_H

#include "base/arena.h"
#include "base/buf.h"
#include "base/table.h"
#include "capture/format.h"
#include "v5/emitter.h"

typedef struct nytp_fids {
    nytp_arena names;
    nytp_buf files;   /* of struct file, by fid; there may be gaps */
    nytp_table by_name; /* fids of plain files */
} nytp_fids;          /* all zero: no files */

void nytp_fids_close(nytp_fids *f);

/* The fid of a file, emitted as NEW_FID if it is new. An eval, which has a parent fid, is always new; other files are
 * one for each name. 0 only after an error of the emitter. */
uint32_t nytp_fids_add(nytp_fids *f, const nytp_rec_file *from, uint32_t parent, nytp_emitter *to);

uint32_t nytp_fids_parent(const nytp_fids *f, uint32_t fid); /* 0 unless fid is an eval */
uint32_t nytp_fids_first(const nytp_fids *f);                /* the lowest fid; 0 if there is none */

/* Emits the lines that have not been emitted yet. */
void nytp_fids_source(nytp_fids *f, uint32_t fid, const nytp_rec_source *from, nytp_emitter *to);

#endif
