/* SPDX-License-Identifier: MIT */
/* relay.c - a recorder whose stream is for several threads of a process, one after the other. */
#include "record/relay.h"

#include <string.h>

#include "record/deltas.h"
#include "record/handlers.h"
#include "record/latency.h"
#include "record/output.h"
#include "record/places.h"
#include "record/session.h"
#include "record/spans.h"
#include "record/subs.h"

int nytp_relay_is_of_this_process(const nytp_recorder *r) { return nytp_output_pid(r) == r->output.stream.pid; }

/* With calls in their order, and in format 5, a stream is one thread's. */
int nytp_relay_may_rest(const nytp_recorder *r) {
    const nytp_live_output *o = &r->output;
    if (!o->relays || !o->writer || o->generation != 1 || r->dead || !nytp_relay_is_of_this_process(r)) return 0;
    return r->options->format != NYTP_OUTPUT_V5 && r->options->calls < 2 && !nytp_writer_error(o->writer)->code;
}

int nytp_relay_fits(const nytp_recorder *r, const char *base) {
    return nytp_relay_is_of_this_process(r) && strcmp(r->output.base, base) == 0;
}

int64_t nytp_relay_begun_with(const nytp_recorder *r, nytp_str name) {
    int64_t calls = 0;
    for (const nytp_live_node *n = r->nodes.root.first_child; n; n = n->next)
        if (nytp_str_eq(n->sub->name, name)) calls += nytp_deltas_calls(r, n);
    return calls;
}

/* Frames that the thread still had are its interpreter's, and lost. */
static void leave_position(nytp_recorder *r) {
    r->frame = NULL;
    r->native = NYTP_NATIVE_NONE;
    r->place = &r->places.nowhere;
    r->node = &r->nodes.root;
}

void nytp_relay_rest(nytp_recorder *r) {
    nytp_recorder_off(r);
    leave_position(r);
    if (r->output.thread_used < 0) nytp_output_thread_ends(r);
    nytp_session_sum_up(r, NYTP_END_FINISHED);
    nytp_places_drop_texts(r);
    for (uint32_t id = 1; id <= r->files.n; id++) r->files.list[id]->front = NULL;
    nytp_subs_rest(r);
    nytp_spans_renew(r);
    nytp_latency_renew(r);
    r->rest = NYTP_REST_NO;
    r->is_asked = NYTP_ASKED_NOTHING;
    r->output.rests = 1;
}
