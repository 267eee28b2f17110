/* SPDX-License-Identifier: MIT */
/* v5_subs.h - the subs of a file of format 5 and their calls, by name while the file is read: file and lines of a sub
 * are final only at the end. Private to load. */
#ifndef NYTP_MODEL_V5_SUBS_H
#define NYTP_MODEL_V5_SUBS_H

#include "base/table.h"
#include "model/loader.h"
#include "model/paths.h"
#include "v5/event.h"

typedef struct nytp_v5_subs {
    nytp_loader *l;
    nytp_arena arena;         /* for the members below, while the file is read */
    nytp_table names;         /* of subs: index + 1 */
    struct nytp_v5_named *at; /* subs */
    nytp_edge *edges;         /* caller and callee are indexes of `at` */
    nytp_again *again;        /* sub is an index of `at`, too */
    uint32_t n, room, edges_n, edges_room, again_n, again_room;
    nytp_paths paths;         /* of indexes, too; ticks of the profile */
    int64_t exclusive;        /* of all calls, by their sites */
    int64_t returned;         /* the same by their returns, when nytp_v5_subs_finish has been called */
    nytp_timeline timeline;   /* of the process that runs, if the loader keeps calls; its subs are indexes, too */
} nytp_v5_subs; /* all zero but l is empty */

/* Each takes a record and returns an nytp_code. utf8 as in nytp_v5_event. file is an index of the profile's files, e
 * the record in the profile's terms, but for caller and callee; exclusive is in ticks of the profile. */
enum nytp_code nytp_v5_subs_lines(nytp_v5_subs *s, const nytp_v5_sub *r, uint32_t utf8, uint32_t file);
enum nytp_code nytp_v5_subs_mark(nytp_v5_subs *s, nytp_str name, uint32_t utf8); /* the sub is written in C */
enum nytp_code nytp_v5_subs_call(nytp_v5_subs *s, const nytp_v5_callers *r, uint32_t utf8, const nytp_edge *e);
enum nytp_code nytp_v5_subs_return(nytp_v5_subs *s, const nytp_v5_return *r, uint32_t utf8, double exclusive,
                                   nytp_process *process);

/* Puts everything into the profile; first_file is that of fid 1, first_process the file's first. Returns an
 * nytp_code. */
enum nytp_code nytp_v5_subs_finish(nytp_v5_subs *s, uint32_t first_file, uint32_t first_process);

void nytp_v5_subs_free(nytp_v5_subs *s);

#endif
