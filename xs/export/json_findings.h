/* SPDX-License-Identifier: MIT */
/* json_findings.h - what to look at first, for the JSON export. */
#ifndef NYTP_EXPORT_JSON_FINDINGS_H
#define NYTP_EXPORT_JSON_FINDINGS_H

#include "export/tables.h"

/* An array, the most time first. Returns an nytp_code. */
int nytp_json_findings_put(nytp_tables *t);

#endif
