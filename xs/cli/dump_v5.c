/* SPDX-License-Identifier: MIT */
/* dump_v5.c - an event of format 5 as a line: the name that Devel::NYTProf's users know it by, and its fields. */
#include "cli/dump_v5.h"

#include <inttypes.h>
#include <stdio.h>

#include "cli/print.h"
#include "v5/fields.h"

static void print_text(const char *name, nytp_str text) {
    printf(" %s=", name);
    nytp_print_quoted(text);
}

static void print_field(const nytp_v5_field *f, const nytp_v5_event *e) {
    const void *at = (const char *)&e->u + f->offset;
    if (f->type == 'o' && !((const nytp_str *)at)->p) return;
    switch (f->type) {
    case 'u': printf(" %s=%" PRIu32, f->name, *(const uint32_t *)at); break;
    case 'i': printf(" %s=%" PRId32, f->name, *(const int32_t *)at); break;
    case 'g': printf(" %s=%.17g", f->name, *(const double *)at); break;
    case 't': printf(" %s=%.6f", f->name, *(const double *)at); break;
    default: print_text(f->name, *(const nytp_str *)at);
    }
}

void nytp_dump_v5_event(const nytp_v5_event *e) {
    const nytp_v5_row *row = nytp_v5_fields_of(e->tag);
    fputs(row->name, stdout);
    for (const nytp_v5_field *f = row->fields; f->name; f++) print_field(f, e);
    putchar('\n');
}
