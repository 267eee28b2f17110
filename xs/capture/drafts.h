/* SPDX-License-Identifier: MIT */
/* drafts.h - the drafts of a capture that is read: of each stream the latest, and of a ring the latest of each half,
 * unless a chunk has replaced them. It is the part of the scan that knows streams. */
#ifndef NYTP_CAPTURE_DRAFTS_H
#define NYTP_CAPTURE_DRAFTS_H

#include "base/buf.h"
#include "base/table.h"
#include "capture/chunk.h"

typedef struct nytp_drafts {
    nytp_buf slots[2];  /* of the area that is being read */
    nytp_buf streams;   /* of struct stream */
    nytp_table known;   /* 1 + index in streams */
    size_t given;       /* of the halves of all streams, those that were looked at */
    int32_t failed;     /* 1: memory was short */
} nytp_drafts; /* all zero: none */

/* A line of text with its newline, and the end of lines that follow each other. */
void nytp_drafts_line(nytp_drafts *d, const unsigned char *line, size_t n);
void nytp_drafts_lines_end(nytp_drafts *d);

/* Takes a verified chunk at p, with its head. 1 if it is a draft, which waits for the end of the file. */
int nytp_drafts_take(nytp_drafts *d, const nytp_chunk_info *c, const unsigned char *p);

/* At the end of the file: the next draft that counts, with its head, valid until d is freed; NULL: there is none. */
const unsigned char *nytp_drafts_next(nytp_drafts *d);

void nytp_drafts_free(nytp_drafts *d);

#endif
