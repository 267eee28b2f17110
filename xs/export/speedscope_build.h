/* SPDX-License-Identifier: MIT */
/* speedscope_build.h - the processes of a build as call paths for speedscope. */
#ifndef NYTP_EXPORT_SPEEDSCOPE_BUILD_H
#define NYTP_EXPORT_SPEEDSCOPE_BUILD_H

#include "report/registry.h"

/* As nytp_report.write_build. */
int nytp_speedscope_build_write(const nytp_build_request *r, nytp_sink *sink);

#endif
