/* SPDX-License-Identifier: MIT */
/* A server's capture, by a fake clock: how large it is after a week, what is left of it when the server is killed, and
 * that nothing is counted twice or not at all, whatever becomes of its drafts. */
#include "recording.h"

#include <fcntl.h>

#include "record/target.h"

#define WEEK (7 * 24 * 3600)

static nytp_live_place *places[2000];

/* A request takes n statements, whose times differ. */
static void request(uint32_t n) {
    static uint32_t noise = 1;
    for (uint32_t i = 0; i < n; i++) {
        nytp_statement(r, places[i], nytp_now(r));
        noise = noise * 1664525 + 1013904223;
        r->clock.fake += noise >> 20;
    }
}

/* Counts of the places below 64 in whatever is left in a file. */
static int64_t counted(const char *name) {
    sums s = read_file(name);
    int64_t total = 0;
    for (int i = 0; i < 64; i++) total += s.count[i];
    if (s.wrong) printf("# %u windows do not add up\n", s.wrong);
    return s.wrong ? -1 : total;
}

/* Until windows become drafts. */
static void spend(uint32_t n) {
    int64_t before = -1;
    for (int i = 0; i < 10000 && before != size_of(path); i++) {
        before = size_of(path);
        request(n);
        rest(0.2);
    }
}

static void week(uint32_t n, double step, int64_t most) {
    int64_t statements = 0;
    serve(places, n);
    for (double t = 0; t < WEEK; t += step, statements += n) {
        request(n);
        rest(step);
    }
    int64_t size = size_of(path);
    ok(size < most, "%u places, a week: %lld bytes", n, (long long)size);
    finish();
    ok(size_of(path) < most, "and with its end");
    int64_t first = n < 63 ? n : 63;
    is(counted(path), statements / n * first, "each statement once");
}

/* ---- threads ---- */

#define WORKERS 4

static nytp_recorder workers[WORKERS];
static nytp_live_place *theirs[WORKERS][2000];
static nytp_outlet outlet = NYTP_OUTLET_NONE;

/* A thread of the process, with a stream of its own in the same file. */
static void hire(uint32_t number, uint32_t n) {
    nytp_recorder *w = workers + number;
    nytp_front front = r->front;
    nytp_error e = {0};
    memset(w, 0, sizeof *w);
    is(nytp_recorder_open(w, &options, &front, &e), NYTP_OK, "a worker's recorder opens");
    nytp_output_be_thread(w, r);
    nytp_output_number(w, number + 1);
    w->clock.fake = r->clock.fake;
    is(nytp_recorder_on(w, &e), NYTP_OK, "and is switched on");
    nytp_live_file *f = nytp_places_add_file(w, &(nytp_rec_file){.name = NYTP_LIT("/w.pl")});
    for (uint32_t i = 0; i < n; i++)
        theirs[number][i] = nytp_places_add(w, &(nytp_rec_place){0, f->id, i + 1, i + 1, i + 1}, 0);
}

static void work(nytp_recorder *w, nytp_live_place *const *at, uint32_t n, double seconds) {
    static uint32_t noise = 1;
    for (uint32_t i = 0; i < n; i++) {
        nytp_statement(w, at[i], nytp_now(w));
        noise = noise * 1664525 + 1013904223;
        w->clock.fake += noise >> 20;
    }
    if (nytp_flush_due(w, nytp_now(w))) nytp_flush_before_wait(w, nytp_now(w));
    w->clock.fake += (int64_t)(seconds * (double)w->clock.ticks_per_second);
}

/* Half of them are there from the beginning, and half from the middle of the week on. */
static void week_of_workers(uint32_t n, double step, int64_t most) {
    int64_t requests = 0;
    serve(places, n);
    nytp_target_share(r, &outlet);
    int hired = 0, steps = (int)(WEEK / step);
    for (int t = 0; t < steps; t++) {
        while (hired < (t < steps / 2 ? WORKERS / 2 : WORKERS)) hire((uint32_t)hired++, n);
        work(r, places, n, step);
        for (int i = 0; i < hired; i++) work(workers + i, theirs[i], n, step);
        requests += 1 + hired;
        if (t == steps / 4 || t == steps - 2) is(counted(path), 63 * requests, "killed there, nothing is lost");
    }
    int64_t size = size_of(path);
    ok(size < most, "%d threads, %u places each, a week: %lld bytes", 1 + WORKERS, n, (long long)size);
    for (int i = 0; i < WORKERS; i++) finish_one(workers + i);
    finish();
    is(counted(path), 63 * requests, "each statement once");
    nytp_held_drop(&outlet.file);
    free(outlet.base);
    free(outlet.name);
}

