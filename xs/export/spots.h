/* SPDX-License-Identifier: MIT */
/* spots.h - call paths with lines, for formats that show both.
 *
 * A frame is a spot: a sub and the line that it runs. A path's last frame is at a line with time of its own, and the
 * others are at lines of calls. A sub with calls may have a frame at its first line, too, which counts them. The paths
 * are a call tree (report/calltree.h): its node 0 has a child for each process, and all others are frames. */
#ifndef NYTP_EXPORT_SPOTS_H
#define NYTP_EXPORT_SPOTS_H

#include "report/calltree.h"
#include "report/select.h"

/* Code of a string eval runs in the line with the eval, unless the eval has the sub. */
typedef struct nytp_spot {
    uint32_t sub;
    uint32_t file, line; /* 0: unknown */
    uint32_t function;   /* of sub and file, from 0 */
} nytp_spot;

/* A part of a context's own time, on one line. */
typedef struct nytp_spots_part {
    uint32_t to;         /* the node of the tree that has it */
    uint32_t file, line;
    uint32_t next;       /* of the context: 1 + index; 0: none */
    int64_t ticks;
} nytp_spots_part;

/* What is made besides paths with times: frames that count calls, and the parts of contexts, for values by line. */
enum nytp_spots_with { NYTP_SPOTS_CALLS = 1, NYTP_SPOTS_PARTS = 2 };

typedef struct nytp_spots {
    nytp_calltree tree; /* callees: of frames the index of `at`, of node 0's children that of a process */
    nytp_spot *at;
    uint32_t n, room;
    uint32_t functions_n; /* all spots of a sub in one file are of one function */
    uint32_t *entered; /* per node of the profile: that of the tree which counts its calls; 0: none */
    nytp_spots_part *parts;
    uint32_t *parts_of; /* per node of the profile: 1 + index of one; 0: none */
    uint32_t parts_n, parts_room;
} nytp_spots; /* all zero is empty */

/* All calling contexts that are selected, linked with the most time first; with: enum nytp_spots_with. The profile must
 * be in whole nanoseconds, and have its processes apart (load.h). Returns an nytp_code; to be freed in any case. */
int nytp_spots_make(nytp_spots *s, const nytp_profile *p, const nytp_selection *selection, int with);

/* The values of a metric of the profile, per node of the tree. What lines have of it, too, is shared by a context's
 * lines in proportion to its time there and to the line's value for its time, if the parts are known. All else is at
 * the frames with the contexts' calls, or at none. */
void nytp_spots_values(const nytp_spots *s, const nytp_profile *p, uint32_t metric, int64_t *values);

#define NYTP_SPOTS_PROCESS 1 /* the depth of processes' nodes */

static inline int nytp_spots_is_process(const nytp_spots *s, uint32_t i) {
    return s->tree.at[i].depth == NYTP_SPOTS_PROCESS;
}

static inline const nytp_spot *nytp_spots_at(const nytp_spots *s, uint32_t i) { return &s->at[s->tree.at[i].callee]; }

void nytp_spots_free(nytp_spots *s);

#endif
