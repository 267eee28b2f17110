/* SPDX-License-Identifier: MIT */
/* quoted.h - words as a shell reads them. */
#ifndef NYTP_REPORT_QUOTED_H
#define NYTP_REPORT_QUOTED_H

#include "base/buf.h"

/* A word as it is, or within quotes where it has characters that a shell may take for something else. */
void nytp_quoted_word(nytp_buf *out, nytp_str word);

void nytp_quoted_html(nytp_buf *out, nytp_str word); /* the same, escaped for HTML */

/* The words of a command, each with a 0 behind it (the last may have none), with blanks between. */
void nytp_quoted_command(nytp_buf *out, nytp_str command);

#endif
