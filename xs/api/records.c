/* SPDX-License-Identifier: MIT */
/* records.c - a file record by record for programs in C: a capture by the table of capture/format, events of format 5
 * by that of v5/fields. */
#include <stdlib.h>

#include "api/handle.h"
#include "capture/reader.h"
#include "v5/fields.h"
#include "v5/read.h"

struct nytprof_reader {
    nytp_reader *capture; /* of a capture, else NULL */
    nytp_v5_reader *v5;   /* of a file of format 5, else NULL */
    nytp_record record;   /* the latest */
    nytp_v5_event event;
    uint32_t fields; /* of it; 0 before the first record */
};

/* ---- opening ---- */

static void open_file(nytprof_reader *h, const char *path, int is_corrected, nytp_error *e) {
    nytp_bytes bytes;
    nytp_bytes_open(&bytes, path);
    if (nytp_v5_reader_knows(&bytes)) h->v5 = nytp_v5_reader_from(&bytes, e);
    else h->capture = is_corrected ? nytp_reader_corrected(&bytes, e) : nytp_reader_from(&bytes, e);
}

nytprof_reader *nytprof_open(const char *path, uint32_t flags, nytprof_error *e) {
    nytp_error why = {0};
    nytprof_reader *h = NULL;
    if (!path) nytp_error_set(&why, NYTP_USAGE, "nytprof_open: no file is named");
    else if (flags & ~(uint32_t)NYTPROF_CORRECTED) nytp_error_set(&why, NYTP_USAGE, "nytprof_open: unknown flags");
    else if (!(h = calloc(1, sizeof *h))) nytp_error_set(&why, NYTP_NOMEM, "out of memory");
    else open_file(h, path, (flags & NYTPROF_CORRECTED) != 0, &why);
    nytp_handle_error(e, &why);
    if (!why.code) return h;
    nytprof_close(h);
    return NULL;
}

void nytprof_close(nytprof_reader *h) {
    if (!h) return;
    nytp_reader_close(h->capture);
    nytp_v5_reader_close(h->v5);
    free(h);
}

/* ---- records ---- */

static int next_record(nytprof_reader *h, nytprof_record *row) {
    int more = nytp_reader_next(h->capture, &h->record);
    if (more <= 0) return more;
    const nytp_row *format = nytp_format_row(h->record.kind);
    row->kind = format->name;
    row->chunk = h->record.chunk;
    while (format->fields[h->fields].name) h->fields++;
    if (h->record.kind == NYTP_REC_DAMAGE) return 1; /* perhaps of no stream */
    const nytp_stream_id *stream = nytp_reader_stream(h->capture, h->record.stream);
    row->process_start = stream->process_start;
    row->pid = stream->pid;
    row->thread = stream->thread;
    return 1;
}

static int next_event(nytprof_reader *h, nytprof_record *row) {
    int more = nytp_v5_reader_next(h->v5, &h->event);
    if (more <= 0) return more;
    const nytp_v5_row *format = nytp_v5_fields_of(h->event.tag);
    row->kind = format->name;
    row->chunk = nytp_v5_reader_chunk(h->v5);
    while (format->fields[h->fields].name) h->fields++;
    return 1;
}

int nytprof_next(nytprof_reader *h, nytprof_record *to, size_t size, nytprof_error *e) {
    nytprof_record row = {.kind = NULL};
    h->fields = 0;
    int more = h->v5 ? next_event(h, &row) : next_record(h, &row);
    row.fields = h->fields;
    nytp_handle_give(to, size, &row, sizeof row, more > 0);
    if (more < 0) nytp_handle_error(e, h->v5 ? nytp_v5_reader_error(h->v5) : nytp_reader_error(h->capture));
    else nytp_handle_error(e, &(nytp_error){.code = NYTP_OK});
    return more;
}

/* ---- fields ---- */

/* Types are letters of both tables: 'u' of capture/format has 64 bits, that of v5/fields 32. */
static nytprof_field field_of(const char *name, char type, const void *at, int is_v5) {
    nytprof_field row = {.name = name, .type = NYTPROF_UNSIGNED};
    switch (type) {
    case 'u':
    case 'd': row.number = is_v5 ? *(const uint32_t *)at : *(const uint64_t *)at; break;
    case 'i':
        row.type = NYTPROF_SIGNED;
        row.integer = is_v5 ? *(const int32_t *)at : *(const int64_t *)at;
        break;
    case 'g':
    case 't':
        row.type = NYTPROF_REAL;
        row.real = *(const double *)at;
        break;
    default:
        row.type = NYTPROF_TEXT;
        row.text = nytp_handle_text(*(const nytp_str *)at);
    }
    return row;
}

static nytprof_field field_at(const nytprof_reader *h, uint32_t i) {
    if (h->v5) {
        const nytp_v5_field *f = &nytp_v5_fields_of(h->event.tag)->fields[i];
        return field_of(f->name, f->type, (const char *)&h->event.u + f->offset, 1);
    }
    const nytp_field *f = &nytp_format_row(h->record.kind)->fields[i];
    return field_of(f->name, f->type, (const char *)&h->record.u + f->offset, 0);
}

int nytprof_get_field(const nytprof_reader *h, uint32_t i, nytprof_field *to, size_t size) {
    nytprof_field row = {.name = NULL};
    if (i < h->fields) row = field_at(h, i);
    return nytp_handle_give(to, size, &row, sizeof row, i < h->fields);
}

int nytprof_find_field(const nytprof_reader *h, const char *name, nytprof_field *to, size_t size) {
    nytprof_field row = {.name = NULL};
    uint32_t i = 0;
    while (i < h->fields && strcmp((row = field_at(h, i)).name, name) != 0) i++;
    return nytp_handle_give(to, size, &row, sizeof row, i < h->fields);
}
