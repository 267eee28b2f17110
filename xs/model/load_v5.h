/* SPDX-License-Identifier: MIT */
/* load_v5.h - a file of Devel::NYTProf's own format 5 into the profile. Private to load. */
#ifndef NYTP_MODEL_LOAD_V5_H
#define NYTP_MODEL_LOAD_V5_H

#include "capture/bytes.h"
#include "model/loader.h"

/* Reads the file, which it closes, as input number i of the profile. Returns an nytp_code, l->e set with it. */
enum nytp_code nytp_load_v5(nytp_loader *l, uint32_t input, nytp_bytes *bytes);

#endif
