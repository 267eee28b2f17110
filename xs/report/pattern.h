/* SPDX-License-Identifier: MIT */
/* pattern.h - regular expressions for names: POSIX's extended ones, which a name contains. */
#ifndef NYTP_REPORT_PATTERN_H
#define NYTP_REPORT_PATTERN_H

#include "model/profile.h"

/* What an expression lacks, for "expected an expression with ...", that would take the C library too much memory or
 * time; NULL: nothing. */
const char *nytp_pattern_fault(const char *pattern);

/* Tells whether the text that an option of that name has is one. Both return an nytp_code with e set:
 * NYTP_USAGE, with what is wrong and where. */
enum nytp_code nytp_pattern_check(const char *option, const char *pattern, nytp_error *e);

/* Of the subs with a mark, those keep it whose names contain the expression. */
enum nytp_code nytp_pattern_keep(unsigned char *marks, const nytp_profile *p, const char *pattern, nytp_error *e);

#endif
