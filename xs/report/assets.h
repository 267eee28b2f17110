/* SPDX-License-Identifier: MIT */
/* assets.h - the files of html/, inside the program. build/assets.c is generated from them by html/embed.pl. */
#ifndef NYTP_REPORT_ASSETS_H
#define NYTP_REPORT_ASSETS_H

#include <stddef.h>

typedef struct nytp_asset {
    const char *name; /* "style.css" */
    const char *bytes;
    size_t n;
} nytp_asset;

extern const nytp_asset nytp_assets[]; /* ends with a NULL name */

#endif
