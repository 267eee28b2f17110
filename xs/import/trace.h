/* SPDX-License-Identifier: MIT */
/* trace.h - the phases of a run of clang, which it writes beside the object with -ftime-trace. */
#ifndef NYTP_IMPORT_TRACE_H
#define NYTP_IMPORT_TRACE_H

#include "import/document.h"

int nytp_trace_is(nytp_str text);

/* The phases are below the process that has made the object beside the file, or one that stands for the compiler. */
enum nytp_code nytp_trace_read(nytp_made *m, nytp_document *d, nytp_error *e);

#endif
