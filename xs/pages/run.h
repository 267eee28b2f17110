/* SPDX-License-Identifier: MIT */
/* run.h - facts on the index about the whole run. */
#ifndef NYTP_PAGES_RUN_H
#define NYTP_PAGES_RUN_H

#include "pages/html.h"

void nytp_run_name(nytp_buf *out, const nytp_html *h);      /* of the program */
void nytp_run_when(nytp_buf *out, const nytp_html *h);      /* date, processes, interpreter, place */
void nytp_run_figures(nytp_buf *out, const nytp_html *h);   /* figures, as list items */
void nytp_run_summary(nytp_buf *out, const nytp_html *h);   /* how the time divides, in sentences */
void nytp_run_processes(nytp_buf *out, const nytp_html *h); /* a section, where there are several */

#endif
