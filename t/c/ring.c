/* SPDX-License-Identifier: MIT */
/* A ring (option ring), by a fake clock: what a capture has of a day, how large it is, and what is left when the
 * process is killed at any moment. */
#include "recording.h"

#include <sys/resource.h>

#include "model/load.h"

#define HALF 300 /* seconds */
#define STEP 5
#define DAY (24 * 3600)

static nytp_live_place *places[600];

static void request(uint32_t n) {
    for (uint32_t i = 0; i < n; i++) {
        nytp_statement(r, places[i], nytp_now(r));
        r->clock.fake += 1000 + i % 7;
    }
}

/* Counts of the place of line 1; -1 if something does not add up. */
static int64_t counted(void) {
    sums s = read_back();
    return s.wrong ? -1 : s.count[1];
}

static int is_in(int64_t requests, int64_t seconds) {
    return requests >= (seconds < HALF ? seconds : HALF) / STEP - 2 && requests <= 2 * HALF / STEP + 2;
}

/* For a day, with more places from noon on. */
static void day(void) {
    int64_t wrong = 0, size = 0, most = 0;
    for (int64_t t = 0; t < DAY; t += STEP) {
        uint32_t n = t < DAY / 2 ? 40 : 600;
        request(n);
        rest(STEP);
        if (t % 3605 == 0 || t < 2 * HALF) wrong += !is_in(counted(), t);
        if (t == DAY / 4) size = size_of(path);
        if (t == DAY / 2 - STEP) is(size_of(path), size, "the file does not grow");
        if (t >= DAY / 2 + 4 * HALF && !most) most = size_of(path);
    }
    is(wrong, 0, "at all times it has the last half, up to two of them");
    is(size_of(path), most, "when there are more places it grows once");
    ok(most < 200000, "to %lld bytes", (long long)most);
}

/* Damages the first bytes of each slot in turn: a torn draft leaves the one before, in the other slot. */
static void torn(void) {
    int64_t whole = counted(), lost = 0, slots = 0;
    FILE *file = fopen(path, "r+b");
    char line[600];
    for (char before = 0; file && fgets(line, sizeof line, file); before = line[1]) {
        int is_slot = line[0] == ':' && (line[1] == 'a' || line[1] == 'b') && line[2] == '=' && strlen(line) == 512;
        if (!is_slot || line[1] == before) continue;
        long end = ftell(file);
        fseek(file, end - 412, SEEK_SET);
        char saved = line[100];
        fputc(saved == 'A' ? 'B' : 'A', file);
        fflush(file);
        int64_t left = counted();
        if (left < whole - 1 || left > whole) lost++;
        fseek(file, end - 412, SEEK_SET);
        fputc(saved, file);
        fflush(file);
        fseek(file, end, SEEK_SET);
        slots++;
    }
    if (file) fclose(file);
    ok(slots >= 4, "there are slots: %lld", (long long)slots);
    is(lost, 0, "killed while it writes any of them, it has at most a request less");
    is(counted(), whole, "and is whole again");
}

/* What came since the last look, for a program that follows the file. */
static int64_t come_since(nytp_taken *taken) {
    nytp_taken next = {0};
    nytp_profile p;
    nytp_error e = {0};
    const char *const paths[] = {path};
    int64_t n = 0;
    if (nytp_load(&p, paths, 1, &(nytp_load_options){.since = taken, .taken = &next}, &e)) printf("# %s\n", e.text);
    for (uint32_t i = 0; i < p.places_n; i++)
        if (p.places[i].line == 1) n += p.places[i].count;
    nytp_profile_close(&p);
    nytp_taken_free(taken);
    *taken = next;
    return n;
}

/* Looks before, while and after halves begin. */
static void followed(void) {
    nytp_taken taken = {0};
    int64_t seen = 0, requests = 0;
    serve(places, 40);
    for (int64_t t = 0; t < 10 * HALF; t += STEP, requests++) {
        request(40);
        rest(STEP);
        if (t % 35 == 0) seen += come_since(&taken);
    }
    finish();
    seen += come_since(&taken);
    is(seen, requests, "followed, each request is seen once");
    nytp_taken_free(&taken);
}

