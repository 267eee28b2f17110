/* SPDX-License-Identifier: MIT */
/* follow.c - the rounds of a pusher: make a delta, send it, sleep. */
#include "cli/follow.h"

#include <poll.h>
#include <signal.h>
#include <stdio.h>
#include <string.h>

#include "capture/job.h"
#include "cli/cli.h"
#include "cli/family.h"
#include "cli/print.h"

#define MOST_WAITS 32 /* times the interval, while the server does not take profiles */
#define LONGEST 86400 /* seconds of a sleep */

typedef struct state {
    const nytp_follow *f;
    nytp_family family;
    uint64_t sent, dropped; /* deltas */
    double dropped_seconds; /* of the profile: refused */
    uint64_t process_start; /* nytp_job_start of the process that is awaited; 0: there is none */
    uint32_t failures;      /* in a row */
    int32_t is_ill;         /* 1: in this round the server takes no more */
    int32_t has_begun;      /* 1: there was a capture */
    char told[NYTP_ERROR_TEXT]; /* the latest message */
} state;

/* ---- signals ---- */

static volatile sig_atomic_t is_asked_to_end;

static void handle_signals(void (*handler)(int)) {
    struct sigaction action = {.sa_handler = handler};
    sigemptyset(&action.sa_mask);
    sigaction(SIGINT, &action, NULL);
    sigaction(SIGTERM, &action, NULL);
}

/* The first of these signals has the pusher send what is left, the second one ends it, be it the same or the other. */
static void ask_to_end(int signal) {
    is_asked_to_end = signal;
    handle_signals(SIG_DFL);
}

void nytp_follow_sleep(double seconds) { poll(NULL, 0, (int)(seconds < LONGEST ? seconds * 1000 : LONGEST * 1000)); }

/* ---- messages ---- */

/* The same message is not repeated in each round. */
static void tell(state *s, const char *text, const char *behind) {
    if (strcmp(s->told, text) != 0) nytp_print_message("push: %s%s", text, behind);
    snprintf(s->told, sizeof s->told, "%s", text);
}

static double seconds_of(const nytp_delta *d) { return (double)(d->end - d->begin) * 1e-9; }

/* ---- a capture ---- */

static void move_on(nytp_member *m, nytp_taken *next) {
    nytp_taken_free(&m->taken);
    m->taken = *next;
    *next = (nytp_taken){0};
    m->left = 0;
    if (m->is_last) nytp_family_done(m);
}

static void send_delta(state *s, nytp_member *m, const nytp_delta *d, nytp_taken *next) {
    nytp_error why = {0};
    switch (nytp_send_delta(s->f->send, d, &why)) {
    case NYTP_SENT:
        s->sent++;
        if (s->failures) nytp_print_message("push: %s takes profiles again", s->f->send->text);
        s->failures = 0;
        s->told[0] = '\0';
        move_on(m, next);
        break;
    case NYTP_SENT_REFUSED:
        s->dropped++;
        s->dropped_seconds += seconds_of(d);
        tell(s, why.text, "; what it refuses is not sent again");
        s->failures = 0;
        move_on(m, next);
        break;
    case NYTP_SENT_LATER:
        s->failures++;
        s->is_ill = 1;
        tell(s, why.text, "; the next profile has the time of this one, too");
        break;
    }
}

/* A server that has just failed is not asked for the rest of the round: its replies may take long. */
static void take_delta(state *s, nytp_member *m, const nytp_delta *d, nytp_taken *next) {
    m->is_last = is_asked_to_end || (!d->is_running && m->has_ended);
    m->has_ended = !d->is_running;
    m->left = d->is_empty ? 0 : seconds_of(d);
    if (d->is_empty) move_on(m, next);
    else if (!s->is_ill) send_delta(s, m, d, next);
}

/* Returns an nytp_code with e set. A child's file that is no capture is left out. */
static enum nytp_code read_member(state *s, nytp_member *m, nytp_error *e) {
    nytp_taken next = {0};
    nytp_delta d;
    const char *path = m->path;
    if (!nytp_delta_make(&d, &path, 1, s->f->named, &m->taken, &next, e)) take_delta(s, m, &d, &next);
    else if (e->code != NYTP_NOMEM && !nytp_family_is_file(&s->family, m)) {
        tell(s, e->text, "; it is left out");
        m->is_last = 1;
        nytp_family_done(m);
        *e = (nytp_error){0};
    }
    nytp_delta_free(&d);
    nytp_taken_free(&next);
    return e->code;
}

