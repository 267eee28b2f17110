/* SPDX-License-Identifier: MIT */
/* json_changes.h - what differs between two builds as JSON. */
#ifndef NYTP_EXPORT_JSON_CHANGES_H
#define NYTP_EXPORT_JSON_CHANGES_H

#include "report/changes.h"

/* As nytp_report.write_changes. */
int nytp_json_changes_write(const nytp_changes_request *r, nytp_sink *sink);

#endif
