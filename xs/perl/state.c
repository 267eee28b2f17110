/* SPDX-License-Identifier: MIT */
/* state.c - frees the state of an interpreter. */
#include "perl/body.h"
#include "perl/pool.h"
#include "perl/waiting.h"

void nytp_state_empty(pTHX_ nytp_glue *g) {
    nytp_body_end(g);
    nytp_perl_calibrate_end(g);
    nytp_waiting_free(g);
    nytp_file_forget(&g->resolved);
    free(g->cops);
    free(g->suspended);
    nytp_map_free(&g->suspended_on);
    free(g->adopted);
    free(g->reserve);
    nytp_perl_name_release_all(aTHX_ g);
}

void nytp_state_free(pTHX_ nytp_glue *g) {
    nytp_state_empty(aTHX_ g);
    nytp_recorder_close(&g->r);
    nytp_options_free(&g->options);
    nytp_interp_release(g);
}