/* ---- what is left ---- */

static char copy[SCRATCH_NAME];

static nytp_buf read_all(const char *name) {
    nytp_buf all = {0};
    int fd = open(name, O_RDONLY);
    size_t n = (size_t)size_of(name);
    unsigned char *to = nytp_buf_room(&all, n + 1);
    if (fd >= 0 && to && read(fd, to, n) == (ssize_t)n) all.n = n;
    close(fd);
    return all;
}

static void write_all(const char *name, const nytp_buf *all) {
    int fd = open(name, O_WRONLY | O_CREAT | O_TRUNC, 0600);
    if (fd < 0 || write(fd, all->p, all->n) != (ssize_t)all->n) printf("Bail out! %s\n", name);
    close(fd);
}

/* Lines of a slot of the last area: the offset of the first one. */
static size_t slot_in(const nytp_buf *all, char slot) {
    size_t found = 0;
    char line[] = {'\n', ':', slot, '=', 0};
    for (size_t i = 0; i + 600 < all->n; i++)
        if (memcmp(all->p + i, "\nNYTProf capture drafts", 23) == 0) found = 0;
        else if (!found && memcmp(all->p + i, line, 4) == 0) found = i + 1;
    return found;
}

/* Damages in a file, which torn slots are not. */
static uint32_t damages(const char *name) {
    nytp_error e = {0};
    nytp_record rec;
    uint32_t n = 0;
    nytp_reader *reader = nytp_reader_open(name, &e);
    while (reader && nytp_reader_next(reader, &rec) == 1) n += rec.kind == NYTP_REC_DAMAGE;
    nytp_reader_close(reader);
    return n;
}

static void killed(void) {
    serve(places, 40);
    spend(40);
    int64_t older, size = size_of(path), newer = counted(path);
    for (int i = 0; i < 5; i++) {
        older = newer;
        request(40);
        rest(0.2);
        newer = counted(path);
        is(newer - older, 40, "killed at a wait: nothing is lost");
    }
    is(size_of(path), size, "and the file does not grow");

    nytp_buf all = read_all(path);
    size_t slots[] = {slot_in(&all, 'a'), slot_in(&all, 'b')};
    ok(slots[0] && slots[1] > slots[0], "two slots");
    int64_t left[2];
    for (int i = 0; i < 2; i++) {
        for (size_t at = 3; at < 400; at += 57) {
            unsigned char was = all.p[slots[i] + at];
            all.p[slots[i] + at] = was == 'x' ? 'y' : 'x';
            write_all(copy, &all);
            all.p[slots[i] + at] = was;
        }
        left[i] = counted(copy);
        is(damages(copy), 0, "a slot that was being written is no damage");
    }
    ok((left[0] == newer && left[1] == older) || (left[0] == older && left[1] == newer),
       "one of them is as before, and the other leaves the draft before");
    memset(all.p + slots[0] + 3, 'A', 508);
    memset(all.p + slots[1] + 3, 'A', 508);
    write_all(copy, &all);
    ok(counted(copy) < older && counted(copy) > 0, "without both there is what is no draft");
    nytp_buf_free(&all);

    request(40);
    finish();
    is(counted(path), newer + 40, "a clean end has everything once");
}

static void shared_file(void) {
    static const char garbage[] = "what another process has appended";
    serve(places, 40);
    spend(40);
    int fd = open(path, O_WRONLY | O_APPEND);
    ok(fd >= 0 && write(fd, garbage, sizeof garbage) == sizeof garbage, "another process appends");
    close(fd);
    request(40);
    rest(0.2);
    nytp_buf all = read_all(path);
    ok(memcmp(all.p + all.n - sizeof garbage, garbage, sizeof garbage) == 0, "a draft does not write over it");
    nytp_buf_free(&all);
    int64_t before = counted(path), size = size_of(path);
    is(truncate(path, 0), 0, "a program cuts the file off");
    request(40);
    rest(0.2);
    ok(size_of(path) < size && before > 0, "and a draft is not put behind its end");
    said[0] = 0;
    finish();
}

/* A program that closes all descriptors: of the two that are opened again, in whatever order, either may get the number
 * that the other had. */
