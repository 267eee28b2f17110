/* SPDX-License-Identifier: MIT */
/* follow.c - the rounds of a pusher: make a delta, send it, sleep. */
#include "cli/follow.h"

#include <poll.h>
#include <signal.h>
#include <stdio.h>
#include <string.h>
#include <sys/stat.h>

#include "cli/cli.h"
#include "cli/print.h"

#define MOST_WAITS 32 /* times the interval, while the server does not take profiles */
#define LONGEST 86400 /* seconds of a sleep */

typedef struct state {
    const nytp_follow *f;
    nytp_taken taken;      /* by the server, or dropped */
    uint64_t sent, dropped; /* deltas */
    double dropped_seconds, left_seconds; /* of the profile: refused, and not sent at the end */
    uint32_t failures;     /* in a row */
    int32_t has_ended;     /* 1: no process ran any more when the file had been read */
    int32_t is_last;       /* 1: nor did one before it was read */
    char told[NYTP_ERROR_TEXT]; /* the latest message */
} state;

/* ---- signals ---- */

static volatile sig_atomic_t is_asked_to_end;

static void ask_to_end(int signal) { is_asked_to_end = signal; }

/* The first of these signals has the pusher send what is left, the second one ends it. */
static void catch_signals(void) {
    struct sigaction action = {.sa_handler = ask_to_end, .sa_flags = (int)SA_RESETHAND};
    is_asked_to_end = 0;
    sigemptyset(&action.sa_mask);
    sigaction(SIGINT, &action, NULL);
    sigaction(SIGTERM, &action, NULL);
}

void nytp_follow_sleep(double seconds) { poll(NULL, 0, (int)(seconds < LONGEST ? seconds * 1000 : LONGEST * 1000)); }

/* ---- messages ---- */

/* The same message is not repeated in each round. */
static void tell(state *s, const char *text, const char *behind) {
    if (strcmp(s->told, text) != 0) nytp_print_message("push: %s%s", text, behind);
    snprintf(s->told, sizeof s->told, "%s", text);
}

static double seconds_of(const nytp_delta *d) { return (double)(d->end - d->begin) * 1e-9; }

/* ---- rounds ---- */

/* The profiler makes its file when the program begins. */
static int exists(const nytp_follow *f) {
    struct stat st;
    for (uint32_t i = 0; i < f->paths_n; i++)
        if (stat(f->paths[i], &st) || !st.st_size) return 0;
    return 1;
}

static void move_on(state *s, nytp_taken *next) {
    nytp_taken_free(&s->taken);
    s->taken = *next;
    *next = (nytp_taken){0};
    s->failures = 0;
    s->left_seconds = 0;
}

static void send_delta(state *s, const nytp_delta *d, nytp_taken *next) {
    nytp_error why = {0};
    switch (nytp_send_delta(s->f->send, d, &why)) {
    case NYTP_SENT:
        s->sent++;
        if (s->failures) nytp_print_message("push: %s takes profiles again", s->f->send->text);
        s->told[0] = '\0';
        move_on(s, next);
        break;
    case NYTP_SENT_REFUSED:
        s->dropped++;
        s->dropped_seconds += seconds_of(d);
        tell(s, why.text, "; what it refuses is not sent again");
        move_on(s, next);
        break;
    case NYTP_SENT_LATER:
        s->failures++;
        s->left_seconds = seconds_of(d);
        tell(s, why.text, "; the next profile has the time of this one, too");
        break;
    }
}

/* Returns an nytp_code with e set. */
static enum nytp_code do_round(state *s, nytp_error *e) {
    nytp_taken next = {0};
    nytp_delta d;
    int is_told_to_end = is_asked_to_end;
    if (!nytp_delta_make(&d, s->f->paths, s->f->paths_n, s->f->named, &s->taken, &next, e)) {
        s->is_last = is_told_to_end || (!d.is_running && s->has_ended);
        s->has_ended = !d.is_running;
        if (d.is_empty) move_on(s, &next);
        else send_delta(s, &d, &next);
    }
    nytp_delta_free(&d);
    nytp_taken_free(&next);
    return e->code;
}

double nytp_follow_pause(const nytp_follow *f, uint32_t tries) {
    return (f->every < 1 ? f->every : 1) * (double)(1u << tries);
}

/* Longer after failures. */
static double pause_of(const state *s) {
    return s->f->every * (s->failures < 5 ? 1u << s->failures : MOST_WAITS);
}

static void wait_for_file(const state *s) {
    while (!exists(s->f) && !is_asked_to_end) nytp_follow_sleep(s->f->every < 1 ? s->f->every : 1);
}

static int conclude(const state *s) {
    nytp_print_line(stdout, "Sent %llu profiles to %s", (unsigned long long)s->sent, s->f->send->text);
    if (s->dropped)
        nytp_print_message("push: %s has refused %llu profiles, of %.2f s", s->f->send->text,
                           (unsigned long long)s->dropped, s->dropped_seconds);
    if (s->left_seconds > 0)
        nytp_print_message("push: the last %.2f s were not sent to %s", s->left_seconds, s->f->send->text);
    return s->dropped || s->left_seconds > 0 ? NYTP_CLI_FAILURE : NYTP_CLI_FINE;
}

int nytp_follow_run(const nytp_follow *f) {
    state s = {.f = f};
    nytp_error e = {0};
    uint32_t tries = 0;
    catch_signals();
    wait_for_file(&s);
    while (!e.code && exists(f)) {
        if (do_round(&s, &e)) break;
        if (s.is_last && (!s.failures || tries == NYTP_FOLLOW_TRIES)) break;
        if (s.has_ended && !s.is_last) continue; /* it may have ended behind what was read */
        nytp_follow_sleep(s.is_last ? nytp_follow_pause(f, tries++) : pause_of(&s));
    }
    nytp_taken_free(&s.taken);
    return e.code ? nytp_cli_failure(&e) : conclude(&s);
}
