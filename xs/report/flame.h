/* SPDX-License-Identifier: MIT */
/* flame.h - a flame graph: call paths as a picture, each frame as wide as its share of the whole, children on it.
 *
 * The SVG is self-contained. Its script (html/flame.js) zooms and searches; without it all frames are shown. Names may
 * contain any byte: they are escaped here, and none gets into the script. */
#ifndef NYTP_REPORT_FLAME_H
#define NYTP_REPORT_FLAME_H

#include "base/buf.h"
#include "report/stacks.h"

typedef struct nytp_flame_link { /* the link of a frame, followed by control and click */
    nytp_str name, href, title;  /* title: the tooltip; empty: the frame's default */
} nytp_flame_link;

typedef struct nytp_flame {
    nytp_str title, font, count_name, name_type;
    nytp_str colors;            /* a palette of colors.h */
    double width, frame_height; /* pixels */
    double min_width;           /* narrower frames are left out */
    double font_size;
    double font_width;          /* of an average letter, as a share of font_size */
    double factor;              /* values are shown multiplied by this */
    int64_t total;              /* value of the whole width; 0: the sum */
    int32_t inverted;           /* 1: the root on top */
    int32_t negate;             /* 1: colours of a difference are exchanged */
    const nytp_flame_link *links; /* by name, in byte order; borrowed */
    uint32_t links_n;
} nytp_flame;

/* The defaults of flamegraph.pl. */
nytp_flame nytp_flame_default(void);

/* Appends the SVG of the stacks, which are sorted. Returns an nytp_code. */
int nytp_flame_svg(nytp_buf *out, const nytp_stacks *s, const nytp_flame *flame);

/* Appends a small SVG that holds a message instead. */
int nytp_flame_error(nytp_buf *out, const nytp_flame *flame, nytp_str message);

#endif
