/* SPDX-License-Identifier: MIT */
/* libraries.h - the directories of @INC that a profile does not name, found by the modules in them: all of a file of
 * format 5, and of a capture those that the program has added by `use lib`. */
#ifndef NYTP_MODEL_LIBRARIES_H
#define NYTP_MODEL_LIBRARIES_H

#include "model/loader.h"

/* A module's name gives the end of its path: Foo::Bar in /lib/Foo/Bar.pm shows that /lib is such a directory. Those of
 * the profile's subs become properties "inc". Returns an nytp_code. */
enum nytp_code nytp_libraries_find(nytp_loader *l);

#endif
