/* SPDX-License-Identifier: MIT */
/* measures.c - metrics, counters beside count and time: for each a hash with its values by line and by sub. */
#include "perldata/perldata.h"

#include "model/metrics.h"

static HV *hash_in(pTHX_ HV *hv, U32 number) {
    char key[16];
    SV *sv = *hv_fetch(hv, key, my_snprintf(key, sizeof key, "%lu", (unsigned long)number), 1);
    if (!SvROK(sv)) sv_setsv(sv, sv_2mortal(newRV_noinc((SV *)newHV())));
    return (HV *)SvRV(sv);
}

static void store_lines(pTHX_ const nytp_profile *p, U32 metric, HV *lines) {
    for (U32 i = 1; i < p->files_n; i++) {
        const nytp_lines *level = &p->files[i].level[NYTP_LEVEL_LINE];
        U32 fid = nytp_data_fid(p, i);
        for (U32 k = 0; k < level->n && fid; k++) {
            int64_t value = nytp_metrics_get(p, metric, level->at[k].values);
            char key[16];
            int n = my_snprintf(key, sizeof key, "%lu", (unsigned long)level->at[k].line);
            if (value) (void)hv_store(hash_in(aTHX_ lines, fid), key, n, nytp_data_count(aTHX_ value), 0);
        }
    }
}

static void join(pTHX_ const nytp_metric *m, AV *of, int element, int64_t value) {
    SV *sv = *av_fetch(of, element, 1);
    nytp_data_set(aTHX_ sv, nytp_metrics_join(m, nytp_data_get(aTHX_ sv), value));
}

/* Subs of one name are one, as everywhere in the Perl API. */
static void store_subs(pTHX_ const nytp_profile *p, U32 metric, HV *subs) {
    for (U32 i = 0; i < p->subs_n; i++) {
        const nytp_sub *s = &p->subs[i];
        int64_t own = nytp_metrics_get(p, metric, s->own), whole = nytp_metrics_get(p, metric, s->whole);
        if (!own && !whole) continue;
        SV *sv = *hv_fetch(subs, s->name.p, s->flags & NYTP_SUB_UTF8 ? -(I32)s->name.n : (I32)s->name.n, 1);
        if (!SvROK(sv)) sv_setsv(sv, sv_2mortal(newRV_noinc((SV *)newAV())));
        join(aTHX_ &p->metrics[metric], (AV *)SvRV(sv), 0, own);
        join(aTHX_ &p->metrics[metric], (AV *)SvRV(sv), 1, whole);
    }
}

static void store_one(pTHX_ const nytp_profile *p, U32 metric, AV *metrics) {
    const nytp_metric *m = &p->metrics[metric];
    HV *hv = newHV();
    av_push(metrics, newRV_noinc((SV *)hv));
    (void)hv_stores(hv, "name", nytp_data_str(aTHX_ m->name, 0));
    (void)hv_stores(hv, "title", nytp_data_str(aTHX_ m->title, 0));
    (void)hv_stores(hv, "unit", nytp_data_str(aTHX_ m->unit, 0));
    (void)hv_stores(hv, "adds", newSVpv(m->adds == NYTP_ADDS_MAX ? "max" : "sum", 0));
    (void)hv_stores(hv, "total", nytp_data_count(aTHX_ nytp_metrics_get(p, metric, p->totals.values)));
    store_lines(aTHX_ p, metric, nytp_data_new_hash(aTHX_ hv, "lines"));
    store_subs(aTHX_ p, metric, nytp_data_new_hash(aTHX_ hv, "subs"));
}

/* A profile without metrics has no such key: its hash is what it has always been. */
void nytp_measures_store(pTHX_ const nytp_profile *p, HV *data) {
    AV *metrics = p->metrics_n ? nytp_data_new_array(aTHX_ data, "metrics") : NULL;
    for (U32 i = 0; i < p->metrics_n; i++) store_one(aTHX_ p, i, metrics);
}
