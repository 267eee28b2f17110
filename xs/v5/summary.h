/* SPDX-License-Identifier: MIT */
/* summary.h - subs and calls of a file of format 5, gathered until the end and emitted then. Private to replay.
 *
 * Subs go by name here: bodies that share one are one sub. Times are nanoseconds. */
#ifndef NYTP_V5_SUMMARY_H
#define NYTP_V5_SUMMARY_H

#include "base/arena.h"
#include "base/buf.h"
#include "base/table.h"
#include "capture/context.h"
#include "capture/format.h"
#include "v5/emitter.h"

#define NYTP_SUMMARY_FAILED UINT32_MAX

typedef struct nytp_summary {
    nytp_arena names;
    nytp_table by_name; /* number + 1 */
    nytp_buf subs;    /* of struct sub; number 0 is the program itself, main::RUNTIME */
    nytp_buf nodes;   /* of nytp_context; number 0 is the root */
    nytp_buf edges;   /* of nytp_edge, made when emitted */
    nytp_table by_site;    /* number of edge + 1 */
    nytp_table by_package; /* number + 1 of a sub in the package's home file */
} nytp_summary;       /* to be zeroed, then opened */

enum nytp_code nytp_summary_open(nytp_summary *s); /* NYTP_OK or NYTP_NOMEM */
void nytp_summary_close(nytp_summary *s);

/* The sub of that name, made if new. fid is that of its file, or 0; in_eval is 1 if the file is an eval. The lines are
 * those of the newest body, as in perl. FAILED when memory is short. */
uint32_t nytp_summary_sub(nytp_summary *s, const nytp_rec_sub *r, uint32_t fid, int in_eval);

/* A new context; its parent exists. FAILED when memory is short. */
uint32_t nytp_summary_node(nytp_summary *s, const nytp_context *like);

uint32_t nytp_summary_nodes(const nytp_summary *s);
nytp_context *nytp_summary_at(const nytp_summary *s, uint32_t node); /* borrowed until the next node */

/* Emit the events of one call in that context: SUB_ENTRY; SUB_RETURN with its times, in ticks of format 5, and its
 * depth, itself included. */
void nytp_summary_emit_entry(const nytp_summary *s, uint32_t node, nytp_emitter *to);
void nytp_summary_emit_return(const nytp_summary *s, uint32_t node, uint32_t depth, int64_t inclusive,
                              int64_t exclusive, nytp_emitter *to);

/* Emits SUB_RETURN (calls 1 and more) and SUB_ENTRY (2 and more) events. Sums up the contexts, so it must be called
 * once even with calls 0. */
void nytp_summary_emit_calls(nytp_summary *s, int64_t calls, nytp_emitter *to);

/* Emits SUB_INFO and SUB_CALLERS, after the calls. first_fid is the lowest fid, or 0. */
void nytp_summary_emit_subs(nytp_summary *s, uint32_t first_fid, nytp_emitter *to);

#endif
