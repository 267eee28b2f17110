/* SPDX-License-Identifier: MIT */
/* fids.h - files by the numbers they have in a file of format 5, and what is told of them. Private to replay. */
#ifndef NYTP_V5_FIDS_H
#define NYTP_V5_FIDS_H

#include "base/arena.h"
#include "base/buf.h"
#include "base/map.h"
#include "capture/format.h"
#include "v5/teller.h"

typedef struct nytp_fids {
    nytp_arena names;
    nytp_buf files;   /* of struct file, by fid; not every fid is taken */
    nytp_map by_name; /* of plain files: hash of the name to fid */
} nytp_fids;          /* all zero is an empty one */

void nytp_fids_close(nytp_fids *f);

/* The fid of a file, told as NEW_FID if it is new. An eval, which has a parent fid, always is; of other files there is
 * one of each name. 0 only when the teller is not to be told any more. */
uint32_t nytp_fids_add(nytp_fids *f, const nytp_rec_file *from, uint32_t parent, nytp_teller *to);

uint32_t nytp_fids_parent(const nytp_fids *f, uint32_t fid); /* 0 unless fid is an eval's */
uint32_t nytp_fids_first(const nytp_fids *f);                /* the lowest; 0 if there is none */

/* Tells the lines that have not been told yet. */
void nytp_fids_source(nytp_fids *f, uint32_t fid, const nytp_rec_source *from, nytp_teller *to);

#endif
