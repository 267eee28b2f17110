/* SPDX-License-Identifier: MIT */
/* fields.h - the events of format 5 by name, for programs that show any of them: one table. */
#ifndef NYTP_V5_FIELDS_H
#define NYTP_V5_FIELDS_H

#include "v5/event.h"

typedef struct nytp_v5_field {
    const char *name;
    char type; /* 'u' uint32_t, 'i' int32_t, 'g' double, 't' double, seconds since the epoch, 's' nytp_str, 'o' nytp_str
                  whose p is NULL if it is missing */
    uint16_t offset; /* in nytp_v5_event.u */
} nytp_v5_field;

#define NYTP_V5_FIELDS 9

typedef struct nytp_v5_row {
    enum nytp_v5_tag tag;
    const char *name; /* as Devel::NYTProf's users know it */
    nytp_v5_field fields[NYTP_V5_FIELDS + 1]; /* ends with an all-zero one */
} nytp_v5_row;

/* The row of an event, which has every tag. */
const nytp_v5_row *nytp_v5_fields_of(enum nytp_v5_tag tag);

#endif
