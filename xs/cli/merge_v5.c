/* SPDX-License-Identifier: MIT */
/* merge_v5.c - `nytprof merge` with a file of format 5 among the files: all are read twice. */
#include "cli/merge_v5.h"

#include <stdio.h>
#include <unistd.h>

#include "capture/left.h"
#include "cli/print.h"
#include "v5/merge.h"
#include "v5/read.h"
#include "v5/replay.h"
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

/* Reads a file of format 5 up to its end or the first damage, which is reported if is_first. */
static void hear_v5(nytp_v5_merge *m, nytp_bytes *bytes, int is_first, nytp_error *e) {
    nytp_v5_reader *r = nytp_v5_reader_from(bytes, e);
    nytp_v5_event event;
    int more = 0, code = NYTP_OK;
    if (!r) return;
    while (!code && (more = nytp_v5_reader_next(r, &event)) > 0) code = nytp_v5_merge_event(m, &event);
    const nytp_error *error = nytp_v5_reader_error(r);
    if (more < 0 && error->code == NYTP_FORMAT && is_first)
        fprintf(stderr, "nytprof: %s; what comes before is merged\n", error->text);
    else if (more < 0 && error->code != NYTP_FORMAT) *e = *error;
    nytp_v5_reader_close(r);
}

typedef struct capture {
    nytp_reader *reader;
    nytp_replay *replay;
    nytp_left left;
} capture;

static int replay(void *self, const nytp_record *r) {
    const capture *c = self;
    return nytp_replay_record(c->replay, r, nytp_reader_stream(c->reader, r->stream));
}

static void hear_ours(nytp_v5_merge *m, const char *path, nytp_bytes *bytes, int is_first, nytp_error *e) {
    capture c = {.reader = nytp_reader_corrected(bytes, e)};
    unsigned long long damages = 0, lost = 0;
    nytp_record record, source;
    int more = 0, code = NYTP_OK;
    c.replay = c.reader ? nytp_replay_open(nytp_v5_merge_event, m, NYTP_REPLAY_MOST) : NULL;
    while (c.replay && !code && (more = nytp_reader_next(c.reader, &record)) > 0) {
        if (record.kind == NYTP_REC_DAMAGE) {
            damages++;
            lost += record.u.damage.length;
        } else {
            code = replay(&c, nytp_left_record(&c.left, &record, &source));
        }
    }
    if (c.replay && !code) code = nytp_left_tell(&c.left, path, replay, &c);
    if (c.replay && !code) code = nytp_replay_finish(c.replay);
    if (more < 0) *e = *nytp_reader_error(c.reader);
    if (c.reader && (!c.replay || code == NYTP_NOMEM)) nytp_error_set(e, NYTP_NOMEM, "%s: out of memory", path);
    if (c.replay && code == NYTP_FORMAT)
        nytp_error_set(e, code, "%s: more than 2^33 statements and calls, too many to write each into format 5", path);
    if (is_first && damages) nytp_print_damaged(path, damages, lost);
    nytp_left_forget(&c.left);
    nytp_replay_close(c.replay);
    nytp_reader_close(c.reader);
}

static void hear(nytp_v5_merge *m, char **paths, int n, int is_first, nytp_error *e) {
    for (int i = 0; i < n && !e->code; i++) {
        nytp_bytes bytes;
        if (is_first) printf("Reading %s\n", paths[i]);
        nytp_v5_merge_input(m, nytp_str_c(paths[i]));
        nytp_bytes_open(&bytes, paths[i]);
        if (nytp_v5_reader_knows(&bytes)) hear_v5(m, &bytes, is_first, e);
        else hear_ours(m, paths[i], &bytes, is_first, e);
    }
}

static int write_event(void *writer, const nytp_v5_event *e) {
    nytp_v5_writer_event(writer, e);
    return nytp_v5_writer_error(writer)->code;
}

static void write_merged(nytp_v5_merge *m, nytp_v5_writer *w, char **paths, int n, nytp_error *e) {
    nytp_str remarks = nytp_v5_merge_remarks(m);
    if (remarks.n) fwrite(remarks.p, 1, remarks.n, stderr);
    int code = nytp_v5_merge_begin(m, write_event, w);
    if (!code) hear(m, paths, n, 0, e);
    if (!e->code && !code) code = nytp_v5_merge_finish(m);
    if (!code) code = nytp_v5_writer_finish(w);
    if (nytp_v5_writer_error(w)->code && !e->code) *e = *nytp_v5_writer_error(w);
    if (code) nytp_error_set(e, code, "out of memory while merging");
}

void nytp_merge_v5(int fd, char **paths, int n, nytp_error *e) {
    nytp_v5_merge *m = nytp_v5_merge_open();
    nytp_v5_writer *w = nytp_v5_writer_open(fd, LEVEL);
    if (m && w) hear(m, paths, n, 1, e);
    else nytp_error_set(e, NYTP_NOMEM, "out of memory");
    if (!e->code) write_merged(m, w, paths, n, e);
    if (w) nytp_v5_writer_close(w);
    else close(fd);
    nytp_v5_merge_close(m);
}
