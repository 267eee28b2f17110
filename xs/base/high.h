/* SPDX-License-Identifier: MIT */
/* high.h - descriptors in the host process: its own keep the numbers that they would have without us.
 *
 * A new descriptor has the lowest free number, which is what another thread of the host counts on, as one that closes
 * its standard input to open another file as that. It may even close ours, be given a file of its own under that
 * number, and have that closed by us. So a descriptor moves to a high number at once. */
#ifndef NYTP_HIGH_H
#define NYTP_HIGH_H

#define NYTP_HIGH_LEAST 100

/* Takes a descriptor, or -1, and returns it with a high number, or as it is where there is none, as under a small
 * RLIMIT_NOFILE. */
int nytp_high_move(int fd);

#endif
