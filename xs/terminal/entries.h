/* SPDX-License-Identifier: MIT */
/* entries.h - the entries of gprof's call graph, in their order: one for each sub, and one for each cycle. */
#ifndef NYTP_TERMINAL_ENTRIES_H
#define NYTP_TERMINAL_ENTRIES_H

#include "model/cycles.h"
#include "report/select.h"

#define NYTP_ENTRY_CYCLE UINT32_MAX

typedef struct nytp_entry {
    uint32_t sub, group; /* sub NYTP_ENTRY_CYCLE: the group as a whole */
    int64_t self, children;
    int64_t ticks; /* both */
    int32_t is_shown;
} nytp_entry;

typedef struct nytp_entries {
    nytp_cycles c;
    nytp_entry *at;   /* most time first; an entry's number is its index plus 1 */
    uint32_t *of_sub; /* per sub the number of its entry; 0: it has none */
    uint32_t n;
} nytp_entries; /* all zero is empty */

/* Fills an empty list. Returns an nytp_code; to be freed in any case. */
enum nytp_code nytp_entries_make(nytp_entries *all, const nytp_profile *p, const nytp_selection *s);

void nytp_entries_free(nytp_entries *all);

#endif
