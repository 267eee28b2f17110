/* SPDX-License-Identifier: MIT */
/* json_build.h - the processes of a build as JSON. */
#ifndef NYTP_EXPORT_JSON_BUILD_H
#define NYTP_EXPORT_JSON_BUILD_H

#include "report/json.h"
#include "report/registry.h"

/* As nytp_report.write_build. */
int nytp_json_build_write(const nytp_build_request *r, nytp_sink *sink);

/* Begins an object with what there is to say of a build as a whole; nytp_json_end ends it. */
void nytp_json_build_begin(nytp_json *j, const char *key, const nytp_build *b);

#endif
