/* SPDX-License-Identifier: MIT */
/* dump_v5.c - an event of format 5 as a line: the name that Devel::NYTProf's users know it by, and its fields. */
#include "cli/dump_v5.h"

#include "cli/print.h"
#include "report/text.h"
#include "v5/fields.h"

static void put_field(nytp_buf *out, const nytp_v5_field *f, const nytp_v5_event *e) {
    const void *at = (const char *)&e->u + f->offset;
    if (f->type == 'o' && !((const nytp_str *)at)->p) return;
    nytp_buf_byte(out, ' ');
    nytp_text_put(out, f->name);
    nytp_buf_byte(out, '=');
    switch (f->type) {
    case 'u': nytp_text_number(out, *(const uint32_t *)at); break;
    case 'i': nytp_text_signed(out, *(const int32_t *)at); break;
    case 'g': nytp_text_format(out, "%.17g", *(const double *)at); break;
    case 't': nytp_text_format(out, "%.6f", *(const double *)at); break;
    default: nytp_print_quote(out, *(const nytp_str *)at);
    }
}

void nytp_dump_v5_event(nytp_buf *out, const nytp_v5_event *e) {
    const nytp_v5_row *row = nytp_v5_fields_of(e->tag);
    nytp_text_put(out, row->name);
    for (const nytp_v5_field *f = row->fields; f->name; f++) put_field(out, f, e);
    nytp_buf_byte(out, '\n');
}
