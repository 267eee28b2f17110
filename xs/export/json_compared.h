/* SPDX-License-Identifier: MIT */
/* json_compared.h - what differs between profiles of two sides as JSON. */
#ifndef NYTP_EXPORT_JSON_COMPARED_H
#define NYTP_EXPORT_JSON_COMPARED_H

#include "report/judged.h"
#include "report/sink.h"

/* As nytp_report.write_compared. */
int nytp_json_compared_write(const nytp_compared_request *r, nytp_sink *sink);

#endif
