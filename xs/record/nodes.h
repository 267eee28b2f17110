/* SPDX-License-Identifier: MIT */
/* nodes.h - the slow paths of the calling-context tree, for calls seen for the first time. */
#ifndef NYTP_RECORD_NODES_H
#define NYTP_RECORD_NODES_H

#include "record/recorder.h"

/* The node for sub called at site in parent's context, made if new, and remembered in site->last_node. Past the
 * maxnodes option, or always if the front end folds, a sub that is already on its own path is folded into that node;
 * past it any other new context keeps its
 * caller but not the path to it. NULL when memory is short (the recorder is then dead). */
nytp_live_node *nytp_nodes_child(nytp_recorder *r, nytp_live_node *parent, nytp_live_place *site, nytp_live_sub *sub);

/* The same node, by the sub's key, if it exists; else NULL. In a large program two calls of five come from a site with
 * a last_node of another context, and in a recursion all do. So the children of a node are in a list, the latest in
 * front; only crowded nodes use a table. */
nytp_live_node *nytp_nodes_known(const nytp_recorder *r, nytp_live_node *parent, const nytp_live_place *site,
                                 nytp_subkey key);

/* All nodes in turn, from the root on: parents before their children. NULL after the last. */
nytp_live_node *nytp_nodes_next(const nytp_live_node *n);

#endif
