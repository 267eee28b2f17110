/* SPDX-License-Identifier: MIT */
/* delta.c - loads a part of a profile, and has the report pprof write it. */
#include "cli/delta.h"

#include <ctype.h>
#include <stdio.h>
#include <string.h>

#include "base/pairs.h"
#include "base/sha256.h"
#include "cli/cli.h"
#include "cli/refused.h"
#include "cli/verbs.h"
#include "model/load.h"
#include "model/samples.h"

/* ---- labels ---- */

static int is_name(const nytp_assignment *pair) {
    const char *p = (const char *)pair->name.p;
    if (!pair->has_value || !pair->name.n || isdigit((unsigned char)*p) || strncmp(p, "__", 2) == 0) return 0;
    for (size_t i = 0; i < pair->name.n; i++)
        if (!isalnum((unsigned char)p[i]) && p[i] != '_') return 0;
    return pair->value.n != 0;
}

static int is_known(const nytp_named *named, const nytp_assignment *pair) {
    if (nytp_pairs_is(pair, "service") || nytp_pairs_is(pair, "service_name")) return 1;
    if (nytp_pairs_is(pair, "host") && named->host.n) return 1;
    for (uint32_t i = 0; i < named->labels_n; i++)
        if (nytp_pairs_is(pair, (const char *)named->labels[i].name.p)) return 1;
    return 0;
}

/* Takes the pair's memory, if it can be used. */
static void take_label(nytp_named *named, nytp_assignment *pair, const char *text, nytp_error *e) {
    if (pair->failed) nytp_error_set(e, NYTP_NOMEM, "out of memory");
    else if (!is_name(pair))
        nytp_error_set(e, NYTP_USAGE, "--label: expected NAME=VALUE[:NAME=VALUE...], got '%s'", text);
    else if (is_known(named, pair))
        nytp_error_set(e, NYTP_USAGE, "--label: there is a label %s already", (const char *)pair->name.p);
    else if (named->labels_n == NYTP_DELTA_LABELS)
        nytp_error_set(e, NYTP_USAGE, "--label: expected %d labels at most", NYTP_DELTA_LABELS);
    else if (nytp_pairs_is(pair, "host")) {
        named->host = pair->value;
        pair->value = (nytp_buf){0};
    } else {
        named->labels[named->labels_n++] = (nytp_label){pair->name, pair->value};
        pair->name = pair->value = (nytp_buf){0};
    }
}

enum nytp_code nytp_delta_labels(nytp_named *named, const char *text, nytp_error *e) {
    const char *p = text;
    do {
        nytp_assignment pair = {0};
        p = nytp_pairs_next(p, &pair);
        take_label(named, &pair, text, e);
        nytp_pairs_free(&pair);
    } while (!e->code && *p++ == ':');
    return e->code;
}

void nytp_delta_labels_free(nytp_named *named) {
    for (uint32_t i = 0; i < named->labels_n; i++) {
        nytp_buf_free(&named->labels[i].name);
        nytp_buf_free(&named->labels[i].value);
    }
    named->labels_n = 0;
    nytp_buf_free(&named->host);
}

/* ---- names ---- */

/* The program's, without its directory. */
static nytp_str program_of(const nytp_process *process) {
    nytp_str name = process->program;
    for (size_t i = name.n; i-- > 0;)
        if (name.p[i] == '/' && i + 1 < name.n) return (nytp_str){name.p + i + 1, name.n - i - 1};
    return name.n ? name : NYTP_LIT("unknown");
}

/* The first word of its name and version. */
static nytp_str family_of(const nytp_process *process) {
    size_t n = 0;
    while (n < process->interpreter.n && process->interpreter.p[n] != ' ') n++;
    return (nytp_str){process->interpreter.p, n};
}

static void put_uuid(char uuid[37], const unsigned char b[16]) {
    snprintf(uuid, 37, "%02x%02x%02x%02x-%02x%02x-%02x%02x-%02x%02x-%02x%02x%02x%02x%02x%02x", b[0], b[1], b[2], b[3],
             b[4], b[5], (b[6] & 0x0F) | 0x40, b[7], (b[8] & 0x3F) | 0x80, b[9], b[10], b[11], b[12], b[13], b[14],
             b[15]);
}

