/* SPDX-License-Identifier: MIT */
/* inline.h - style and scripts inside a page: its policy has the digests of these scripts, and permits no others. */
#ifndef NYTP_PAGES_INLINE_H
#define NYTP_PAGES_INLINE_H

#include "base/buf.h"

typedef struct nytp_inline {
    nytp_buf head, tail, policy; /* of the page: for its head, the end of its body, and behind script-src */
} nytp_inline; /* all zero is none */

void nytp_inline_styles(nytp_inline *in); /* the common ones */
void nytp_inline_style(nytp_inline *in, const char *name); /* an asset */
void nytp_inline_script(nytp_inline *in, nytp_str text);
void nytp_inline_free(nytp_inline *in); /* leaves none */

#endif
