/* SPDX-License-Identifier: MIT */
/* counted.c - the rows of Perl's counters. */
#include "perl/counted.h"

#include "sample/blocked.h"

#define BY_LINE_AND_CALL (NYTP_OF_PLACE | NYTP_OF_NODE)

const nytp_counter nytp_counted_rows[] = {
    [NYTP_COUNTED_MADE] = {"values-made", "Values made", "", BY_LINE_AND_CALL, NYTP_ADDS_SUM},
    [NYTP_COUNTED_FREED] = {"values-freed", "Values freed", "", BY_LINE_AND_CALL, NYTP_ADDS_SUM},
    [NYTP_COUNTED_ALLOCATIONS] = {"allocations", "Allocations", "", BY_LINE_AND_CALL, NYTP_ADDS_SUM},
    [NYTP_COUNTED_BYTES] = {"bytes", "Bytes allocated", "B", BY_LINE_AND_CALL, NYTP_ADDS_SUM},
    [NYTP_COUNTED_BYTES_FREED] = {"bytes-freed", "Bytes freed", "B", BY_LINE_AND_CALL, NYTP_ADDS_SUM},
    NYTP_BLOCKED_ROWS(NYTP_COUNTED_BLOCKED, "other built-ins", "perl", "Perl"),
    {0},
};