/* ---- rounds ---- */

/* A process that has begun later has the number of the one that is followed. */
static int is_awaited(const state *s) {
    return s->process_start && !is_asked_to_end && nytp_job_start((long)s->f->process) == s->process_start;
}

/* Returns an nytp_code with e set. */
static enum nytp_code do_round(state *s, nytp_error *e) {
    s->is_ill = 0;
    nytp_family_look(&s->family, e);
    for (uint32_t i = 0; i < s->family.n && !e->code; i++)
        if (!s->family.members[i].is_done) read_member(s, &s->family.members[i], e);
    s->has_begun |= s->family.n != 0;
    return e->code;
}

/* How far the members are: all are complete, and all have ended, but not before they were read. */
typedef struct progress {
    int32_t is_last, has_ended;
    double left;
} progress;

static progress progress_of(const nytp_family *f) {
    progress p = {1, 1, 0};
    for (uint32_t i = 0; i < f->n; i++) {
        const nytp_member *m = &f->members[i];
        if (m->is_done) continue;
        p.is_last &= m->is_last;
        p.has_ended &= m->has_ended;
        p.left += m->left;
    }
    return p;
}

double nytp_follow_pause(const nytp_follow *f, uint32_t tries) {
    return (f->every < 1 ? f->every : 1) * (double)(1u << tries);
}

/* Until there is a capture the pause is short; after failures it is longer. */
static double pause_of(const state *s) {
    if (!s->has_begun) return nytp_follow_pause(s->f, 0);
    return s->f->every * (s->failures < 5 ? 1u << s->failures : MOST_WAITS);
}

static int conclude(const state *s, double left) {
    nytp_print_line(stdout, "Sent %llu profiles to %s", (unsigned long long)s->sent, s->f->send->text);
    if (s->dropped)
        nytp_print_message("push: %s has refused %llu profiles, of %.2f s", s->f->send->text,
                           (unsigned long long)s->dropped, s->dropped_seconds);
    if (left > 0) nytp_print_message("push: the last %.2f s were not sent to %s", left, s->f->send->text);
    return s->dropped || left > 0 ? NYTP_CLI_FAILURE : NYTP_CLI_FINE;
}

/* The profiler makes its file when the program begins; the process that is awaited no more has made none. */
static int is_over(const state *s, const progress *p, uint32_t tries) {
    if (!s->has_begun) return is_asked_to_end || s->f->process;
    return p->is_last && (p->left <= 0 || tries == NYTP_FOLLOW_TRIES);
}

/* Not much longer than the process that is awaited runs. */
static void rest(const state *s, double seconds, int is_more) {
    for (; seconds > 1 && is_more && is_awaited(s); seconds -= 1) nytp_follow_sleep(1);
    if (!is_more || is_awaited(s)) nytp_follow_sleep(seconds);
}

int nytp_follow_run(const nytp_follow *f) {
    state s = {.f = f, .process_start = f->process ? nytp_job_start((long)f->process) : 0};
    nytp_error e = {0};
    progress p = {0};
    uint32_t tries = 0;
    is_asked_to_end = 0;
    handle_signals(ask_to_end);
    uint64_t began = f->process ? nytp_job_began((long)f->process) : 0;
    nytp_family_begin(&s.family, f->paths, f->paths_n, began);
    for (;;) {
        int is_more = is_awaited(&s), was_asked = is_asked_to_end;
        if (do_round(&s, &e)) break;
        p = progress_of(&s.family);
        if (p.left <= 0) s.failures = 0;
        if (!is_more && is_over(&s, &p, tries)) break;
        if (!is_more && s.has_begun && p.has_ended && !p.is_last) continue; /* may have ended behind what was read */
        if (!was_asked && is_asked_to_end) continue; /* the last round begins at once */
        rest(&s, !is_more && s.has_begun && p.is_last ? nytp_follow_pause(f, tries++) : pause_of(&s), is_more);
    }
    nytp_family_end(&s.family);
    return e.code ? nytp_cli_failure(&e) : conclude(&s, p.left);
}
