/* SPDX-License-Identifier: MIT */
/* signals.c - signals while the profiler itself works for long. */
#include "perl/glue.h"

/* perl runs handlers between ops, and dies of the 120th signal that waits for that. There may be more while we work:
 * then they are not counted, as perl notes the number of each signal, too. */
void nytp_signals_wait(void *self, int begins) {
    nytp_glue *g = (nytp_glue *)self;
    dTHXa(g->perl);
    PL_sig_pending = begins ? INT_MIN / 2 : 0;
    for (int signal = 1; !begins && PL_psig_pend && signal < SIG_SIZE; signal++)
        if (PL_psig_pend[signal]) PL_sig_pending = 1;
}
