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
#include "v5/read.h"

/* printf would take most of the time of a dump. */
static void print_number(uint64_t n, int is_negative) {
    char digits[21];
    size_t at = sizeof digits;

    do digits[--at] = (char)('0' + n % 10);
    while (n /= 10);
    if (is_negative) digits[--at] = '-';
    fwrite(digits + at, 1, sizeof digits - at, stdout);
}

static void print_signed(int64_t n) { print_number(n < 0 ? 0 - (uint64_t)n : (uint64_t)n, n < 0); }

static void print_field(const nytp_field *field, const void *record) {
    const void *at = (const char *)record + field->offset;

    putchar(' ');
    fputs(field->name, stdout);
    putchar('=');
    switch (field->type) {
    case 'u':
    case 'd': print_number(*(const uint64_t *)at, 0); break;
    case 'i': print_signed(*(const int64_t *)at); break;
    default: nytp_print_quoted(*(const nytp_str *)at);
    }
}

static void print_record(const nytp_record *r) {
    const nytp_row *row = nytp_format_row(r->kind);

    fputs(row->name, stdout);
    for (const nytp_field *f = row->fields; f->name; f++) print_field(f, &r->u);
    putchar('\n');
}

static void print_chunk(const nytp_record *r, const nytp_chunk_info *c) {
    printf("chunk n=%" PRIu64 " stream=%" PRIu32 " front_end=%" PRIu32 " run=", r->chunk, r->stream,
           c->stream.front_end);
    for (size_t i = 0; i < sizeof c->stream.run; i++) printf("%02x", c->stream.run[i]);
    printf(" process_start=%" PRIu64 " pid=%" PRIu32 " thread=%" PRIu32 " number=%" PRIu64, c->stream.process_start,
           c->stream.pid, c->stream.thread, c->number);
    printf(" start=%" PRId64 " end=%" PRId64 " offset=%" PRIu64 " stored=%" PRIu32 " raw=%" PRIu32 "\n", c->start,
           c->end, c->offset, c->stored, c->raw);
}

static int dump_capture(nytp_bytes *bytes, int is_corrected) {
    nytp_error e = {0};
    nytp_reader *reader = is_corrected ? nytp_reader_corrected(bytes, &e) : nytp_reader_from(bytes, &e);
    nytp_record r;
    uint64_t chunk = 0;
    int status = NYTP_CLI_FINE, more = 0;

    if (!reader) return nytp_cli_failure(&e);
    while (!ferror(stdout) && (more = nytp_reader_next(reader, &r)) > 0) {
        if (r.chunk != chunk) print_chunk(&r, nytp_reader_chunk(reader));
        chunk = r.chunk;
        print_record(&r);
    }
    if (nytp_reader_unknown(reader)) printf("unknown records=%" PRIu64 "\n", nytp_reader_unknown(reader));
    if (more < 0) status = nytp_cli_failure(nytp_reader_error(reader));
    nytp_reader_close(reader);
    return status;
}

static int dump_v5(nytp_bytes *bytes) {
    nytp_error e = {0};
    nytp_v5_reader *reader = nytp_v5_reader_from(bytes, &e);
    nytp_v5_event event;
    int status = NYTP_CLI_FINE, more = 0;

    if (!reader) return nytp_cli_failure(&e);
    while (!ferror(stdout) && (more = nytp_v5_reader_next(reader, &event)) > 0) nytp_dump_v5_event(&event);
    if (more < 0) status = nytp_cli_failure(nytp_v5_reader_error(reader));
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
