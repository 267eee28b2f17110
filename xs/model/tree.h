/* SPDX-License-Identifier: MIT */
/* tree.h - from the calling-context tree to edges and sums of subs: callers, callees, call sites, counts and times.
 *
 * Inclusive time is never measured: it is a node's exclusive time plus its children's. A call counts as outermost when
 * its sub is not already on the path to it; only outermost calls add to inclusive time, so time in a recursion is
 * counted once, and nested calls add to recursive time instead. Private to load. */
#ifndef NYTP_MODEL_TREE_H
#define NYTP_MODEL_TREE_H

#include "model/profile.h"

/* Fills in the nodes' links, depth and inclusive time, the edges, and the subs' sums. NYTP_OK or NYTP_NOMEM. */
enum nytp_code nytp_tree_sum(nytp_profile *p);

#endif
