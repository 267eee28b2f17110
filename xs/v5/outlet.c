/* SPDX-License-Identifier: MIT */
/* outlet.c - records corrected, replayed as events and written to a file of format 5. */
#include "v5/outlet.h"

#include <errno.h>
#include <stdlib.h>

#include "capture/correct.h"
#include "v5/replay.h"
#include "v5/write.h"

typedef struct outlet {
    nytp_v5_writer *file;  /* NULL once finished */
    nytp_replay *replay;   /* calls write_event */
    nytp_correct correct;
    nytp_stream_id stream; /* the only one: a process writes its own file */
    int32_t has_ended;     /* 1: an end record was written */
} outlet;

/* An error of the file ends the replay, and so a long summary. */
static int write_event(void *self, const nytp_v5_event *e) {
    outlet *o = self;

    nytp_v5_writer_event(o->file, e);
    return nytp_v5_writer_error(o->file)->code;
}

/* code, from replay, is NYTP_NOMEM or that of the file. */
static void keep_error(const outlet *o, int code, nytp_error *e) {
    const nytp_error *found = nytp_v5_writer_error(o->file);

    if (found->code && !e->code) *e = *found;
    if (code == NYTP_NOMEM) nytp_error_set(e, code, "writing the profile: out of memory");
}

static void emit_record(void *self, const nytp_record *given, nytp_error *e) {
    outlet *o = self;
    nytp_record record = *given;

    if (!o->file) return;
    nytp_correct_record(&o->correct, &record);
    int code = nytp_replay_record(o->replay, &record, &o->stream);
    o->has_ended |= record.kind == NYTP_REC_END;
    if (code == NYTP_NOMEM) nytp_v5_writer_flush(o->file); /* keeps the events so far */
    keep_error(o, code, e);
}

static void finish(outlet *o, nytp_error *e) {
    int code = nytp_replay_finish(o->replay);

    nytp_v5_writer_finish(o->file);
    keep_error(o, code, e);
    nytp_v5_writer_abandon(o->file);
    o->file = NULL;
}

/* The first chunk is the file's beginning only, and is written at once: a file must not be empty while its program
 * runs. */
static void end_chunk(void *self, nytp_error *e) {
    outlet *o = self;

    if (!o->file) return;
    nytp_correct_chunk(&o->correct, NULL);
    if (o->has_ended) {
        finish(o, e);
    } else {
        int code = nytp_replay_begin(o->replay);
        nytp_v5_writer_flush(o->file);
        keep_error(o, code, e);
    }
}

static void close_file(void *self, nytp_error *e) {
    outlet *o = self;

    if (o->file) {
        keep_error(o, NYTP_OK, e);
        nytp_v5_writer_abandon(o->file);
    }
    nytp_replay_close(o->replay);
    free(o);
}

static outlet *make(const nytp_stream_id *stream) {
    outlet *o = calloc(1, sizeof *o);

    if (!o) return NULL;
    o->stream = *stream;
    o->replay = nytp_replay_open(write_event, o, INT64_MAX);
    if (o->replay) return o;
    free(o);
    return NULL;
}

static nytp_writer *open_writer(outlet *o) {
    nytp_error e = {0};
    nytp_writer *w = nytp_writer_open_outlet(&(nytp_writer_outlet){emit_record, end_chunk, close_file, o}, &o->stream);

    if (!w) close_file(o, &e);
    return w;
}

/* The file is opened last, as fd is the caller's until then. */
nytp_writer *nytp_v5_outlet_open(int fd, const nytp_stream_id *stream, int level) {
    int saved = errno;
    outlet *o = make(stream);
    nytp_writer *w = o ? open_writer(o) : NULL;

    if (w) o->file = nytp_v5_writer_open(fd, level);
    if (w && !o->file) {
        nytp_writer_abandon(w);
        w = NULL;
    }
    errno = saved;
    return w;
}
