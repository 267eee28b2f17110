/* SPDX-License-Identifier: MIT */
/* progress.h - a bar on a terminal's standard error, for work that takes longer than a second. */
#ifndef NYTP_CLI_PROGRESS_H
#define NYTP_CLI_PROGRESS_H

#include <stdint.h>

typedef struct nytp_progress {
    uint64_t begun, drawn; /* ns of the monotonic clock; begun 0: there is no terminal */
} nytp_progress;

nytp_progress nytp_progress_begin(void);

/* May be called as often as there is something to tell: little is drawn. all 0: it is not known. */
void nytp_progress_show(nytp_progress *p, const char *what, uint64_t done, uint64_t all);

/* Erases the bar; to be called before anything else is printed. */
void nytp_progress_end(nytp_progress *p);

#endif
