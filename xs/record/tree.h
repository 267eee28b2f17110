/* tree.h - the slow paths of the calling-context tree: what happens when a call is seen for the first time. */
#ifndef NYTP_RECORD_TREE_H
#define NYTP_RECORD_TREE_H

#include "record/recorder.h"

/* The node for sub called at site in parent's context, made if new, and remembered in site->last_node. Past the
 * maxnodes option, or always if the front end folds, a sub that is already on its own path is folded into that node;
 * past it any other new context keeps its
 * caller but not the path to it. NULL when memory is short (the recorder is then dead). */
nytp_node *nytp_tree_child(nytp_recorder *r, nytp_node *parent, nytp_place *site, nytp_sub *sub);

/* The same node, by the sub's key, if it was asked for lately; else NULL. Two calls of five in a large program come
 * from a site whose last_node is another context's: two searches less for each, 1 % of perlcritic. */
nytp_node *nytp_tree_recent(const nytp_recorder *r, const nytp_node *parent, const nytp_place *site, nytp_subkey key);

#endif
