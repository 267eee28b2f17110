/* SPDX-License-Identifier: MIT */
/* colors.h - colours of names, as 0xRRGGBB. A name has the same colour in every picture; text on it is dark. */
#ifndef NYTP_REPORT_COLORS_H
#define NYTP_REPORT_COLORS_H

#include "base/str.h"

/* Palettes are those of flamegraph.pl; an unknown one is "hot". "java" and "js" distinguish kinds of frames by their
 * names. */
uint32_t nytp_colors_name(nytp_str palette, nytp_str name);

/* A difference as a share, -1 to 1, of the largest: more is red, less is blue, none is grey. */
uint32_t nytp_colors_delta(double share);

#endif
