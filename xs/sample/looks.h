/* SPDX-License-Identifier: MIT */
/* looks.h - how the time of a window is shared among the looks at a program that were taken in it.
 *
 * What is exact: the window's length, the thread's CPU time in it, by the kernel, and how long it was ready to run
 * without a CPU; the rest it waited. What is not known is where. Charging a look the time since the look before would
 * be right if looks came at moments of their own. On a loaded machine they come late, and the moment is not chance: the
 * kernel takes the CPU away at a system call or at its tick, and gives it to the thread that looks. So most looks find
 * the program where it lost the CPU. It has indeed lost time there, but it has not used CPU there.
 *
 * So each kind of time goes to looks that have found the thread in that state, which each count for themselves:
 *
 * - CPU time, in equal parts, to those that found it running: on another CPU, or on this one until the looking thread
 *   was woken (caught.h). Such a look is at a random moment of the thread's CPU time, however late it is: so the number
 *   of such looks is an unbiased estimate, and the length of the intervals before them is not. After a pause of the
 *   looks (pace.h), when they were fewer, it counts for as much as the thread has used meanwhile.
 * - Time without a CPU, and waiting, to those that found it ready, or waiting, in proportion to what the thread did not
 *   use of the intervals that end with them, or that begin with them and end as the thread runs. Such a stretch is
 *   measured: the thread stood at one place, however few looks have seen it there.
 *
 * Where few looks found it running, those of the last second before the window count, too. Where none did, CPU time
 * goes to the looks at the ends of the intervals in which it was used; other time without a look in its state goes
 * where CPU time goes, else to the looks at the ends of the intervals. */
#ifndef NYTP_SAMPLE_LOOKS_H
#define NYTP_SAMPLE_LOOKS_H

#include "sample/caught.h"
#include "sample/found.h"
#include "sample/weight.h"

typedef struct nytp_look {
    nytp_standing at;
    int64_t moment;     /* by the recorder's clock */
    int64_t wall, used; /* ns since the look before, and the thread's CPU time in that */
    int64_t counts;     /* ns that the look stands for if it finds the thread running; 0: it is at no random moment */
    enum nytp_caught state;
    int samples;        /* that it is counted as: 1, or 0 */
    nytp_weighed share; /* of the window's time, see nytp_looks_share */
} nytp_look;

#define NYTP_LOOKS_ROOM 512
#define NYTP_LOOKS_LEAST 8 /* looks that CPU time is shared among, if there were so many in the last second */

typedef struct nytp_looks {
    nytp_look all[NYTP_LOOKS_ROOM]; /* by their moments */
    uint32_t n;
    uint32_t kept; /* of these, from before the window: they have no wall, used and samples */
} nytp_looks; /* all zero at first */

/* There must be room. */
void nytp_looks_add(nytp_looks *l, const nytp_look *look);

/* Nanoseconds since the look before the first that is not kept: CPU time used, and waiting for all the rest. */
nytp_weighed nytp_looks_time(const nytp_looks *l);

/* Sets all shares, which add up to `all` exactly, if there is a look that is not kept. */
void nytp_looks_share(nytp_looks *l, const nytp_weighed *all);

/* The window is over. Keeps what may count in the next one: of looks since that moment. */
void nytp_looks_keep(nytp_looks *l, int64_t since);

#endif
