/* SPDX-License-Identifier: MIT */
/* scan.h - finds the chunks of a capture in a stream of bytes that may also hold text, garbage and torn chunks. The
 * lower half of the reader. */
#ifndef NYTP_CAPTURE_SCAN_H
#define NYTP_CAPTURE_SCAN_H

#include "capture/bytes.h"
#include "capture/chunk.h"
#include "capture/drafts.h"

enum nytp_scan_found {
    NYTP_SCAN_END,    /* of the file */
    NYTP_SCAN_CHUNK,  /* verified; its head in chunk, its payload in payload */
    NYTP_SCAN_DAMAGE, /* bytes that belong to no chunk; see damage */
    NYTP_SCAN_ERROR   /* in bytes.error */
};

typedef struct nytp_scan {
    nytp_bytes bytes;
    nytp_chunk_info chunk;
    const unsigned char *payload; /* chunk.stored bytes, until the next call */
    nytp_rec_damage damage;       /* its reason lives until the next call */
    int32_t has_text;             /* 1: text lines of a capture were seen */

    /* Private to scan.c. */
    int32_t is_verified; /* 1: damage ended at pos, where a good chunk begins */
    size_t given;        /* bytes from pos that the chunk given last takes */
    size_t claimed;      /* bytes from pos to skip at once; 0: one byte */
    nytp_drafts drafts;
    uint64_t in_vain;    /* bytes summed in vain, as they were no chunk */
    char why[96];        /* what is wrong with the chunk at pos */
    char reason[96];     /* reason of the latest damage */
} nytp_scan;

/* Takes ownership of bytes: closing s closes them. */
void nytp_scan_open(nytp_scan *s, const nytp_bytes *bytes);

/* Finds the next chunk or damage, and at the end of the file the drafts that count, whose offset is that end. Memory is
 * bounded by one chunk and the latest draft of each stream. */
enum nytp_scan_found nytp_scan_next(nytp_scan *s);

/* Makes a chunk in memory, with its head, the one that was found last. */
void nytp_scan_again(nytp_scan *s, const unsigned char *chunk);

void nytp_scan_close(nytp_scan *s);

#endif
