/* SPDX-License-Identifier: MIT */
/* groups.h - what the processes of a build have used, summed up by class, directory, target, command or
 * recipe. */
#ifndef NYTP_REPORT_GROUPS_H
#define NYTP_REPORT_GROUPS_H

#include "model/build.h"

typedef struct nytp_group_sum {
    uint32_t key;   /* what is common to its processes */
    uint32_t first; /* its first process */
    uint32_t n, failed; /* numbers of processes; killed ones have failed, too */
    uint64_t real, longest; /* ns */
    uint64_t user_us, system_us; /* without children, so that no second is in two groups */
    uint64_t max_rss_kb, blocks, switches;
} nytp_group_sum;

/* The groups of processes with one key, of which there are `keys`, from 0; the most CPU time first. of: by process; a
 * process of key `none` is in no group. Owned by the caller; NULL for want of memory. */
nytp_group_sum *nytp_groups_make(const nytp_build *b, const uint32_t *of, uint32_t keys, uint32_t none, uint32_t *n);

/* Numbers commands in a directory, by process: *keys of them. Owned by the caller; NULL for want of memory. */
uint32_t *nytp_groups_commands(const nytp_build *b, uint32_t *keys);

/* Likewise recipes: processes without others below them, for one target of one process above. One without a target is
 * alone. NYTP_BUILD_NONE for what is no part of a recipe. */
uint32_t *nytp_groups_recipes(const nytp_build *b, uint32_t *keys);

#endif
