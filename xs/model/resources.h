/* SPDX-License-Identifier: MIT */
/* resources.h - what the processes of a run used, from the first start to the last end. Captures of several runs, one
 * after the other, are added up. */
#ifndef NYTP_MODEL_RESOURCES_H
#define NYTP_MODEL_RESOURCES_H

#include "model/profile.h"

typedef struct nytp_resources {
    uint64_t begin;              /* of the first; ns since the epoch */
    uint32_t processes, threads; /* a process has one or more threads */
    uint32_t runs;               /* with none of their processes at the same time; 0: not known */
    double wall;                 /* seconds from a run's first start to its last end, in all runs; 0: not known */
    uint64_t user_us, system_us; /* of all processes */
    uint64_t max_rss_kb;         /* of the largest */
    int64_t waited;              /* ticks, for clients */
    uint32_t *siblings;          /* per stream: streams of its process, itself included; owned, NULL after an error */
} nytp_resources;

/* Returns an nytp_code; *u is set, and to be freed, in any case. */
enum nytp_code nytp_resources_sum(nytp_resources *u, const nytp_profile *p);

void nytp_resources_free(nytp_resources *u);

/* The ticks of the profiler's own work that are in no time of the profile; with nytp_load_options.raw a part is in
 * these. */
int64_t nytp_resources_profiler(const nytp_profile *p);

#endif
