/* SPDX-License-Identifier: MIT */
/* formats.h - the formats of files that can be imported: a row for each. */
#ifndef NYTP_IMPORT_FORMATS_H
#define NYTP_IMPORT_FORMATS_H

#include "import/document.h"

typedef struct nytp_format {
    const char *title;      /* for messages */
    const char *recorder;   /* what recorded it; what it does not know of processes follows from this, too */
    int (*is)(nytp_str text);
    enum nytp_code (*read)(nytp_made *m, nytp_document *d, nytp_error *e); /* adds its processes */
    int32_t is_below;       /* 1: what it has is below processes of other files, and read behind these */
} nytp_format;

/* The format of a file, by its first bytes. NULL with e set. */
const nytp_format *nytp_formats_find(const nytp_document *d, nytp_error *e);

#endif
