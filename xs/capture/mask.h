/* SPDX-License-Identifier: MIT */
/* mask.h - parts of commands that match an expression are left out of captures of builds. */
#ifndef NYTP_CAPTURE_MASK_H
#define NYTP_CAPTURE_MASK_H

#include <regex.h>
#include <stddef.h>

#define NYTP_MASK_TEXT "(redacted)" /* stands for a part */

typedef struct nytp_mask {
    regex_t expression; /* POSIX's extended, in which a character is a byte, whatever the locale */
} nytp_mask;

/* Returns 1, and 0 for a text that is no expression, or for want of memory. The C library allocates memory for it, and
 * for each nytp_mask_put. */
int nytp_mask_begin(nytp_mask *m, const char *text);

/* Writes an argument without such parts, its NUL included, as far as there is room. Returns the bytes that all of it
 * takes; 0: the C library failed, and what was written is not to be used. */
size_t nytp_mask_put(const nytp_mask *m, char *to, size_t room, const char *argument);

void nytp_mask_end(nytp_mask *m);

#endif
