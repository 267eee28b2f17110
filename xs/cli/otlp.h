/* SPDX-License-Identifier: MIT */
/* otlp.h - a delta as OpenTelemetry's ExportProfilesServiceRequest, of the package profiles.v1development as release
 * 1.9 of its protocol has it. */
#ifndef NYTP_CLI_OTLP_H
#define NYTP_CLI_OTLP_H

#include "cli/delta.h"

/* Appends the message, with a profile for each type of values; the buffer has failed if memory was short. */
void nytp_otlp_put(nytp_buf *out, const nytp_delta *d);

#endif
