/* SPDX-License-Identifier: MIT */
/* times.c - events of statements. */
#include "v5/times.h"

#include "base/ticks.h"

uint32_t nytp_times_add(nytp_buf *times, const nytp_timed *like) {
    nytp_buf_bytes(times, like, sizeof *like);
    return times->failed ? 0 : (uint32_t)(times->n / sizeof *like);
}

nytp_timed *nytp_times_at(const nytp_buf *times, uint32_t number) { return (nytp_timed *)times->p + number - 1; }

static void emit_discount(nytp_emitter *to) {
    const nytp_v5_event e = {.tag = NYTP_V5_DISCOUNT};

    nytp_emitter_claim(to, 1);
    nytp_emitter_event(to, &e);
}

/* Emits one event, or, for a time too large for one, several, of which only the first counts. */
static void emit_time(const nytp_timed *t, int64_t ticks, int is_block, nytp_emitter *to) {
    nytp_v5_event e = {.tag = is_block ? NYTP_V5_TIME_BLOCK : NYTP_V5_TIME_LINE};

    e.u.time = (nytp_v5_time){0, t->fid, t->line, t->block_line, t->sub_line};
    for (int more = 0; !more || (ticks && !to->code); more = 1) {
        e.u.time.ticks = ticks > INT32_MAX ? INT32_MAX : ticks < INT32_MIN ? INT32_MIN : (int32_t)ticks;
        ticks -= e.u.time.ticks;
        if (more) emit_discount(to);
        nytp_emitter_event(to, &e);
    }
}

/* Events cannot be taken back: statements that the capture takes back are left out of the next ones. */
static int64_t settle_debt(nytp_timed *t, int64_t count) {
    int64_t n = nytp_ticks_minus(count, t->owed);

    t->owed = n < 0 ? nytp_ticks_minus(0, n) : 0;
    return n < 0 ? 0 : n;
}

void nytp_times_emit(nytp_timed *t, int64_t count, int64_t due, int is_block, nytp_emitter *to) {
    int64_t n = settle_debt(t, count), ticks = nytp_ticks_minus(due, t->emitted);

    t->emitted = due;
    if (!n && !ticks) return;
    if (!n) {
        emit_discount(to);
        emit_time(t, ticks, is_block, to);
    }
    nytp_emitter_claim(to, n);
    for (; n > 0 && !to->code; n--) emit_time(t, nytp_ticks_share(&ticks, n), is_block, to);
}
