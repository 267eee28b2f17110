/* source.h - source that a capture does not hold, read from the disk. */
#ifndef NYTP_MODEL_SOURCE_H
#define NYTP_MODEL_SOURCE_H

#include "model/profile.h"

/* Gives every plain file that has something to show and no stored source the lines of the file of that name, as far as
 * it can be read; such files are marked `from_disk`. Returns NYTP_OK or NYTP_NOMEM. */
int nytp_source_find(nytp_profile *p);

#endif
