/* SPDX-License-Identifier: MIT */
/* chrome_build.h - the processes of a build as a timeline in Chrome's trace event format. */
#ifndef NYTP_EXPORT_CHROME_BUILD_H
#define NYTP_EXPORT_CHROME_BUILD_H

#include "report/registry.h"

/* As nytp_report.write_build. */
int nytp_chrome_build_write(const nytp_build_request *r, nytp_sink *sink);

#endif
