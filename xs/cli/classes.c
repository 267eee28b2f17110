/* SPDX-License-Identifier: MIT */
/* classes.c - the option --classes. */
#include "cli/classes.h"

#include <stdio.h>
#include <stdlib.h>

#define MOST (1u << 20) /* bytes of rules */

/* The file's text, NUL-terminated, to be freed; NULL with e set. */
static char *read_file(const char *verb, const char *name, nytp_error *e) {
    FILE *in = fopen(name, "re");
    char *text = in ? calloc(1, MOST + 1) : NULL;
    if (!in) nytp_error_sys(e, "%s: %s", verb, name);
    else if (!text) nytp_error_set(e, NYTP_NOMEM, "out of memory");
    size_t n = text ? fread(text, 1, MOST, in) : 0;
    if (text && ferror(in)) nytp_error_sys(e, "%s: %s", verb, name);
    else if (n == MOST) nytp_error_set(e, NYTP_USAGE, "%s: %s: more than a megabyte of rules", verb, name);
    if (in) fclose(in);
    if (!e->code) return text;
    free(text);
    return NULL;
}

nytp_schemata *nytp_cli_classes_read(const char *verb, const char *file, nytp_error *e) {
    char *text = file ? read_file(verb, file, e) : NULL, title[600];
    snprintf(title, sizeof title, "%s: %s", verb, file ? file : "");
    nytp_schemata *s = e->code ? NULL : nytp_schemata_make(title, text, e);
    free(text);
    return s;
}
