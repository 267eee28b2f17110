/* SPDX-License-Identifier: MIT */
/* ninja.h - the log that ninja keeps in its build directory, .ninja_log. */
#ifndef NYTP_IMPORT_NINJA_H
#define NYTP_IMPORT_NINJA_H

#include "import/document.h"

int nytp_ninja_is(nytp_str text);

/* The processes of the last build in the log, below one that stands for ninja. */
enum nytp_code nytp_ninja_read(nytp_made *m, nytp_document *d, nytp_error *e);

#endif
