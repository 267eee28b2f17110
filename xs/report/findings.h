/* SPDX-License-Identifier: MIT */
/* findings.h - what a profile says to look at first, as plain data.
 *
 * A finding is a share of the run that a reader can do something about: it has a subject, a time and a count. Rules are
 * conservative, since a false alarm costs more than a missing finding: shares are large, a time counts without its
 * spread, and less than 20 ms is never found, as a busy machine adds some time slices anywhere. Of two findings about
 * the same code the one that says more stays. */
#ifndef NYTP_REPORT_FINDINGS_H
#define NYTP_REPORT_FINDINGS_H

#include "model/loading.h"
#include "model/profile.h"

/* The first says the most. */
enum nytp_finding_kind {
    NYTP_FINDING_CALLS,   /* a sub that is called very often, for little each time */
    NYTP_FINDING_WAITING, /* built-ins that wait */
    NYTP_FINDING_IO,      /* built-ins that read, write, or ask for files */
    NYTP_FINDING_REGEX,   /* built-ins that match */
    NYTP_FINDING_SORT,
    NYTP_FINDING_IN_C,    /* a sub written in C */
    NYTP_FINDING_EVALS,   /* a line that compiles string evals */
    NYTP_FINDING_MODULE,  /* loading one module, or compiling the program */
    NYTP_FINDING_LINE,
    NYTP_FINDING_SUB,     /* a sub's own time */
    NYTP_FINDING_DEEP,    /* a sub that recurses deeply */
    NYTP_FINDING_LOADING, /* all modules */
    NYTP_FINDING_IDLE,    /* the process had no CPU, and built-ins do not tell why */
    NYTP_FINDING_NO_CPU,  /* it was ready to run, as option waiting has counted */
    NYTP_FINDING_GROWTH,  /* a line that has made, and not freed, much of what is left at the end */
    NYTP_FINDING_KINDS
};

typedef struct nytp_finding {
    enum nytp_finding_kind kind;
    uint32_t sub;        /* of CALLS, IN_C, SUB and DEEP; of built-ins the one with the most time. Else NYTP_ROOT */
    uint32_t file, line; /* a line, or the one with the most of these calls; 0 0: none is known */
    nytp_str name;       /* of a module, borrowed from the profile; empty if it is compiling the program */
    int64_t ticks;       /* exclusive; of DEEP inclusive */
    int64_t whole;       /* of which the ticks are a share: the profiled time, or from start to end (IDLE, NO_CPU) */
    int64_t here;        /* the part of the ticks in calls from the line */
    int64_t count;       /* calls, or runs of a line; of DEEP the depth; 0: not known */
    uint32_t places;     /* lines that make these calls; of several built-ins 0 */
    int64_t growth;      /* of GROWTH: what the line has made and not freed, of a pair of metrics; else 0 */
    int64_t kept;        /* of which that is a share: the same of the run */
} nytp_finding;

#define NYTP_FINDINGS_MOST 7

typedef struct nytp_findings {
    nytp_finding at[NYTP_FINDINGS_MOST]; /* GROWTH, then the most ticks first */
    uint32_t n;
} nytp_findings;

/* 1: a profile with option waiting, whose built-ins and C code have what they waited, and the process what it waited
 * for. WAITING is all of that then, and the time of other built-ins is without it. */
int nytp_findings_is_measured(const nytp_profile *p);

/* What is found in p, whose modules are given. */
nytp_findings nytp_findings_find(const nytp_profile *p, const nytp_loading *l);

#endif
