/* SPDX-License-Identifier: MIT */
/* classes.h - the class of each process of a build in each schema (schemata.h), as plain arrays. */
#ifndef NYTP_REPORT_CLASSES_H
#define NYTP_REPORT_CLASSES_H

#include "base/table.h"
#include "model/build.h"
#include "report/schemata.h"

typedef struct nytp_class_list { /* one schema */
    nytp_str name;
    nytp_str *classes; /* in the order of their first process. The first is empty: not counted in this schema */
    uint32_t *of;      /* by process: its index in classes */
    uint32_t n;

    /* Private to classes.c. */
    uint32_t room;
    nytp_table by_name;
} nytp_class_list;

typedef struct nytp_classes {
    nytp_class_list *lists; /* at least one: the usual class of a process is in the first */
    uint32_t n;
    nytp_arena arena;
} nytp_classes; /* all zero is none */

/* Classifies all processes. *c is overwritten and must be freed in any case. Returns NYTP_OK or NYTP_NOMEM. */
enum nytp_code nytp_classes_make(nytp_classes *c, nytp_schemata *s, const nytp_build *b);

void nytp_classes_free(nytp_classes *c); /* leaves none */

#endif
