/* SPDX-License-Identifier: MIT */
/* counted.h - what is counted beside calls, statements and time: Perl's table of counters (record/counters.h). */
#ifndef NYTP_PERL_COUNTED_H
#define NYTP_PERL_COUNTED_H

#include "perl/glue.h"

enum nytp_counted {
    NYTP_COUNTED_MADE, /* option memory (growth.h) */
    NYTP_COUNTED_FREED,
    NYTP_COUNTED_ALLOCATIONS, /* these with libnytprof-heap.so only; bytes have the words of Lua's */
    NYTP_COUNTED_BYTES,
    NYTP_COUNTED_BYTES_FREED,
    NYTP_COUNTED_BLOCKED /* from here on option waiting (sample/blocked.h) */
};

extern const nytp_counter nytp_counted_rows[];

#endif
