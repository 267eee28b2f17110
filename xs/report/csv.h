/* csv.h - every line's time and count as separated values: one file per source file and level, as Devel::NYTProf's
 * Reader has written them since its first days. Times are seconds. */
#ifndef NYTP_REPORT_CSV_H
#define NYTP_REPORT_CSV_H

#include "model/profile.h"
#include "report/sink.h"

typedef struct nytp_csv_options {
    nytp_str version;   /* of the distribution, told at the top of each file */
    nytp_str delimiter; /* empty: a comma */
    int32_t annotated;  /* 1: each row begins with "srcline" and a delimiter */
} nytp_csv_options;

/* Lines always; blocks and subs where the program was profiled with blocks=1. */
int nytp_csv_has_level(const nytp_profile *p, enum nytp_level level);

/* "line", "block" or "sub", as in the files' names. */
const char *nytp_csv_level_name(enum nytp_level level);

/* Writes one level's files, NAME-FID-LEVEL.csv: evals at line level only. Returns an nytp_code. */
int nytp_csv_write(const nytp_profile *p, enum nytp_level level, const nytp_csv_options *options, nytp_sink *sink);

#endif
