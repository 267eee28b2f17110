/* SPDX-License-Identifier: MIT */
/* changes.h - what differs between two builds, by the classes, targets or directories of their processes.
 *
 * All values are without the processes below, so that a table's sums are those of the build. Directories are as they
 * are below that of the build's first process, as two builds may be in different places; a target has its directory. */
#ifndef NYTP_REPORT_CHANGES_H
#define NYTP_REPORT_CHANGES_H

#include "base/table.h"
#include "report/classes.h"
#include "report/sink.h"

enum nytp_changes_of { NYTP_CHANGES_CLASS, NYTP_CHANGES_TARGET, NYTP_CHANGES_DIRECTORY };

enum nytp_changes_value {
    NYTP_CHANGES_REAL, /* ns, in which no process directly below ran */
    NYTP_CHANGES_USER, /* us of CPU time */
    NYTP_CHANGES_SYSTEM,
    NYTP_CHANGES_BLOCKS, /* read and written */
    NYTP_CHANGES_COUNT,  /* processes */
    NYTP_CHANGES_VALUES
};

enum { NYTP_CHANGES_OLD, NYTP_CHANGES_NEW };

typedef struct nytp_change {
    nytp_str name;
    int64_t values[2][NYTP_CHANGES_VALUES]; /* old and new ones; a count of 0: it is not in that build */
} nytp_change;

typedef struct nytp_changes {
    nytp_change *rows;
    uint32_t n, room;
    nytp_change total;
    nytp_arena arena;
    nytp_table by_name;
} nytp_changes; /* all zero is empty */

/* Adds the processes of one build to a side. Returns NYTP_OK or NYTP_NOMEM. */
enum nytp_code nytp_changes_add(nytp_changes *c, int side, const nytp_build *b, const nytp_class_list *classes,
                                enum nytp_changes_of of);

/* new - old. */
int64_t nytp_changes_by(const nytp_change *row, enum nytp_changes_value value);

/* Sorts rows: those first that have changed the most, in either direction; rows of the same change by name. Returns
 * NYTP_OK or NYTP_NOMEM. */
int nytp_changes_sort(nytp_changes *c, enum nytp_changes_value value);

int nytp_changes_has_changed(const nytp_change *row);
uint32_t nytp_changes_count(const nytp_changes *c); /* rows that have changed */

void nytp_changes_free(nytp_changes *c); /* leaves none */

/* A figure of the builds as wholes. */
#define NYTP_CHANGES_FIGURES 6
typedef struct nytp_changes_figure {
    const char *title;
    double values[2];
    int32_t is_time; /* 1: seconds; else a number */
} nytp_changes_figure;

void nytp_changes_figures(nytp_changes_figure figures[NYTP_CHANGES_FIGURES], const nytp_build *builds);

/* ---- the input of a report on them ---- */

typedef struct nytp_changes_table {
    nytp_str title; /* of the schema, or what else rows are by */
    enum nytp_changes_of of;
    nytp_changes changes; /* sorted */
} nytp_changes_table;

typedef struct nytp_changes_request {
    const nytp_build *builds; /* the old one, the new one */
    const nytp_changes_table *tables;
    uint32_t tables_n;
    uint32_t most;       /* rows of a table; 0: as many as suit the report */
    const char *version; /* the distribution's */
} nytp_changes_request;

/* The report for a terminal, in 78 columns, as nytp_report.write_changes. */
int nytp_changed_write(const nytp_changes_request *r, nytp_sink *sink);

#endif
