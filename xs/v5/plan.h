/* SPDX-License-Identifier: MIT */
/* plan.h - what merging files of format 5 has to know of all of them before it can write the first byte: which files
 * they mean by their fids, and what stands in the head. Private to merge. */
#ifndef NYTP_V5_PLAN_H
#define NYTP_V5_PLAN_H

#include "base/arena.h"
#include "base/buf.h"
#include "base/map.h"
#include "v5/teller.h"

typedef struct nytp_plan_file {
    nytp_v5_fid record;    /* as it is told: with its new fid, and its parent's */
    uint32_t utf8;
    uint32_t data_fid;     /* the fid that its times and calls go to; its own, or that of an eval it is folded into */
    uint32_t source_input; /* number + 1 of the input that its source comes from, 0 while unknown */
    int32_t is_told;
} nytp_plan_file;

typedef struct nytp_plan_input {
    nytp_str name;  /* for remarks */
    nytp_map fids;  /* to number of file + 1 */
    double rate;    /* ticks a second; 0 while unknown */
} nytp_plan_input;

typedef struct nytp_plan_pair {
    enum nytp_v5_tag tag;    /* ATTRIBUTE or OPTION */
    nytp_str key, value;
    uint32_t input;          /* who said so first */
    uint32_t is_late;        /* 1: an attribute that is told at the end */
    double sum;              /* of an attribute that is added up */
} nytp_plan_pair;

typedef struct nytp_v5_plan {
    nytp_arena strings;
    nytp_buf inputs;   /* of nytp_plan_input, in order */
    nytp_buf files;    /* of nytp_plan_file */
    nytp_buf pairs;    /* of nytp_plan_pair */
    nytp_buf programs; /* of struct program */
    nytp_buf subs;     /* of struct sub: those of evals */
    nytp_map by_name;  /* of plain files: hash to number + 1 */
    nytp_map by_sub;   /* of subs in evals: hash to number + 1 */
    uint32_t last_fid;
    uint32_t minor;    /* of the highest version */
    int32_t is_deflated;
    nytp_buf remarks;  /* a line for each thing that the user should know */
} nytp_v5_plan; /* all zero is an empty one */

/* Events that are planned with from now on are those of another input. NYTP_OK or NYTP_NOMEM. */
int nytp_v5_plan_input(nytp_v5_plan *p, nytp_str name);

/* Each event of each input, once. NYTP_OK or NYTP_NOMEM. */
int nytp_v5_plan_event(nytp_v5_plan *p, const nytp_v5_event *e);

nytp_plan_input *nytp_v5_plan_input_at(const nytp_v5_plan *p, uint32_t input);

/* What an input means by a fid; NULL for 0 and for one that it never declared. Borrowed while nothing is planned. */
nytp_plan_file *nytp_v5_plan_file(const nytp_v5_plan *p, uint32_t input, uint32_t fid);

/* Tells the pairs that come early, or those that come late. */
void nytp_v5_plan_tell(nytp_v5_plan *p, int late, nytp_teller *to);

/* Ticks a second of the merged file. */
double nytp_v5_plan_rate(const nytp_v5_plan *p);

void nytp_v5_plan_close(nytp_v5_plan *p);

#endif