static void name(nytp_delta *d, const nytp_profile *p) {
    const nytp_process *first = &p->processes[0];
    nytp_str service = d->named->service ? nytp_str_c(d->named->service) : program_of(first), family = family_of(first),
             host = nytp_profile_property(p, 0, NYTP_LIT("host"));
    if (d->named->host.n) host = (nytp_str){(const char *)d->named->host.p, d->named->host.n};
    struct { unsigned char run[16]; uint64_t begin, end; } key = {.begin = d->begin, .end = d->end};
    unsigned char digest[NYTP_SHA256_BYTES];
    nytp_buf_bytes(&d->text, service.p, service.n);
    nytp_buf_bytes(&d->text, host.p, host.n);
    for (size_t i = 0; i < family.n; i++) nytp_buf_byte(&d->text, (unsigned char)tolower((unsigned char)family.p[i]));
    const char *text = (const char *)d->text.p;
    d->service = (nytp_str){text, service.n};
    d->host = (nytp_str){text + service.n, host.n};
    d->family = (nytp_str){text + service.n + host.n, family.n};
    memcpy(key.run, first->id.run, sizeof key.run);
    nytp_sha256(&key, sizeof key, digest);
    put_uuid(d->id, digest);
    put_uuid(d->run, key.run);
}

/* ---- the profile ---- */

static void write_profile(nytp_delta *d, const nytp_report *report, const nytp_profile *p, nytp_error *e) {
    nytp_arg_value values[NYTP_VERBS_ARGS] = {{0}};
    nytp_selection selection = {0};
    nytp_wish wish = {0};
    nytp_shown shown;
    if (!nytp_selection_make(&selection, p, &wish, e) && !nytp_shown_choose(&shown, p, NULL, e))
        d->sink = nytp_sink_memory(e);
    if (d->sink) {
        nytp_request r = {.profiles = p, .profiles_n = 1, .version = NYTP_VERSION, .values = values, .shown = shown,
                          .selection = &selection};
        if (report->write(&r, d->sink)) nytp_error_set(e, NYTP_NOMEM, "out of memory");
        d->profile = nytp_sink_page(d->sink, nytp_str_c(report->output));
    }
    nytp_selection_free(&selection);
}

static void describe(nytp_delta *d, const nytp_profile *p) {
    d->begin = nytp_profile_first_start(p);
    d->rate = nytp_samples_rate(p);
    d->is_empty = 1;
    for (uint32_t i = 0; i < p->processes_n; i++) {
        const nytp_process *process = &p->processes[i];
        uint64_t end = process->start + (process->elapsed > 0 ? (uint64_t)process->elapsed : 0);
        if (process->elapsed > 0 && end > d->end) d->end = end;
        if (process->elapsed) d->is_empty = 0;
        if (process->ending == NYTP_ENDING_RUNNING) d->is_running = 1;
    }
    d->metric = nytp_metrics_find(p, NYTP_LIT("cpu")) < p->metrics_n ? "process_cpu" : "wall";
    if (p->processes_n) name(d, p);
}

enum nytp_code nytp_delta_make(nytp_delta *d, const char *const *paths, uint32_t n, const nytp_named *named,
                               const nytp_taken *since, nytp_taken *taken, nytp_error *e) {
    nytp_verb verb = nytp_verbs_find("pprof");
    const nytp_report *report = verb.report;
    nytp_load_options options = {.tell_outside = report->tells_outside, .whole = report->is_whole,
                                 .keep_processes = report->is_apart, .since = since, .taken = taken};
    nytp_profile p;
    *d = (nytp_delta){.named = named};
    if (!nytp_load(&p, paths, n, &options, e)) nytp_refused_ruin(&p, e);
    if (!e->code) describe(d, &p);
    if (!e->code && !d->is_empty) write_profile(d, report, &p, e);
    if (!e->code && d->text.failed) nytp_error_set(e, NYTP_NOMEM, "out of memory");
    nytp_profile_close(&p);
    return e->code;
}

void nytp_delta_free(nytp_delta *d) {
    nytp_sink_close(d->sink, NULL);
    nytp_buf_free(&d->text);
    *d = (nytp_delta){0};
}
