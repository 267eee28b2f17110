/* SPDX-License-Identifier: MIT */
/* dump_v5.h - an event of format 5 as a line of text. A part of cmd_dump. */
#ifndef NYTP_CLI_DUMP_V5_H
#define NYTP_CLI_DUMP_V5_H

#include "base/buf.h"
#include "v5/event.h"

void nytp_dump_v5_event(nytp_buf *out, const nytp_v5_event *e);

#endif
