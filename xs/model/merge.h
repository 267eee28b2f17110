/* SPDX-License-Identifier: MIT */
/* merge.h - string evals of one site that are one piece of code. Private to load.
 *
 * Evals run by one line of one file are grouped by text; those without text by whether they define subs and run evals.
 * A group in which no member ran evals of its own becomes its first member. A line with more than NYTP_MERGE_SIBLINGS
 * different texts becomes one eval altogether: it generates code, and a report with a page for each is useless. Subs
 * with names that differ only in eval numbers then become one, too. */
#ifndef NYTP_MODEL_MERGE_H
#define NYTP_MODEL_MERGE_H

#include "model/profile.h"

#define NYTP_MERGE_SIBLINGS 200

/* Makes the decision: sets files' `into` and `merged`, and subs' `moved`. Returns NYTP_OK or NYTP_NOMEM. */
enum nytp_code nytp_merge_evals(nytp_profile *p);

/* Applies it: places, nodes, edges, subs and files refer to the remaining entries. */
void nytp_merge_resolve(nytp_profile *p);

/* Gives the lengths of calls of subs that have moved to those that replace them. NYTP_OK or NYTP_NOMEM. */
enum nytp_code nytp_merge_lengths(nytp_profile *p);

#endif
