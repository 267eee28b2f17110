/* SPDX-License-Identifier: MIT */
/* tally.h - what the processes of a build have used, by classes: tables of text for each schema. */
#ifndef NYTP_REPORT_TALLY_H
#define NYTP_REPORT_TALLY_H

#include "report/schemata.h"

enum nytp_tally_sort { NYTP_TALLY_FIRST, NYTP_TALLY_TOTAL, NYTP_TALLY_MEAN, NYTP_TALLY_MAX, NYTP_TALLY_COUNT };

typedef struct nytp_tally nytp_tally;

nytp_tally *nytp_tally_make(uint32_t schemata); /* NULL without memory */

/* Counts a process whose end is known in the classes that nytp_schemata_classify gave. */
void nytp_tally_add(nytp_tally *t, const nytp_built *process, const nytp_buf *classes);

/* Appends the tables of a schema; nothing if no process is in it. */
void nytp_tally_put(nytp_buf *out, const nytp_tally *t, uint32_t schema, nytp_str name, enum nytp_tally_sort sort);

uint64_t nytp_tally_exceeded(const nytp_tally *t); /* processes whose children have used more than they */

void nytp_tally_free(nytp_tally *t); /* takes NULL */

/* Appends a number as tables have it, 8 columns: 1.82E+04, 2210.419, 1.00e-03, 0. */
void nytp_tally_number(nytp_buf *out, double value);

#endif
