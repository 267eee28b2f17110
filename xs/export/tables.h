/* SPDX-License-Identifier: MIT */
/* tables.h - the tables of the JSON export: files, subs, calls and lines. calltable.c has the call tree, json.c the
 * rest.
 *
 * Merged evals, and subs of them, have no row, so rows have numbers of their own. Row 0 of files stands for none. */
#ifndef NYTP_EXPORT_TABLES_H
#define NYTP_EXPORT_TABLES_H

#include "model/profile.h"
#include "report/json.h"

/* Bits of a column `untold`: times that cannot be told from zero. */
enum nytp_tables_untold { NYTP_TABLES_OWN = 1, NYTP_TABLES_WHOLE = 2, NYTP_TABLES_NESTED = 4 };

typedef struct nytp_tables {
    const nytp_profile *p;
    nytp_json json;
    uint32_t *file, *sub; /* per file and sub of the profile: its row, or that of its replacement */
    int32_t has_text;     /* 1: files have their source */
} nytp_tables;

/* Numbers the rows. Returns an nytp_code; to be freed in any case. */
int nytp_tables_number(nytp_tables *t);
void nytp_tables_free(nytp_tables *t);

void nytp_tables_files(nytp_tables *t);
void nytp_tables_subs(nytp_tables *t);
void nytp_tables_calls(nytp_tables *t);
void nytp_tables_lines(nytp_tables *t, const char *key, enum nytp_level level);
void nytp_tables_carried(nytp_tables *t);

/* A time, in nanoseconds, or a count. Those below zero, which is within the error, become 0. */
void nytp_tables_amount(nytp_tables *t, const char *key, int64_t amount);

/* The sum, quantiles and longest of lengths, of which there are some, as members of the object. */
void nytp_tables_lengths(nytp_tables *t, const nytp_lengths *l);

/* The values of one row, in the order of the profile's metrics; nothing without metrics. */
void nytp_tables_values(nytp_tables *t, const char *key, uint32_t row);

#endif
