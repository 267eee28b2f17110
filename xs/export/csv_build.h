/* SPDX-License-Identifier: MIT */
/* csv_build.h - the processes of a build as rows of separated values. */
#ifndef NYTP_EXPORT_CSV_BUILD_H
#define NYTP_EXPORT_CSV_BUILD_H

#include "report/registry.h"

/* As nytp_report.write_build. */
int nytp_csv_build_write(const nytp_build_request *r, nytp_sink *sink);

#endif
