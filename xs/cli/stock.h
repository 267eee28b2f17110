/* SPDX-License-Identifier: MIT */
/* stock.h - a perl whose layout is in the table of stock perls (layouts.h), so that nothing of it has to be run. */
#ifndef NYTP_CLI_STOCK_H
#define NYTP_CLI_STOCK_H

#include "cli/perls.h"

/* Sets version and layout of p->pid by the variables in which a perl says what it is. An nytp_code with e set: it is
 * none of the table, and why the profiler's module is not asked (NULL: it is not there). */
enum nytp_code nytp_stock_learn(nytp_perl *p, const char *why, nytp_error *e);

/* Whether the process of p, whose interpreter is known, keeps to that layout. An nytp_code with e set. */
enum nytp_code nytp_stock_check(const nytp_perl *p, nytp_error *e);

#endif
