/* SPDX-License-Identifier: MIT */
/* noise.h - which times differ between two sides by more than they do from capture to capture.
 *
 * The test is a permutation test of the largest statistic (max T: Westfall and Young, 1993). Times are logarithms,
 * without what a whole capture is slower by: the median of its differences from the rows' means. The statistic of a
 * row is the gap between the ranges of its two sides over the mean width of both, without the slowest quarter of a
 * side, as other work on the machine makes times longer. Half the median of all rows' interquartile ranges is added
 * to the width: a row that happens to vary little is no change for that. The statistic is computed for all ways to
 * divide the captures into two sides of these sizes, or for a thousand of them. A row has changed if in no more than
 * 5 % of these ways any row has a statistic as large. So the chance that two sides of one program have a changed row
 * at all is 5 %, however many rows there are. Six captures can be divided in too few ways: then the statistic has to
 * be twice as large as in all other ways.
 */
#ifndef NYTP_REPORT_NOISE_H
#define NYTP_REPORT_NOISE_H

#include "report/compared.h"

#define NYTP_NOISE_LEAST 3 /* captures of each side: fewer tell nothing of noise */

/* By the numbers of both sides. */
static inline int nytp_noise_is_known(const uint32_t n[2]) {
    return n[0] >= NYTP_NOISE_LEAST && n[1] >= NYTP_NOISE_LEAST;
}

/* Sets has_time of the rows that are on both sides, with a mean of so many ns or more on one of them; of more than
 * NYTP_NOISE_ROWS those with most time are judged. Noise must be known. Returns NYTP_OK or NYTP_NOMEM. */
#define NYTP_NOISE_ROWS 20000u
enum nytp_code nytp_noise_judge(nytp_compared *c, double least_ns);

#endif
