/* SPDX-License-Identifier: MIT */
/* settings.h - options from the variable NYTPROF and from texts like it: NAME=VALUE:NAME=VALUE.
 *
 * An unknown option in a text is reported in the log, and is no error. All return the error's code; the options are to
 * be freed in any case. */
#ifndef NYTP_RECORD_SETTINGS_H
#define NYTP_RECORD_SETTINGS_H

#include "record/options.h"

/* Sets the table's defaults, then the values in NYTPROF. */
int nytp_settings_begin(nytp_options *o, nytp_error *e);

int nytp_settings_text(nytp_options *o, const char *text, nytp_error *e);

/* For a call of the program that starts a profile: the same, but now. */
int nytp_settings_begin_now(nytp_options *o, nytp_error *e);

/* One option, as the program names it in such a call: there has to be one. */
int nytp_settings_set(nytp_options *o, const char *name, const char *value, nytp_error *e);

#endif
