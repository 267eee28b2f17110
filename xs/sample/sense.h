/* SPDX-License-Identifier: MIT */
/* sense.h - whether a layout is that of a process: by the names of perl's ops, and by stacks that make sense. */
#ifndef NYTP_SAMPLE_SENSE_H
#define NYTP_SAMPLE_SENSE_H

#include "sample/unwind.h"

/* op_names: the address of the process's PL_op_name. 1 if each op that the layout has a number for has that name there,
 * and if stacks of several looks within some tenths of a second go from statements with files' names, in subs with
 * names, to the main program. */
int nytp_sense_makes(const nytp_subject *t, uint64_t op_names);

#endif
