/* SPDX-License-Identifier: MIT */
/* statements.h - lines with statements beside those that ran: lines of code, and of statements merged into others. */
#ifndef NYTP_MODEL_STATEMENTS_H
#define NYTP_MODEL_STATEMENTS_H

#include "model/loader.h"

/* Both take a line of the file with this index; that of lost files, 0, has none. Return as the loader's functions. */
enum nytp_code nytp_statements_carried(nytp_loader *l, uint32_t file, const nytp_rec_carried *r);
enum nytp_code nytp_statements_code(nytp_loader *l, uint32_t file, const nytp_rec_code *r);

/* Sorts both, and drops merged lines with a count of their own, and those with a carrier that did not run; once the
 * file's lines are known. */
void nytp_statements_tidy(nytp_file *f);

#endif
