/* SPDX-License-Identifier: MIT */
/* merge_v5.c - `nytprof merge` with a file of format 5 among the files: all are read twice. */
#include "cli/merge_v5.h"

#include <stdio.h>
#include <string.h>
#include <unistd.h>

#include "cli/print.h"
#include "v5/input.h"
#include "v5/merge.h"
#include "v5/read.h"
#include "v5/write.h"

#define LEVEL 6 /* of zlib's compression */

int nytp_merge_v5_is(const char *path, nytp_error *e) {
    nytp_bytes bytes;
    nytp_bytes_open(&bytes, path);
    int is_v5 = !bytes.error.code && nytp_v5_reader_knows(&bytes);
    if (bytes.error.code == NYTP_NOMEM) *e = bytes.error;
    nytp_bytes_close(&bytes);
    return is_v5;
}

typedef struct inputs {
    char **paths;
    int n;
    int every_event;
} inputs;

/* Reads all files; with is_first it says which, and what of them is left out. */
static void hear(nytp_v5_merge *m, const inputs *from, int is_first, nytp_error *e) {
    char **paths = from->paths;
    for (int i = 0; i < from->n && !e->code; i++) {
        nytp_v5_input in = {.every_event = from->every_event};
        if (is_first) nytp_print_line(stdout, "Reading %s", paths[i]);
        nytp_v5_merge_input(m, nytp_str_c(paths[i]));
        nytp_v5_input_tell(&in, paths[i], nytp_v5_merge_event, m, e);
        int is_cut = in.v5 && e->code == NYTP_FORMAT;
        if (is_cut && is_first) nytp_print_message("%s; what comes before is merged", e->text);
        if (is_cut) *e = (nytp_error){0};
        if (in.damages && is_first) nytp_print_damaged(paths[i], in.damages, in.lost);
        nytp_v5_input_close(&in);
    }
}

static int write_event(void *writer, const nytp_v5_event *e) {
    nytp_v5_writer_event(writer, e);
    return nytp_v5_writer_error(writer)->code;
}

static void write_merged(nytp_v5_merge *m, nytp_v5_writer *w, const inputs *from, nytp_error *e) {
    nytp_str remarks = nytp_v5_merge_remarks(m);
    for (const char *end; remarks.n; remarks.n -= (size_t)(end - remarks.p), remarks.p = end) {
        end = memchr(remarks.p, '\n', remarks.n);
        end = end ? end + 1 : remarks.p + remarks.n;
        nytp_print_line(stderr, "%.*s", (int)(end - remarks.p - 1), remarks.p);
    }
    int code = nytp_v5_merge_begin(m, write_event, w);
    if (!code) hear(m, from, 0, e);
    if (!e->code && !code) code = nytp_v5_merge_finish(m);
    if (!code) code = (int)nytp_v5_writer_finish(w);
    if (nytp_v5_writer_error(w)->code && !e->code) *e = *nytp_v5_writer_error(w);
    if (code) nytp_error_set(e, code, "out of memory while merging");
}

void nytp_merge_v5(int fd, char **paths, int n, int every_event, nytp_error *e) {
    const inputs from = {paths, n, every_event};
    nytp_v5_merge *m = nytp_v5_merge_open();
    nytp_v5_writer *w = nytp_v5_writer_open(fd, LEVEL);
    if (m && w) hear(m, &from, 1, e);
    else nytp_error_set(e, NYTP_NOMEM, "out of memory");
    if (!e->code) write_merged(m, w, &from, e);
    if (w) nytp_v5_writer_close(w);
    else close(fd);
    nytp_v5_merge_close(m);
}