static void closed(void) {
    serve(places, 40);
    spend(40);
    int64_t before = counted(path);
    for (int i = 0; i < 6; i++) {
        for (int fd = 3; fd < 300; fd++) close(fd);
        if (i % 2) place(1000 + (uint32_t)i);
        request(40);
        if (i % 3) nytp_statement(r, place(2000 + (uint32_t)i), nytp_now(r));
        rest(0.2);
    }
    ok(counted(path) >= before + 6 * 40, "what is counted between is written");
    is(damages(path), 0, "and nothing is overwritten");
    finish();
    nytp_buf all = read_all(path);
    ok(memcmp(all.p, "NYTProf capture 1", 17) == 0, "as the beginning of the file shows");
    nytp_buf_free(&all);
    is(counted(path), before + 6 * 40 + 4, "the end has them once");
}

/* Many places, and then more than any draft before. */
static void larger_drafts(void) {
    serve(places, 2000);
    spend(40);
    int64_t before = counted(path), size = size_of(path);
    request(2000);
    rest(0.2);
    ok(size_of(path) > size, "a draft without room is a window, with room for later ones");
    size = size_of(path);
    is(counted(path), before + 63, "which is read");
    for (int i = 0; i < 20; i++) {
        request(2000);
        rest(0.2);
    }
    is(size_of(path), size, "they do not grow it");
    is(counted(path), before + 21 * 63, "all are there");
    finish();
    is(counted(path), before + 21 * 63, "and at the end");
}

/* More events than the difference of two counters holds, but never so many in a draft. */
static void round_and_round(void) {
    serve(places, 2);
    nytp_live_sub *f = sub("main::f", "f", NULL);
    spend(2);
    int64_t before = counted(path) + 1, many = 0;
    nytp_statement(r, places[0], nytp_now(r));
    nytp_live_frame *frame = call(f, NYTP_EVENT_ENTER, r->native);
    nytp_live_node *n = r->node;
    for (int i = 0; i < 12; i++) {
        uint32_t more = 900000000;
        places[0]->events[NYTP_EVENT_STATEMENT] += more;
        n->events[NYTP_EVENT_STATEMENT] += more;
        n->calls += more;
        nytp_touch_place(r, places[0]);
        nytp_touch_node(r, n);
        many += more;
        rest(0.2);
        if (i % 4 == 3) is(counted(path), before + many, "a draft has them all");
    }
    nytp_exit(r, frame, nytp_now(r), NYTP_EVENT_EXIT);
    is(nytp_deltas_calls(r, n), many + 1, "calls are known to the recorder, too");
    finish();
    is(counted(path), before + many, "and at the end");
    sums s = read_back();
    is(s.calls[1], many + 1, "with the calls");
    is(s.wrong, 0, "at places as at nodes");
}

/* Definitions that come when the file is full, and the end, are in drafts. */
static void limited(void) {
    const int64_t most = 200 << 10;
    char name[100];
    set("maxsize", "200k");
    serve(places, 2000);
    int64_t requests = 0, largest = 0;
    for (int i = 0; i < 300; i++, requests++) {
        request(2000);
        rest(0.2);
        if (size_of(path) > largest) largest = size_of(path);
    }
    ok(largest <= most && largest > most / 2, "maxsize=200k: at most %lld bytes", (long long)largest);
    is(counted(path), 63 * requests, "killed there, nothing is lost");
    for (int i = 0; i < 3000; i++) {
        snprintf(name, sizeof name, "/a/file/%d/with/a/name/of/its/own/%d", i * 7919, i * 104729 % 65521);
        nytp_statement(r, place_in(name, 1), nytp_now(r));
        if (i % 50 == 0) rest(0.2);
        if (size_of(path) > largest) largest = size_of(path);
    }
    nytp_statement(r, place_in("/last", 7), nytp_now(r));
    uint32_t last = r->place->id;
    nytp_statement(r, places[0], nytp_now(r));
    finish();
    ok(largest <= most && size_of(path) <= most, "nor with more definitions, and the end: %lld bytes",
       (long long)size_of(path));
    is(last, 5001, "they are many");
    sums s = read_back();
    is(s.ends, 1, "its end is there");
    ok(s.notes > 0, "and a note says that the file was full");
    is(s.wrong, 0, "each window adds up");
    is(counted(path), 63 * requests + 1, "and the counts are exact");
    set("maxsize", "0");
}

int main(void) {
    set_up();
    scratch_name(copy, "copy");
    week(75, 5, 51 << 20);
    week(2000, 30, 51 << 20);
    week_of_workers(300, 30, 60 << 20);
    killed();
    shared_file();
    closed();
    larger_drafts();
    round_and_round();
    limited();
    unlink(copy);
    return take_down();
}
