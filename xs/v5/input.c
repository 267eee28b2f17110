/* SPDX-License-Identifier: MIT */
/* input.c - the events of one profile, in order. */
#include "v5/input.h"

#include <inttypes.h>
#include <sys/stat.h>

#include "capture/job.h"

static enum nytp_code refuse(const nytp_v5_input *in, nytp_error *e) {
    const char *why = in->is_own && in->v5 ? "which its size does not explain" : "of a profile of another user or host";
    return nytp_error_set(e, NYTP_FORMAT, "%s: more than %" PRId64 " events, %s: expected every_event", in->path,
                          in->most, why);
}

/* Up to the end, or to the first record that makes no sense. */
static void tell_v5(nytp_v5_input *in, nytp_bytes *bytes, nytp_v5_callback *callback, void *self, nytp_error *e) {
    nytp_v5_event event;
    int more = 0;
    in->v5 = nytp_v5_reader_from(bytes, e);
    for (int64_t n = 0; in->v5 && (more = nytp_v5_reader_next(in->v5, &event)) > 0; n++)
        if ((n >= in->most && refuse(in, e)) || callback(self, &event)) return;
    if (more < 0) *e = *nytp_v5_reader_error(in->v5);
}

/* The host of a process is said before its first statement. */
static void look_at_host(nytp_v5_input *in, const nytp_record *r) {
    if (!in->is_own || r->kind != NYTP_REC_PROPERTY || !nytp_str_eq(r->u.pair.key, NYTP_LIT("host"))) return;
    if (in->most == NYTP_REPLAY_MOST || !nytp_job_is_here(r->u.pair.value)) return;
    nytp_replay_allow(in->replay, NYTP_REPLAY_MOST - in->most);
    in->most = NYTP_REPLAY_MOST;
}

static int replay(void *self, const nytp_record *r) {
    nytp_v5_input *in = self;
    look_at_host(in, r);
    return nytp_replay_record(in->replay, r, nytp_reader_stream(in->capture, r->stream));
}

static void count_damage(nytp_v5_input *in, const nytp_record *r) {
    if (r->kind != NYTP_REC_DAMAGE) return;
    in->damages++;
    in->lost += r->u.damage.length;
}

/* Replays a record, or the text that it has of a file in the store. */
static int replay_left(void *self, const nytp_record *r) {
    nytp_v5_input *in = self;
    nytp_record source;
    return replay(in, nytp_left_record(&in->left, r, &source));
}

/* Replays the records, then source that the capture left to its parent's and to the store of its job. Returns as
 * nytp_replay_record. */
static int replay_all(nytp_v5_input *in, nytp_error *e) {
    nytp_record record;
    int more = 0, code = NYTP_OK;
    while (!code && (more = nytp_reader_next(in->capture, &record)) > 0) {
        count_damage(in, &record);
        nytp_inherited_record(&in->inherited, &record, nytp_reader_stream(in->capture, record.stream));
        code = replay_left(in, &record);
    }
    if (more < 0) *e = *nytp_reader_error(in->capture);
    if (!code && more == 0) code = nytp_inherited_tell(&in->inherited, in->path, replay_left, in);
    if (!code && more == 0) code = nytp_left_tell(&in->left, in->path, replay, in);
    if (!code && more == 0) code = nytp_replay_finish(in->replay);
    return code;
}

static void tell_capture(nytp_v5_input *in, nytp_bytes *bytes, nytp_v5_callback *callback, void *self, nytp_error *e) {
    in->capture = nytp_reader_corrected(bytes, e);
    if (!in->capture) return;
    in->replay = nytp_replay_open(callback, self, in->most);
    int code = in->replay ? replay_all(in, e) : NYTP_NOMEM;
    if (code == NYTP_NOMEM) nytp_error_set(e, NYTP_NOMEM, "%s: out of memory", in->path);
    if (code != NYTP_FORMAT) return;
    if (in->most != NYTP_REPLAY_MOST) refuse(in, e);
    else
        nytp_error_set(e, NYTP_FORMAT, "%s: more than 2^33 statements and calls, too many for an event each", in->path);
}

static void look_at_file(nytp_v5_input *in, const nytp_bytes *bytes, int is_v5) {
    struct stat st;
    int is_plain = bytes->fd >= 0 && !fstat(bytes->fd, &st) && S_ISREG(st.st_mode);
    in->is_own = in->every_event || nytp_bytes_is_own(bytes);
    int64_t each = is_v5 && in->is_own ? NYTP_V5_INPUT_OWN : NYTP_V5_INPUT_BYTE;
    in->most = NYTP_V5_INPUT_MOST + (is_plain ? each * (int64_t)st.st_size : 0);
    if (in->every_event) in->most = is_v5 ? INT64_MAX : NYTP_REPLAY_MOST;
    else if (in->most > NYTP_REPLAY_MOST && !is_v5) in->most = NYTP_REPLAY_MOST;
}

void nytp_v5_input_tell(nytp_v5_input *in, const char *path, nytp_v5_callback *callback, void *self, nytp_error *e) {
    nytp_bytes bytes;
    in->path = path;
    nytp_bytes_open(&bytes, path);
    int is_v5 = nytp_v5_reader_knows(&bytes);
    look_at_file(in, &bytes, is_v5);
    if (is_v5) tell_v5(in, &bytes, callback, self, e);
    else tell_capture(in, &bytes, callback, self, e);
}

void nytp_v5_input_close(nytp_v5_input *in) {
    nytp_v5_reader_close(in->v5);
    nytp_replay_close(in->replay);
    nytp_reader_close(in->capture);
    nytp_left_forget(&in->left);
    nytp_inherited_forget(&in->inherited);
    *in = (nytp_v5_input){.damages = in->damages, .lost = in->lost};
}
