/* SPDX-License-Identifier: MIT */
/* larger.h - a capture of a build, of which a larger one is made. */
#ifndef NYTP_IMPORT_LARGER_H
#define NYTP_IMPORT_LARGER_H

#include "import/document.h"

int nytp_larger_is(nytp_str text);
enum nytp_code nytp_larger_read(nytp_made *m, nytp_document *d, nytp_error *e);

#endif
