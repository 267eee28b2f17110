/* SPDX-License-Identifier: MIT */
/* schemata.h - classes of processes, by rules in a text: several schemata, in each of which a process has one class.
 *
 *     schema CATEGORY
 *       class mt1  command ~ 'MT1.*mpost'
 *       class $1   program ~ '([^/]+)$'
 *       default UNKNOWN
 *     schema "FAMILY (MT1)" where CATEGORY = mt1
 *       class $1   command ~ 'mpost +([a-z]+)-'
 *       default IGNORE
 *
 * The first rule that matches counts. Expressions are POSIX extended ones, and $1 to $9 in a class their groups. */
#ifndef NYTP_REPORT_SCHEMATA_H
#define NYTP_REPORT_SCHEMATA_H

#include "base/buf.h"
#include "base/error.h"
#include "model/processes.h"

#define NYTP_SCHEMATA_MOST 16

typedef struct nytp_schemata nytp_schemata;

/* Compiles a text; its name is for messages, which have the line. NULL with e set. Without a text the usual schemata:
 * the name of the command, and the last part of the working directory. */
nytp_schemata *nytp_schemata_make(const char *name, const char *text, nytp_error *e);

uint32_t nytp_schemata_count(const nytp_schemata *s);
nytp_str nytp_schemata_name(const nytp_schemata *s, uint32_t i);

/* Appends the class of a process in each schema, with a NUL behind it, to out, which is cleared before. An empty class:
 * the process does not count in that schema. */
void nytp_schemata_classify(nytp_schemata *s, const nytp_built *process, nytp_buf *out);

void nytp_schemata_free(nytp_schemata *s); /* takes NULL */

#endif
