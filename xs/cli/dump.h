/* SPDX-License-Identifier: MIT */
/* dump.h - records as lines of text: shared by cmd_dump.c and dump_v5.c. */
#ifndef NYTP_CLI_DUMP_H
#define NYTP_CLI_DUMP_H

#include "v5/event.h"

/* Prints s in quotes, with bytes escaped that are not printable ASCII. */
void nytp_dump_string(nytp_str s);

void nytp_dump_v5_event(const nytp_v5_event *e);

#endif
