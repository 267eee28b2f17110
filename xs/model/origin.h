/* SPDX-License-Identifier: MIT */
/* origin.h - where files come from: a directory of @INC, a library or the program's own tree. */
#ifndef NYTP_MODEL_ORIGIN_H
#define NYTP_MODEL_ORIGIN_H

#include "model/profile.h"

/* Length of the directory of @INC, with the slash, at the beginning of a file's name; the longest one counts. */
size_t nytp_origin_prefix(const nytp_profile *p, nytp_str name);

/* 1: f is neither the program itself nor below the directory that the program was started in. */
int nytp_origin_is_library(const nytp_profile *p, const nytp_file *f);

#endif
