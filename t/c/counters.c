/* SPDX-License-Identifier: MIT */
/* counters.c - a front end's own counters in the recorder: the values in each window, and those that are dropped. */
#include "record/counters.h"
#include "recording.h"

enum { BYTES, DEPTH, ROUNDS, NEVER };

static const nytp_counter counters[] = {
    [BYTES] = {"bytes", "Bytes", "B", NYTP_OF_PLACE | NYTP_OF_NODE, NYTP_ADDS_SUM},
    [DEPTH] = {"depth", "Depth", "", NYTP_OF_PLACE, NYTP_ADDS_MAX},
    [ROUNDS] = {"rounds", "Rounds", "", NYTP_OF_PROCESS, NYTP_ADDS_SUM},
    [NEVER] = {"never", "Never", "", NYTP_OF_PLACE, NYTP_ADDS_SUM},
    {0},
};

/* The counters' values in a capture: "bytes 1:7=30 " is 30 of place 7. */
static char *values(void) {
    static char text[2000];
    char names[8][16] = {{0}};
    nytp_error e = {0};
    nytp_record rec;
    size_t n = 0;
    nytp_reader *reader = nytp_reader_open(path, &e);
    text[0] = 0;
    while (reader && nytp_reader_next(reader, &rec) == 1) {
        const nytp_rec_metric *m = &rec.u.metric;
        const nytp_rec_value *v = &rec.u.value;
        if (rec.kind == NYTP_REC_METRIC) snprintf(names[m->id & 7], 16, "%.*s", (int)m->name.n, m->name.p);
        if (rec.kind == NYTP_REC_VALUES)
            n += (size_t)snprintf(text + n, sizeof text - n, "%s %d:%d=%d ", names[v->metric & 7], (int)v->of,
                                  (int)v->id, (int)v->value);
        if (rec.kind == NYTP_REC_WINDOW && n && text[n - 1] != '|') n += (size_t)snprintf(text + n, 2, "|");
    }
    nytp_reader_close(reader);
    return text;
}

static void says(const char *expected, const char *name) {
    const char *got = values();
    if (!ok(strcmp(got, expected) == 0, "%s", name)) printf("# %s\n", got);
}

static void windows(void) {
    begin();
    r->front.counters = counters;
    nytp_live_place *a = place(1), *b = place(2);
    nytp_statement(r, a, nytp_now(r));
    nytp_counters_count(r, BYTES, 10);
    nytp_counters_count(r, BYTES, 20);
    nytp_counters_count(r, DEPTH, 5);
    nytp_counters_count(r, DEPTH, 3);
    nytp_counters_count(r, ROUNDS, 1);
    nytp_flush_all(r);
    nytp_statement(r, b, nytp_now(r));
    nytp_flush_all(r);
    nytp_counters_count(r, BYTES, 7);
    nytp_counters_count(r, DEPTH, 4);
    nytp_counters_count(r, ROUNDS, 2);
    finish();
    says("bytes 1:1=30 bytes 2:0=30 depth 1:1=5 rounds 4:0=1 |bytes 1:2=7 bytes 2:0=7 depth 1:2=4 rounds 4:0=2 |",
         "each window has what was counted in it, where the program was; what was never counted is not defined");
}

static void columns(void) {
    begin();
    r->front.counters = counters;
    for (uint32_t i = 1; i <= 900; i++) {
        nytp_statement(r, place(i), nytp_now(r));
        if (i == 1 || i == 900) nytp_counters_count(r, DEPTH, i);
    }
    finish();
    says("depth 1:1=1 depth 1:900=900 |", "columns grow as far as something is counted, and keep what they have");
}

static void forgetting(void) {
    nytp_error e = {0};
    begin();
    r->front.counters = counters;
    nytp_statement(r, place(1), nytp_now(r));
    nytp_counters_count(r, BYTES, 10);
    nytp_counters_count(r, ROUNDS, 10);
    nytp_recorder_off(r);
    nytp_recorder_reset(r);
    nytp_recorder_on(r, &e);
    nytp_statement(r, place(2), nytp_now(r));
    nytp_counters_count(r, BYTES, 1);
    finish();
    says("bytes 1:2=1 bytes 2:0=1 |", "what belongs to another file, as a parent's does, is not in this one");
}

static void nothing(void) {
    begin();
    nytp_statement(r, place(1), nytp_now(r));
    finish();
    says("", "a front end without counters writes none");
}

int main(void) {
    set_up();
    windows();
    columns();
    forgetting();
    nothing();
    return take_down();
}
