/* SPDX-License-Identifier: MIT */
/* parent.h - source that a forked child's capture leaves to its parent's. Private to load. */
#ifndef NYTP_MODEL_PARENT_H
#define NYTP_MODEL_PARENT_H

#include "model/loader.h"

/* The highest id of a file in a property sources_until. */
uint64_t nytp_parent_until(nytp_str value);

/* After all records of the capture at path, while its streams are known: gives their files the source that they have in
 * the streams of their parents, in this capture or in the one that they name beside it. That one has to be a regular
 * file of the same owner; what it is not, or does not have, is as if it were not there. How much is looked at has a
 * limit, which only hostile captures meet: the rest stays without source. NYTP_OK or NYTP_NOMEM. */
int nytp_parent_sources(nytp_loader *l, const char *path);

#endif
