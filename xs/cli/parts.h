/* SPDX-License-Identifier: MIT */
/* parts.h - the files and the output of a report about one process of several. */
#ifndef NYTP_CLI_PARTS_H
#define NYTP_CLI_PARTS_H

#include <limits.h>

#include "model/profile.h"

typedef struct nytp_cli_part {
    const char **paths; /* to be freed; the names are the profile's */
    uint32_t paths_n;
    const nytp_stream_id *only; /* NULL: all processes of a file of format 5, which cannot be told apart */
    char out[PATH_MAX];
} nytp_cli_part;

/* Returns 1 if there is a part for this process of a loaded profile, 0 if that of another one has it, and -1 when
 * memory is short. Its output is OUT.PID; of the second process or thread with that pid OUT.PID.2, and so on. */
int nytp_cli_part_of(nytp_cli_part *part, const nytp_profile *p, uint32_t process, const char *out);

#endif
