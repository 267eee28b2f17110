/* SPDX-License-Identifier: MIT */
/* changes_page.h - the HTML page of what differs between two builds. */
#ifndef NYTP_PAGES_CHANGES_PAGE_H
#define NYTP_PAGES_CHANGES_PAGE_H

#include "report/changes.h"

/* As nytp_report.write_changes. */
int nytp_changes_page_write(const nytp_changes_request *r, nytp_sink *sink);

#endif
