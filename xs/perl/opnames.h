/* SPDX-License-Identifier: MIT */
/* opnames.h - slow built-ins, which are shown as subs, by what they may wait for. */
#ifndef NYTP_PERL_OPNAMES_H
#define NYTP_PERL_OPNAMES_H

#include "perl/glue.h"

/* Names of ops, of any version of perl; each list ends with NULL. Those behind the first may wait for input or another
 * process, or end this one: a window is written before. */
extern const char *const nytp_opnames_slow[], *const nytp_opnames_blocking[], *const nytp_opnames_waiting[],
    *const nytp_opnames_closing[], *const nytp_opnames_reading[], *const nytp_opnames_accepting[];

/* All of them by the numbers of this perl; the other names stay as they are. */
void nytp_opnames_all(pTHX_ const char *names[MAXO]);

#endif
