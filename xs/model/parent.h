/* parent.h - source that a forked child's capture leaves to its parent's. Private to load. */
#ifndef NYTP_MODEL_PARENT_H
#define NYTP_MODEL_PARENT_H

#include "model/loader.h"

/* After all records of the capture at path, while its streams are known: gives their files the source that they have in
 * the streams of their parents, in this capture or in the one that they name beside it. That one has to be a regular
 * file of the same owner; what it is not, or does not have, is as if it were not there. NYTP_OK or NYTP_NOMEM. */
int nytp_parent_sources(nytp_loader *l, const char *path);

#endif
