/* SPDX-License-Identifier: MIT */
/* plan.h - what a merge of files of format 5 must know of all inputs before it writes the first byte: the files behind
 * their fids, and their attributes. Private to merge. */
#ifndef NYTP_V5_PLAN_H
#define NYTP_V5_PLAN_H

#include "base/arena.h"
#include "base/buf.h"
#include "base/map.h"
#include "base/table.h"
#include "v5/emitter.h"

typedef struct nytp_plan_file {
    nytp_v5_fid record;    /* as emitted: with its new fid, and its parent's */
    uint32_t utf8;
    uint32_t data_fid;     /* the fid that its times and calls go to; its own, or that of the eval it is equal to */
    uint32_t source_input; /* number + 1 of the input that its source comes from, 0 while unknown */
    int32_t is_emitted;
} nytp_plan_file;

typedef struct nytp_plan_input {
    nytp_str name;  /* for remarks */
    nytp_map fids;  /* to number of file + 1 */
    double rate;    /* ticks a second; 0 while unknown */
} nytp_plan_input;

typedef struct nytp_plan_pair {
    enum nytp_v5_tag tag;    /* ATTRIBUTE or OPTION */
    nytp_str key, value;
    uint32_t input;          /* the first input that has it */
    uint32_t is_late;        /* 1: an attribute that is emitted at the end */
    double sum;              /* of an attribute that is added up */
} nytp_plan_pair;

typedef struct nytp_v5_plan {
    nytp_arena strings;
    nytp_buf inputs;   /* of nytp_plan_input, in order */
    nytp_buf files;    /* of nytp_plan_file */
    nytp_buf pairs;    /* of nytp_plan_pair */
    nytp_buf programs; /* of struct program */
    nytp_buf subs;     /* of struct sub: subs of evals */
    nytp_table by_name; /* plain files: number + 1 */
    nytp_table by_sub; /* subs in evals: number + 1 */
    uint32_t last_fid;
    uint32_t minor;    /* of the highest version */
    int32_t is_deflated;
    nytp_buf remarks;  /* lines for the user */
} nytp_v5_plan; /* all zero: no inputs */

/* Begins another input. NYTP_OK or NYTP_NOMEM. */
enum nytp_code nytp_v5_plan_input(nytp_v5_plan *p, nytp_str name);

/* Each event of each input, once. NYTP_OK or NYTP_NOMEM. */
enum nytp_code nytp_v5_plan_event(nytp_v5_plan *p, const nytp_v5_event *e);

nytp_plan_input *nytp_v5_plan_input_at(const nytp_v5_plan *p, uint32_t input);

/* The file behind an input's fid; NULL for 0 and for a fid that the input never declared. Borrowed until the next
 * event. */
nytp_plan_file *nytp_v5_plan_file(const nytp_v5_plan *p, uint32_t input, uint32_t fid);

/* Emits the pairs that belong at the beginning, or, with late 1, at the end. */
void nytp_v5_plan_emit(nytp_v5_plan *p, int late, nytp_emitter *to);

/* Ticks a second of the merged file. */
double nytp_v5_plan_rate(const nytp_v5_plan *p);

void nytp_v5_plan_close(nytp_v5_plan *p);

#endif
