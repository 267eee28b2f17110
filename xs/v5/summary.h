/* SPDX-License-Identifier: MIT */
/* summary.h - what a file of format 5 says of subs and calls, gathered until the end and told then. Private to replay.
 *
 * Subs go by name here: bodies that share one are one sub. Times are nanoseconds. */
#ifndef NYTP_V5_SUMMARY_H
#define NYTP_V5_SUMMARY_H

#include "base/arena.h"
#include "base/buf.h"
#include "base/map.h"
#include "capture/context.h"
#include "capture/format.h"
#include "v5/teller.h"

#define NYTP_SUMMARY_FAILED UINT32_MAX

typedef struct nytp_summary {
    nytp_arena names;
    nytp_map by_name; /* hash to number + 1 */
    nytp_buf subs;    /* of struct sub; number 0 is the program itself, main::RUNTIME */
    nytp_buf nodes;   /* of nytp_context; number 0 is the root */
    nytp_buf edges;   /* of nytp_edge, made when told */
    nytp_map by_site;    /* hash to number of edge + 1 */
    nytp_map by_package; /* hash to number + 1 of a sub in the package's home */
} nytp_summary;       /* all zero, then opened */

int nytp_summary_open(nytp_summary *s); /* NYTP_OK or NYTP_NOMEM */
void nytp_summary_close(nytp_summary *s);

/* The sub of that name, made if new. fid is its file's, 0 without one; in_eval is 1 if that is an eval. The lines of
 * the newest body count, and so do perl's. FAILED when memory is short. */
uint32_t nytp_summary_sub(nytp_summary *s, const nytp_rec_sub *r, uint32_t fid, int in_eval);

/* A new context; its parent exists. FAILED when memory is short. */
uint32_t nytp_summary_node(nytp_summary *s, const nytp_context *like);

uint32_t nytp_summary_nodes(const nytp_summary *s);
nytp_context *nytp_summary_at(const nytp_summary *s, uint32_t node); /* borrowed until the next node */

/* Of one call in that context: SUB_ENTRY, and SUB_RETURN with its times, in ticks of format 5, and how many calls are
 * running, itself included. */
void nytp_summary_tell_entry(const nytp_summary *s, uint32_t node, nytp_teller *to);
void nytp_summary_tell_return(const nytp_summary *s, uint32_t node, uint32_t depth, int64_t inclusive,
                              int64_t exclusive, nytp_teller *to);

/* Tells SUB_RETURN (calls 1 and more) and SUB_ENTRY (2 and more) events; sums up the contexts, so it is needed even
 * with calls 0, and once. */
void nytp_summary_tell_calls(nytp_summary *s, int64_t calls, nytp_teller *to);

/* Then SUB_INFO and SUB_CALLERS. first_fid is some file's, or 0 if there is none. */
void nytp_summary_tell_subs(nytp_summary *s, uint32_t first_fid, nytp_teller *to);

#endif
