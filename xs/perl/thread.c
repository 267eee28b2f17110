/* SPDX-License-Identifier: MIT */
/* thread.c - the stream of a thread, from the thread's first event to the end of its system thread. */
#include "perl/glue.h"

#include "record/flush.h"
#include "record/handlers.h"
#include "record/output.h"
#include "record/target.h"

/* State of the process: the file that threads share. */
static nytp_outlet outlet = NYTP_OUTLET_NONE;

nytp_outlet *nytp_thread_outlet(void) { return &outlet; }

void nytp_thread_share(nytp_glue *g) {
    nytp_interp_lock();
    nytp_target_share(&g->r, &outlet);
    nytp_interp_unlock();
}

void nytp_thread_share_no_more(void) {
    nytp_interp_lock();
    nytp_target_leave(&outlet);
    nytp_interp_unlock();
}

/* Not while perl clones it, as a thread that cannot be made needs no stream. */
int nytp_thread_begin(pTHX_ nytp_glue *g) {
    g->begins_later = 0;
    nytp_control_begin(aTHX_ g);
    return nytp_is_on(&g->r);
}

/* CLONE methods are called while the thread is made, in the system thread that makes it. */
void nytp_thread_arrives(nytp_glue *g) {
    if (g->maker == (const void *)&nytp_perl_here_state) return;
    g->maker = NULL;
    nytp_output_thread_is_here(&g->r);
}

/* Another thread that ends the process completes the profile. The stack is another one for all that may come before the
 * end of the wait, as a tied handle's methods. */
void nytp_thread_waits(nytp_glue *g) {
    g->waits = g->stack;
    g->stack = NULL;
    nytp_handlers_rest(&g->r);
}

int nytp_thread_wakes(nytp_glue *g) {
    const AV *stack = g->waits;
    g->waits = NULL;
    if (!nytp_handlers_wake(&g->r)) return 0;
    g->stack = stack;
    return 1;
}

/* What is written now is kept whatever happens to the process before the thread is joined. */
void nytp_thread_ends(void *self) {
    nytp_glue *g = (nytp_glue *)self;
    if (!g->is_thread || !nytp_has_output(&g->r)) return;
    if (nytp_is_on(&g->r)) {
        nytp_recorder_off(&g->r);
        g->stack = NULL;
        g->rests = 1;
    }
    nytp_flush_all(&g->r);
    nytp_output_thread_ends(&g->r);
}

/* Objects are destroyed in the thread that joins. */
int nytp_thread_resume(pTHX_ nytp_glue *g) {
    nytp_error e = {0};
    g->rests = 0;
    if (nytp_recorder_on(&g->r, &e)) return 0;
    g->stack = PL_mainstack;
    if (PL_phase == PERL_PHASE_DESTRUCT) nytp_phase_destruct(g);
    return 1;
}
