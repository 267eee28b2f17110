/* SPDX-License-Identifier: MIT */
/* session.c - a session that is switched off for a while, and one that is started again, as a front end sees them. */
#include "record/session.h"

#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "scratch.h"
#include "tap.h"

static char path[SCRATCH_NAME];
static nytp_session session, *const s = &session;

static void start(void) {
    const nytp_front front = {.program = NYTP_LIT("test"), .number = 0};
    nytp_error e = {0};
    nytp_options_set(&s->options, "file", path, &e);
    nytp_options_set(&s->options, "clock", "fake", &e);
    ok(nytp_session_start(s, &front, &e) == NYTP_OK, "a session begins");
}

static nytp_where position(void) { return (nytp_where){s->r.node, s->r.place}; }

static int is_at(nytp_where w) { return s->r.node == w.node && s->r.place == w.place; }

/* A coroutine is left in a call, and goes on while the session is off. */
static void coroutines_while_off(void) {
    static const char code;
    nytp_error e = {0};
    const nytp_live_file *file = nytp_session_file(s, "no such file");
    nytp_live_sub *sub = nytp_session_sub(s, &code, "body", file, 1, 2);
    nytp_session_statement(s, nytp_session_place(s, file, 9, 9));
    nytp_where main_program = position(), outside = nytp_session_call(s, sub);
    nytp_session_statement(s, nytp_session_place(s, file, 2, 1));
    nytp_where inside = position();
    nytp_session_return(s, outside);

    nytp_session_off(s);
    nytp_where left = nytp_session_switch(s, inside);
    ok(left.node == main_program.node && left.place == main_program.place, "the position of the one left is known");
    ok(is_at(inside), "and the other goes on where it was");
    ok(nytp_session_on(s, &e) == NYTP_OK && is_at(inside), "also when the session is on again");
    nytp_session_switch(s, left);
    ok(is_at(main_program), "and back");
}

int main(void) {
    static const nytp_session zero;
    scratch_name(path, "capture");
    start();
    coroutines_while_off();
    nytp_session_stop(s);
    ok(!memcmp(s, &zero, sizeof zero), "a session that is stopped is as before its start");
    start();
    nytp_session_stop(s);
    return done();
}