/* What readers say of it. */
static void told(void) {
    nytp_profile p;
    nytp_error e = {0};
    const char *const paths[] = {path};
    nytp_load(&p, paths, 1, NULL, &e);
    int is_noted = 0;
    for (uint32_t i = 0; i < p.notes_n; i++) is_noted |= strstr(p.notes[i].p, "option ring") != NULL;
    ok(is_noted, "a note tells what is missing");
    double seconds = (double)p.processes[0].elapsed / (double)p.ticks_per_second;
    ok(seconds >= HALF && seconds <= 2 * HALF + STEP, "the process lasts as long as what is kept: %.0f s", seconds);
    nytp_profile_close(&p);
}

static void ended(void) {
    request(600);
    finish();
    sums s = read_back();
    is(s.ends, 1, "its end is there");
    is(s.wrong, 0, "each window adds up");
    ok(is_in(s.count[1], DAY), "with the last windows: %lld requests", (long long)s.count[1]);
}

static void brief(void) {
    serve(places, 40);
    request(40);
    finish();
    sums s = read_back();
    is(s.count[1], 1, "a brief run is there");
    is(s.ends, 1, "with its end");
}

/* Switched off for the time of several halves. */
static void paused(void) {
    nytp_error e = {0};
    serve(places, 40);
    request(40);
    nytp_recorder_off(r);
    nytp_flush_all(r);
    rest(10 * HALF);
    is(nytp_recorder_on(r, &e), NYTP_OK, "it goes on");
    request(40);
    rest(1);
    request(40);
    finish();
    sums s = read_back();
    ok(s.count[1] >= 1, "what came last is there");
    is(s.ends, 1, "with its end");
    is(s.wrong, 0, "each window adds up");
}

static void limit_size(rlim_t bytes) {
    struct rlimit limit;
    getrlimit(RLIMIT_FSIZE, &limit);
    limit.rlim_cur = bytes;
    setrlimit(RLIMIT_FSIZE, &limit);
}

/* Little room is enough for a small ring; without any the ring says so, and has all of it when there is some. */
static void crowded(void) {
    serve(places, 40);
    limit_size((rlim_t)size_of(path) + (24u << 10));
    request(40);
    rest(STEP);
    request(40);
    ok(counted() >= 1, "a ring of a few kilobytes fits into 24");
    finish();
    serve(places, 40);
    *said = 0;
    limit_size((rlim_t)size_of(path) + (12u << 10));
    for (int i = 0; i < 4; i++) {
        request(40);
        rest(STEP);
    }
    is(counted(), 0, "not into 12");
    ok(strstr(said, "No space left on device; the profile goes on when there is room"), "which is said: %s", said);
    limit_size(RLIM_INFINITY);
    request(40);
    rest(STEP);
    request(40);
    ok(counted() >= 4, "with room nothing is missing");
    finish();
    *said = 0;
}

static void refused(const char *name, const char *value, const char *usual) {
    nytp_front front = {.program = NYTP_LIT("test"), .source = no_source, .describe = no_description, .say = say};
    nytp_error e = {0};
    set(name, value);
    memset(r, 0, sizeof *r);
    is(nytp_recorder_open(r, &options, &front, &e), NYTP_OK, "a recorder opens");
    int code = nytp_recorder_on(r, &e);
    ok(code && strstr(e.text, "option ring needs a file"), "ring and %s: %s", name, e.text);
    nytp_recorder_close(r);
    set(name, usual);
}

int main(void) {
    set_up();
    set("ring", "5m");
    serve(places, 600);
    day();
    torn();
    ended();
    followed();
    told();
    brief();
    paused();
    crowded();
    refused("maxsize", "1M", "0");
    refused("calls", "2", "1");
    set("ring", "0");
    return take_down();
}
