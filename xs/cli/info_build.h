/* SPDX-License-Identifier: MIT */
/* info_build.h - the processes of a build in a capture. A part of cmd_info. */
#ifndef NYTP_CLI_INFO_BUILD_H
#define NYTP_CLI_INFO_BUILD_H

#include "base/buf.h"
#include "capture/format.h"

typedef struct nytp_info_build {
    uint64_t begun, ended, failed, killed; /* processes: failed with another status than 0, killed by a signal */
} nytp_info_build; /* all zero: there is no build */

/* Takes a record of a build; any other is ignored. */
void nytp_info_build_take(nytp_info_build *b, const nytp_record *r);

/* Prints a line, if there is a build. Returns 1 if so. */
int nytp_info_build_print(const nytp_info_build *b);

#endif
