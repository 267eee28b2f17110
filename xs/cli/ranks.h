/* SPDX-License-Identifier: MIT */
/* ranks.h - whether two samples differ: the rank-sum test of Wilcoxon, Mann and Whitney. It assumes no distribution,
 * and one value that is far off counts no more than any other. */
#ifndef NYTP_CLI_RANKS_H
#define NYTP_CLI_RANKS_H

#include <stdint.h>

#define NYTP_RANKS_MOST 100u /* values of a sample */

/* The probability that two samples of n values each differ at least as much by chance, in either direction. Exact
 * without ties, an upper bound with them. */
double nytp_ranks_chance(const double *a, const double *b, uint32_t n);

#endif
