/* SPDX-License-Identifier: MIT */
/* sigexit.h - option sigexit: a signal that would end the program lets it complete its profile first.
 *
 * Only signals with the default action to end the program are handled, and the program ends by the same signal. A
 * handler may touch neither the interpreter nor a profile, so it asks for the next event (nytp_front.hurry), which
 * calls nytp_sigexit_end. A waiting system call is interrupted by the signal, and the event follows. If none comes
 * within a tenth of a second, because C code waits on, the program ends without: counters were written before the
 * wait. */
#ifndef NYTP_RECORD_SIGEXIT_H
#define NYTP_RECORD_SIGEXIT_H

#include "record/options.h"

/* Handles the signals that the option names. */
void nytp_sigexit_take(const nytp_options *o);

/* The number of a signal that ends programs, by its name; 0: no such name. */
int nytp_sigexit_number(nytp_str name);

/* At the first event after such a signal: calls nytp_front.at_exit for all recorders of the process, and ends it. If
 * none has come it returns. */
void nytp_sigexit_end(void);

#endif
