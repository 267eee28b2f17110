/* SPDX-License-Identifier: MIT */
/* info_v5.h - what a file of format 5 holds. A part of cmd_info. */
#ifndef NYTP_CLI_INFO_V5_H
#define NYTP_CLI_INFO_V5_H

#include "capture/bytes.h"

/* Info of a file of format 5, which is taken over. Returns an exit code. */
int nytp_info_v5(nytp_bytes *bytes);

#endif
