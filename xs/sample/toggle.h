/* SPDX-License-Identifier: MIT */
/* toggle.h - option sigtoggle: a signal starts the tickers of this process, and the next one stops them.
 *
 * A handler of signals may start no thread, so a thread sleeps until the signal has come. There is one in each forked
 * child, too. The handler has SA_RESTART; a handler that the program sets for the signal later replaces it. */
#ifndef NYTP_SAMPLE_TOGGLE_H
#define NYTP_SAMPLE_TOGGLE_H

#include "record/options.h"

/* Handles the signal that the option names, if the program does not: else it is an error, as is another signal than the
 * first one of the process. Returns an nytp_code. */
enum nytp_code nytp_toggle_take(const nytp_options *o, nytp_error *e);

#endif
