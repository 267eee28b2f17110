/* outlet.c - a payload's way into a file of format 5: read as a capture is, replayed, and written as events. */
#include "v5/outlet.h"

#include <errno.h>
#include <stdlib.h>

#include "capture/correct.h"
#include "capture/records.h"
#include "v5/replay.h"
#include "v5/write.h"

typedef struct outlet {
    nytp_v5_writer *file;  /* NULL once finished */
    nytp_replay *replay;   /* tells write_event */
    nytp_records records;  /* of the payload at hand */
    nytp_correct correct;
    nytp_stream_id stream; /* the only one: a process writes its own file */
} outlet;

/* A file that cannot be written any more ends the telling, so that a long summary is not told to nobody. */
static int write_event(void *self, const nytp_v5_event *e) {
    outlet *o = self;

    nytp_v5_writer_event(o->file, e);
    return nytp_v5_writer_error(o->file)->code;
}

static void keep_error(const outlet *o, nytp_error *e) {
    const nytp_error *found = nytp_v5_writer_error(o->file);

    if (found->code && !e->code) *e = *found;
}

/* Only our own writer's payloads come here, so all of their records make sense. The first has nothing but what opens
 * the file, and is written at once: a file must not be empty while its program runs. */
static int tell_records(outlet *o, const nytp_buf *payload, int *ended) {
    nytp_record record = {0};
    const char *why;
    int code = NYTP_OK;

    nytp_records_begin(&o->records, payload->p, payload->n);
    nytp_correct_chunk(&o->correct, NULL);
    while (!code && nytp_records_next(&o->records, &record, &why) > 0) {
        nytp_correct_record(&o->correct, &record);
        code = nytp_replay_record(o->replay, &record, &o->stream);
        *ended |= record.kind == NYTP_REC_END;
    }
    if (!code) code = *ended ? nytp_replay_finish(o->replay) : nytp_replay_begin(o->replay);
    return code;
}

static int tell_payload(void *self, const nytp_buf *payload, nytp_error *e) {
    outlet *o = self;
    int ended = 0;

    if (!o->file || (!payload->n && !payload->failed)) return NYTP_OK;
    int code = payload->failed ? NYTP_NOMEM : tell_records(o, payload, &ended);
    if (ended) nytp_v5_writer_finish(o->file);
    else nytp_v5_writer_flush(o->file);
    keep_error(o, e);
    if (ended) {
        nytp_v5_writer_abandon(o->file);
        o->file = NULL;
    }
    return code == NYTP_NOMEM ? code : NYTP_OK;
}

static void close_file(void *self, nytp_error *e) {
    outlet *o = self;

    if (o->file) {
        keep_error(o, e);
        nytp_v5_writer_abandon(o->file);
    }
    nytp_replay_close(o->replay);
    free(o);
}

static outlet *make(const nytp_stream_id *stream) {
    outlet *o = calloc(1, sizeof *o);

    if (!o) return NULL;
    o->stream = *stream;
    o->replay = nytp_replay_open(write_event, o);
    if (o->replay) return o;
    free(o);
    return NULL;
}

static nytp_writer *open_writer(outlet *o) {
    nytp_error e = {0};
    nytp_writer *w = nytp_writer_open_outlet(&(nytp_writer_outlet){tell_payload, close_file, o}, &o->stream);

    if (!w) close_file(o, &e);
    return w;
}

/* The file comes last: until then fd is the caller's. */
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
