/* SPDX-License-Identifier: MIT */
/* parent.h - source of a forked child's files that is in its parent's capture. Private to load. */
#ifndef NYTP_MODEL_PARENT_H
#define NYTP_MODEL_PARENT_H

#include "model/loader.h"

/* After all records of the capture at path, while its streams are known: gives their files the source that they have in
 * the streams of their parents, in this capture or in the one that they name beside it, a regular file of the same
 * owner. Files stay without source where that is missing, or where the limit of the search is reached, as only hostile
 * captures do. NYTP_OK or NYTP_NOMEM. */
enum nytp_code nytp_parent_sources(nytp_loader *l, const char *path);

#endif
