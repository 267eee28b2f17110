/* SPDX-License-Identifier: MIT */
/* records.c - the records in a payload: the table of format.c says what fields each has. */
#include "capture/records.h"

#include <string.h>

void nytp_records_begin(nytp_records *r, const void *p, size_t n) {
    const unsigned char *at = p;

    r->payload = (nytp_cursor){at, at + n, 0};
    r->fields = (nytp_cursor){0};
    r->ordinal = 0;
}

void nytp_records_give_up(nytp_records *r) {
    r->payload.p = r->payload.end;
    r->fields.p = r->fields.end;
}

static int give_up(nytp_records *r, const char **why, const char *text) {
    *why = text;
    nytp_records_give_up(r);
    return -1;
}

static void read_field(nytp_cursor *from, const nytp_field *field, uint64_t *before, void *record) {
    void *to = (char *)record + field->offset;

    switch (field->type) {
    case 'u': *(uint64_t *)to = nytp_cursor_u(from); break;
    case 'i': *(int64_t *)to = nytp_cursor_i(from); break;
    case 'd': *(uint64_t *)to = *before += (uint64_t)nytp_cursor_i(from); break;
    default: *(nytp_str *)to = nytp_cursor_str(from);
    }
}

static void leave_out(const nytp_field *field, void *record) {
    void *to = (char *)record + field->offset;

    if (field->type == 's') *(nytp_str *)to = NYTP_LIT("");
    else *(uint64_t *)to = 0;
}

/* One set of fields. Missing last ones are 0 or empty, except in a kind that repeats, where they are damage. */
static int give_fields(nytp_records *r, nytp_record *out, const char **why) {
    for (const nytp_field *f = r->row->fields; f->name; f++) { /* NOLINT: a record with fields has a row */
        if (r->fields.p < r->fields.end || r->row->repeats) {
            read_field(&r->fields, f, r->before + (f - r->row->fields), &out->u);
        } else {
            leave_out(f, &out->u);
        }
    }
    if (r->fields.failed) return give_up(r, why, "its fields run over its end");
    if (!r->row->repeats) r->fields.p = r->fields.end;
    out->kind = r->row->today ? r->row->today : r->kind;
    return 1;
}

/* Steps into the next record. Gives it (1) or says that there is nothing to give (0). */
static int begin_record(nytp_records *r, nytp_record *out, const char **why) {
    uint64_t kind = nytp_cursor_u(&r->payload);
    nytp_str bytes = nytp_cursor_str(&r->payload);

    r->ordinal++;
    r->kind = kind < NYTP_REC_KINDS ? (uint32_t)kind : UINT32_MAX;
    if (r->payload.failed) return give_up(r, why, "it runs over the chunk's end");
    r->row = kind == NYTP_REC_DAMAGE ? NULL : nytp_format_row(kind);
    if (!r->row) {
        r->unknown++;
        return 0;
    }
    r->fields.p = (const unsigned char *)bytes.p;
    r->fields.end = r->fields.p + bytes.n;
    r->fields.failed = 0;
    memset(r->before, 0, sizeof r->before);
    return bytes.n || !r->row->repeats ? give_fields(r, out, why) : 0;
}

int nytp_records_next(nytp_records *r, nytp_record *out, const char **why) {
    int given = 0;

    if (r->fields.p < r->fields.end) return give_fields(r, out, why);
    while (!given && r->payload.p < r->payload.end) given = begin_record(r, out, why);
    return given;
}
