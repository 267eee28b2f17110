/* SPDX-License-Identifier: MIT */
/* tally.h - what the processes of a build have used, by classes of each schema. tallied.h prints it. */
#ifndef NYTP_REPORT_TALLY_H
#define NYTP_REPORT_TALLY_H

#include "base/arena.h"
#include "base/table.h"
#include "report/density.h"
#include "report/quantiles.h"
#include "report/schemata.h"

/* Seconds of a process. */
enum nytp_tally_measure {
    NYTP_TALLY_USER,   /* CPU time with the children that it has waited for */
    NYTP_TALLY_SYSTEM, /* likewise */
    NYTP_TALLY_OWN,    /* CPU time, without processes of the build that are below it */
    NYTP_TALLY_REAL,
    NYTP_TALLY_MEASURES
};

/* Counts of a process, with the children that it has waited for. */
enum nytp_tally_use {
    NYTP_TALLY_MEMORY, /* kB; of a class that of its largest process */
    NYTP_TALLY_READS,
    NYTP_TALLY_WRITES,
    NYTP_TALLY_FAULTS, /* with I/O */
    NYTP_TALLY_SWITCHES,
    NYTP_TALLY_FORCED,
    NYTP_TALLY_USES
};

typedef struct nytp_tally_sum {
    double total, least, most;
} nytp_tally_sum;

typedef struct nytp_tally_row {
    nytp_str name;
    uint64_t n;
    int64_t first, last; /* ns since the epoch: begin of the first process, end of the last one */
    nytp_tally_sum of[NYTP_TALLY_MEASURES];
    uint64_t uses[NYTP_TALLY_USES];
    nytp_quantiles *spread; /* of each measure; NULL: not wanted */
    nytp_density *density;  /* likewise */
} nytp_tally_row;

typedef struct nytp_tally_list { /* of a schema */
    nytp_tally_row *rows;
    uint32_t n, room;
    nytp_table by_name;
    nytp_tally_row total;
} nytp_tally_list;

typedef struct nytp_tally {
    nytp_arena arena;
    nytp_tally_list *lists;
    uint32_t lists_n;
    int64_t began;     /* of the first process */
    uint64_t exceeded; /* processes whose children have used more than they */
    uint32_t buckets;  /* that spreads may take; 0 if distributions are not wanted */
    int32_t failed;    /* for want of memory */
    int32_t is_spread; /* 1: distributions are wanted */
} nytp_tally;

nytp_tally *nytp_tally_make(uint32_t schemata, int is_spread); /* NULL without memory */

/* Counts a process whose end is known in the classes that nytp_schemata_classify gave. */
void nytp_tally_add(nytp_tally *t, const nytp_built *process, const nytp_buf *classes);

void nytp_tally_free(nytp_tally *t); /* takes NULL */

#endif
