/* SPDX-License-Identifier: MIT */
/* pairs.c - attributes and options, with the attributes that are sums over the profile. */
#include "perldata/perldata.h"

#include "base/ticks.h"

#define TICKS 10000000 /* per second, in the attributes of any capture, whatever the clock's rate */

static void store(pTHX_ HV *hv, const char *key, SV *value) {
    (void)hv_store(hv, key, (I32)strlen(key), value, 0);
}

/* The time-stamp counter has no number that other programs know: it is reported as CLOCK_MONOTONIC. */
static SV *value_of(pTHX_ const nytp_pair *pair) {
    int is_clock = nytp_str_eq(pair->key, NYTP_LIT("clock_id")) || nytp_str_eq(pair->key, NYTP_LIT("clock"));
    if (is_clock && nytp_str_eq(pair->value, NYTP_LIT("1000"))) return newSVpvs("1");
    return nytp_data_str(aTHX_ pair->value, 0);
}

/* The first of several processes counts; existing values stay. */
static void store_pairs(pTHX_ const nytp_profile *p, U32 kind, HV *hv) {
    for (U32 i = 0; i < p->pairs_n; i++) {
        const nytp_pair *pair = &p->pairs[i];
        if (pair->kind != kind || hv_exists(hv, pair->key.p, (I32)pair->key.n)) continue;
        (void)hv_store(hv, pair->key.p, (I32)pair->key.n, value_of(aTHX_ pair), 0);
    }
}

/* The end of a process that was killed is that of its last window. */
static NV end_of(const nytp_profile *p, const nytp_process *process) {
    return process->end ? nytp_profile_epoch(process->end)
                        : nytp_profile_epoch(process->start) + nytp_profile_seconds(p, process->elapsed);
}

static void store_times(pTHX_ const nytp_profile *p, HV *hv) {
    NV first = 0, last = 0, duration = 0;
    int complete = 1;
    for (U32 i = 0; i < p->processes_n; i++) {
        const nytp_process *process = &p->processes[i];
        NV start = nytp_profile_epoch(process->start), end = end_of(p, process);
        if (i == 0 || start < first) first = start;
        if (end > last) last = end;
        duration += end - start;
        if (!nytp_profile_has_ended(process) || process->missing) complete = 0;
    }
    store(aTHX_ hv, "profiler_start_time", newSVnv(first));
    store(aTHX_ hv, "profiler_end_time", newSVnv(last));
    store(aTHX_ hv, "profiler_duration", newSVnv(duration));
    store(aTHX_ hv, "complete", newSVsv(complete ? &PL_sv_yes : &PL_sv_no));
}

static NV seconds_in_statements(const nytp_profile *p) {
    NV seconds = 0;
    for (U32 i = 0; i < p->files_n; i++) seconds += nytp_profile_seconds(p, p->files[i].ticks);
    return seconds;
}

/* For captures; a file of format 5 has these two among its attributes. */
static void store_ticks(pTHX_ const nytp_profile *p, HV *hv) {
    const nytp_totals *t = &p->totals;
    NV overhead = nytp_profile_seconds(p, nytp_ticks_add(nytp_ticks_add(t->subtracted, t->cold), t->flush));
    store(aTHX_ hv, "ticks_per_sec", newSViv(TICKS));
    store(aTHX_ hv, "cumulative_overhead_ticks", newSVnv(Perl_floor(overhead * TICKS + 0.5)));
}

void nytp_perldata_pairs_store(pTHX_ const nytp_profile *p, HV *data) {
    const nytp_totals *t = &p->totals;
    HV *hv = nytp_data_new_hash(aTHX_ data, "attribute");
    store_times(aTHX_ p, hv);
    store(aTHX_ hv, "total_stmts_measured", nytp_data_count(aTHX_ nytp_ticks_add(t->statements, t->resumed)));
    store(aTHX_ hv, "total_stmts_discounted", nytp_data_count(aTHX_ t->resumed));
    store(aTHX_ hv, "total_stmts_duration", newSVnv(seconds_in_statements(p)));
    store(aTHX_ hv, "total_sub_calls", nytp_data_count(aTHX_ t->calls));
    if (!nytp_data_is_v5(p)) store_ticks(aTHX_ p, hv);
    store_pairs(aTHX_ p, NYTP_REC_ATTRIBUTE, hv);
    store_pairs(aTHX_ p, NYTP_REC_OPTION, nytp_data_new_hash(aTHX_ data, "option"));
}
