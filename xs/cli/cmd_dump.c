/* SPDX-License-Identifier: MIT */
/* cmd_dump.c - `nytprof dump`: every record of a capture, driven by the format table, or every event of a file of
 * format 5.
 *
 * With --corrected the ticks are those of reports, not the raw ones of the file.
 *
 *     chunk n=1 stream=0 pid=123 thread=0 ...
 *     file id=1 flags=16 ... name="x.pl"
 *
 *     TIME_LINE ticks=42 fid=1 line=7
 */
#include <inttypes.h>
#include <stdio.h>

#include "capture/reader.h"
#include "cli/cli.h"
#include "cli/dump_v5.h"
#include "cli/print.h"
#include "report/text.h"
#include "v5/read.h"

#define ENOUGH 60000 /* bytes to write at once */

/* What remains of a dump that fails is written, too. 0: it ends, as nothing more can be written. */
static int write_out(nytp_buf *out, size_t enough) {
    if (out->n && out->n >= enough) {
        fwrite(out->p, 1, out->n, stdout);
        nytp_buf_rewind(out);
    }
    return !ferror(stdout) && !out->failed;
}

static int end_of(nytp_buf *out, int more, const nytp_error *e) {
    nytp_error short_of = {0};
    write_out(out, 1);
    int failed = out->failed;
    nytp_buf_free(out);
    if (failed) nytp_error_set(&short_of, NYTP_NOMEM, "out of memory");
    return failed ? nytp_cli_failure(&short_of) : more < 0 ? nytp_cli_failure(e) : NYTP_CLI_FINE;
}

static void put_field(nytp_buf *out, const nytp_field *field, const void *record) {
    const void *at = (const char *)record + field->offset;

    nytp_buf_byte(out, ' ');
    nytp_text_put(out, field->name);
    nytp_buf_byte(out, '=');
    switch (field->type) {
    case 'u':
    case 'd': nytp_text_number(out, *(const uint64_t *)at); break;
    case 'i': nytp_text_signed(out, *(const int64_t *)at); break;
    default: nytp_print_quote(out, *(const nytp_str *)at);
    }
}

static void put_record(nytp_buf *out, const nytp_record *r) {
    const nytp_row *row = nytp_format_row(r->kind);

    nytp_text_put(out, row->name);
    for (const nytp_field *f = row->fields; f->name; f++) put_field(out, f, &r->u);
    nytp_buf_byte(out, '\n');
}

static void put_chunk(nytp_buf *out, const nytp_record *r, const nytp_chunk_info *c) {
    nytp_text_format(out, "chunk n=%" PRIu64 " stream=%" PRIu32 " front_end=%" PRIu32 " run=", r->chunk, r->stream,
                     c->stream.front_end);
    for (size_t i = 0; i < sizeof c->stream.run; i++) nytp_text_format(out, "%02x", c->stream.run[i]);
    nytp_text_format(out, " process_start=%" PRIu64 " pid=%" PRIu32 " thread=%" PRIu32 " number=%" PRIu64,
                     c->stream.process_start, c->stream.pid, c->stream.thread, c->number);
    nytp_text_format(out, " start=%" PRId64 " end=%" PRId64 " offset=%" PRIu64 " stored=%" PRIu32 " raw=%" PRIu32 "\n",
                     c->start, c->end, c->offset, c->stored, c->raw);
}

static int dump_capture(nytp_bytes *bytes, int is_corrected) {
    nytp_error e = {0};
    nytp_reader *reader = is_corrected ? nytp_reader_corrected(bytes, &e) : nytp_reader_from(bytes, &e);
    nytp_buf out = {0};
    nytp_record r;
    uint64_t chunk = 0;
    int more = 0;

    if (!reader) return nytp_cli_failure(&e);
    while (write_out(&out, ENOUGH) && (more = nytp_reader_next(reader, &r)) > 0) {
        if (r.chunk != chunk) put_chunk(&out, &r, nytp_reader_chunk(reader));
        chunk = r.chunk;
        put_record(&out, &r);
    }
    if (nytp_reader_unknown(reader)) nytp_text_around(&out, "unknown records=", nytp_reader_unknown(reader), "\n");
    int status = end_of(&out, more, nytp_reader_error(reader));
    nytp_reader_close(reader);
    return status;
}

static int dump_v5(nytp_bytes *bytes) {
    nytp_error e = {0};
    nytp_v5_reader *reader = nytp_v5_reader_from(bytes, &e);
    nytp_buf out = {0};
    nytp_v5_event event;
    int more = 0;

    if (!reader) return nytp_cli_failure(&e);
    while (write_out(&out, ENOUGH) && (more = nytp_v5_reader_next(reader, &event)) > 0)
        nytp_dump_v5_event(&out, &event);
    int status = end_of(&out, more, nytp_v5_reader_error(reader));
    nytp_v5_reader_close(reader);
    return status;
}

enum { CORRECTED, FILE_NAME };

static const nytp_arg args[] = {
    [CORRECTED] = {.name = "corrected", .help = "times as in reports, without the profiler's own cost"},
    [FILE_NAME] = NYTP_CLI_ARGS_FILE,
    {0},
};

static int run_dump(const nytp_call *call) {
    const char *path = nytp_cli_only_file(call, &call->values[FILE_NAME]);
    nytp_bytes bytes;

    if (!path) return NYTP_CLI_USAGE;
    nytp_bytes_open(&bytes, path);
    return nytp_v5_reader_knows(&bytes) ? dump_v5(&bytes) : dump_capture(&bytes, call->values[CORRECTED].given != 0);
}

const nytp_verb nytp_dump_verb = {
    .name = "dump",
    .task = NYTP_TASK_CAPTURES,
    .is_long = 1,
    .arguments = "[OPTIONS] [FILE]",
    .summary = "prints every record of a capture, one line each",
    .args = args,
    .run = run_dump,
};
