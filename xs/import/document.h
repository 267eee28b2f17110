/* SPDX-License-Identifier: MIT */
/* document.h - a file to import, as a whole in memory, and what readers say of it. */
#ifndef NYTP_IMPORT_DOCUMENT_H
#define NYTP_IMPORT_DOCUMENT_H

#include <limits.h>

#include "capture/bytes.h"
#include "import/made.h"

typedef struct nytp_document {
    const char *path;   /* as the user names it; borrowed */
    nytp_str absolute;  /* its name from the root */
    nytp_str text;      /* all bytes */
    int64_t changed;    /* ns since the epoch: when it was written last */
    int32_t wants_all;  /* 1: all builds of a log that has several, else the last one */
    uint64_t earlier;   /* set by readers: lines of earlier builds that are left out */
    int32_t is_cut;     /* likewise, 1: the last entry has no end, and is left out */

    /* Private to document.c. */
    nytp_bytes file;
    char name[PATH_MAX];
} nytp_document;

/* Reads a file. Returns the error's code; nytp_document_close is called in any case. */
enum nytp_code nytp_document_open(nytp_document *d, const char *path, nytp_error *e);

void nytp_document_close(nytp_document *d);

/* The directory that the file is in, from the root. */
nytp_str nytp_document_directory(const nytp_document *d);

/* Sets an error in a line of the file, from 1, with the beginning of what was found there. Returns the error's code. */
enum nytp_code nytp_document_refuse(const nytp_document *d, uint64_t line, const char *expected, nytp_str found,
                                    nytp_error *e);

#endif
