/* SPDX-License-Identifier: MIT */
/* metrics.c - the model's metrics from captures with random records of metrics: the data that is kept is bounded, and
 * contains the metrics and values of honest records. */
#include "fixture.h"
#include "model/load.h"
#include "model/metrics.h"
#include "tap.h"

#define SEEDS 200
#define RECORDS 300

static uint32_t state;

static uint32_t next_random(uint32_t below) {
    state = state * 1664525u + 1013904223u;
    return (state >> 8) % below;
}

/* Numbers that are mostly small, and at times of any size. */
static uint64_t odd_number(uint32_t below) {
    static const uint64_t odd[] = {UINT64_MAX, INT64_MAX, UINT32_MAX, 1u << 31, 1u << 20};
    return next_random(8) ? next_random(below) : odd[next_random(5)];
}

static nytp_str odd_text(void) {
    static const char bytes[] = "bytes,<\"'&\n\t\0\x80\xFF;()=# abcdefghijklmnopqrstuvwxyz"
                                "abcdefghijklmnopqrstuvwxyzabcdefghijklmnopqrstuvwxyz";
    uint32_t first = next_random(30);
    return (nytp_str){bytes + first, next_random((uint32_t)sizeof bytes - first)};
}

static void put_odd(nytp_writer *w) {
    nytp_record out = {.kind = next_random(3) ? NYTP_REC_VALUES : NYTP_REC_METRIC};
    if (out.kind == NYTP_REC_METRIC)
        out.u.metric = (nytp_rec_metric){odd_number(40), odd_number(9), odd_number(3), odd_text(), odd_text(),
                                         odd_text()};
    else
        out.u.value = (nytp_rec_value){odd_number(40), odd_number(6), odd_number(20), (int64_t)odd_number(1000)};
    nytp_writer_put(w, &out);
}

static void put_honest(nytp_writer *w) {
    nytp_rec_metric metric = {1000, NYTP_OF_PLACE, NYTP_ADDS_SUM, NYTP_LIT("honest"), NYTP_LIT(""), NYTP_LIT("Honest")};
    nytp_rec_value value = {1000, NYTP_OF_PLACE, 1, 5};
    nytp_writer_put(w, &(nytp_record){.kind = NYTP_REC_METRIC, .u.metric = metric});
    nytp_writer_put(w, &(nytp_record){.kind = NYTP_REC_VALUES, .u.value = value});
}

static void write_odd(const char *path, uint32_t seed) {
    fixture f = fixture_open(path, 1, "x.pl");
    state = seed;
    fixture_file(&f, 1, "/x.pl", 0, 0);
    fixture_place(&f, 1, 1, 1, 1, 1);
    fixture_ran(&f, 1, 1, 10);
    fixture_sub(&f, 1, 0, 1, 1, 1, "main::f");
    fixture_node(&f, 1, 0, 1, 1);
    put_honest(f.w);
    for (int i = 0; i < RECORDS; i++) put_odd(f.w);
    fixture_chunk(&f, 0);
    fixture_close(&f, 1);
}

/* Rows belong to places, nodes and the things made of them, of which there are some dozen here. */
static int is_bounded(const nytp_profile *p) {
    if (p->metrics_n > NYTP_FORMAT_METRICS || p->rows_n > 100) return 0;
    for (uint32_t i = 0; i < p->metrics_n; i++)
        if (p->metrics[i].n > 200 || p->metrics[i].name.n > 80) return 0;
    return 1;
}

int main(void) {
    char *dir = sample_directory(), path[500];
    const char *paths[] = {path};
    int loaded = 0, bounded = 0, honest = 0;
    snprintf(path, sizeof path, "%s/odd", dir);
    for (uint32_t seed = 0; seed < SEEDS; seed++) {
        nytp_profile p;
        nytp_error e;
        write_odd(path, seed);
        loaded += nytp_load(&p, paths, 1, NULL, &e) == NYTP_OK;
        bounded += is_bounded(&p);
        uint32_t row = p.files[1].values, metric = nytp_metrics_find(&p, NYTP_LIT("honest"));
        honest += metric == 0 && nytp_metrics_get(&p, metric, row) == 5;
        nytp_profile_close(&p);
        unlink(path);
    }
    is(loaded, SEEDS, "captures with odd records of metrics are loaded");
    is(bounded, SEEDS, "and no more is kept of them than there is room for");
    is(honest, SEEDS, "what is defined and counted as it should be is there");
    rmdir(dir);
    return done();
}
