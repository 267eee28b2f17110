/* SPDX-License-Identifier: MIT */
/* load.h - captures in, a profile out. */
#ifndef NYTP_MODEL_LOAD_H
#define NYTP_MODEL_LOAD_H

#include "model/profile.h"

typedef struct nytp_load_options {
    int32_t keep_evals;   /* 1: string evals of one site and text stay apart */
    int32_t tell_outside; /* 1: time outside statements has entries of its own among the subs, see outside.h */
    const char *module_dir;  /* a directory besides those of @INC that modules were found in, absolute; or NULL */
} nytp_load_options;

/* Reads captures and files of Devel::NYTProf's own format 5, in that order, into one profile; "-" is standard input. *p
 * is overwritten and must be closed in any case. Damage does not fail: it becomes a note in the profile and unknown
 * things; a broken file of format 5 is read up to where it breaks (nytp_input.broken). Returns an nytp_code with e set:
 * NYTP_IO, NYTP_FORMAT (not a capture), NYTP_NOMEM. */
enum nytp_code nytp_load(nytp_profile *p, const char *const *paths, uint32_t n, const nytp_load_options *options,
                         nytp_error *e);

#endif
