/* SPDX-License-Identifier: MIT */
/* budget.h - what windows that are no drafts may take of a file: a part for all runs, a part by the run's length, and
 * as much as the definitions and the source. All streams of a process in the file have one budget, so a week takes no
 * more with a hundred threads than with one; a stream whose window is not paid for has a draft. */
#ifndef NYTP_RECORD_BUDGET_H
#define NYTP_RECORD_BUDGET_H

#include "record/recorder.h"

/* r's output is opened: in a new file, or in the outlet's. */
void nytp_budget_begin(nytp_recorder *r, int is_new);

/* r's file becomes the outlet's. */
void nytp_budget_share(nytp_recorder *r);

/* Whether a window that ends now may be written for good; one was, of so many bytes. */
int nytp_budget_pays(nytp_recorder *r, int64_t now);
void nytp_budget_spend(nytp_recorder *r, uint64_t bytes);

#endif
