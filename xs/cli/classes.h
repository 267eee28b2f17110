/* SPDX-License-Identifier: MIT */
/* classes.h - the option --classes: a file of rules that sort processes of a build into classes. */
#ifndef NYTP_CLI_CLASSES_H
#define NYTP_CLI_CLASSES_H

#include "report/schemata.h"

/* The schemata of the file; for NULL the usual ones. NULL with e set, in a text that begins with the verb's name. */
nytp_schemata *nytp_cli_classes_read(const char *verb, const char *file, nytp_error *e);

#endif
