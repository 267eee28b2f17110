/* SPDX-License-Identifier: MIT */
/* match.h - the subs that a person means by a name. */
#ifndef NYTP_REPORT_MATCH_H
#define NYTP_REPORT_MATCH_H

#include "base/buf.h"
#include "model/profile.h"

/* Sets chosen[sub] to 1 for the subs of that name, in full or as reports print it (names.h); if there are none, for
 * those with a name that ends so behind a separator; else for those that it matches as a regular expression. If any of
 * these was called, subs that were not are left out. *n is their number. Returns an nytp_code. */
enum nytp_code nytp_match_subs(unsigned char *chosen, uint32_t *n, const nytp_profile *p, const char *name);

/* Sets chosen[sub] to 1 for the subs of that name; if there are none, for those with a name that ends so behind a
 * separator, if they have one name. Returns an nytp_code with e set: NYTP_USAGE, for option --from and with names to
 * choose from, if there is no such name or several. */
enum nytp_code nytp_match_one(unsigned char *chosen, const nytp_profile *p, const char *name, nytp_error *e);

/* Appends "there is no sub NAME in this profile", and up to three names like that one. Memory that is short leaves out
 * failed. */
void nytp_match_missing(nytp_buf *out, const nytp_profile *p, const char *name);

#endif
