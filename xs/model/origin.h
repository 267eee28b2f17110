/* SPDX-License-Identifier: MIT */
/* origin.h - where files come from: a directory of @INC, a library or the program's own tree. */
#ifndef NYTP_MODEL_ORIGIN_H
#define NYTP_MODEL_ORIGIN_H

#include "model/profile.h"

/* How many bytes of a file's name are the directory of @INC it was found in, with the slash; the longest one counts. */
size_t nytp_origin_prefix(const nytp_profile *p, nytp_str name);

/* 1: f is neither the program itself nor below the directory that the program was started in. */
int nytp_origin_is_library(const nytp_profile *p, const nytp_file *f);

#endif
