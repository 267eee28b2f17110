/* SPDX-License-Identifier: MIT */
/* calltable.h - the call tree of the JSON export. */
#ifndef NYTP_EXPORT_CALLTABLE_H
#define NYTP_EXPORT_CALLTABLE_H

#include "export/tables.h"

/* Writes the member `tree`. Returns an nytp_code. */
int nytp_calltable_put(nytp_tables *t);

#endif
