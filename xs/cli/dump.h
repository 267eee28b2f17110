/* SPDX-License-Identifier: MIT */
/* dump.h - records as lines of text: what cmd_dump.c is made of. */
#ifndef NYTP_CLI_DUMP_H
#define NYTP_CLI_DUMP_H

#include "v5/event.h"

/* In quotes, with what is not printable ASCII escaped. */
void nytp_dump_string(nytp_str s);

void nytp_dump_v5_event(const nytp_v5_event *e);

#endif
