/* SPDX-License-Identifier: MIT */
/* refused.h - why a profile makes no report: it is damaged, empty, or has nothing of what the user chose. */
#ifndef NYTP_CLI_REFUSED_H
#define NYTP_CLI_REFUSED_H

#include "model/profile.h"
#include "report/select.h"

/* Damage that has left no counters is no empty report: the message is about the damage. */
void nytp_refused_ruin(const nytp_profile *p, nytp_error *e);

/* A profile cut short before its first counters. */
void nytp_refused_empty(const nytp_profile *p, const char *path, nytp_error *e);

/* The options by which nothing was chosen: a typing mistake is not to look like a report without times. */
void nytp_refused_nothing(const nytp_wish *wish, nytp_error *e);

/* A profile without the counts of which the report is made. */
void nytp_refused_uncounted(const nytp_profile *p, const char *path, nytp_error *e);

#endif
