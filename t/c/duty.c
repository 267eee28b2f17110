/* SPDX-License-Identifier: MIT */
/* duty.c - estimates from lines that were traced now and then: their times add up to the functions'. */
#include "fixture.h"
#include "model/load.h"
#include "tap.h"

static const nytp_line *line(const nytp_profile *p, uint32_t n) {
    static const nytp_line none;
    const nytp_line *found = nytp_profile_line(&p->files[1], NYTP_LEVEL_LINE, n);
    return found ? found : &none;
}

/* f took 1000; g, written in C and called by f, 200; h, which was never traced, 77; the host's call of g 5. */
static void write_capture(const char *path, int sampled) {
    fixture f = fixture_open(path, 1, "x.lua");
    if (sampled) nytp_writer_pair(f.w, NYTP_REC_PROPERTY, NYTP_LIT("duty"), NYTP_LIT("10"));
    fixture_file(&f, 1, "/app/x.lua", 0, 0);
    fixture_sub(&f, 1, 0, 1, 1, 9, "f");
    fixture_sub(&f, 2, NYTP_SUB_XSUB, 0, 0, 0, "g");
    fixture_sub(&f, 3, 0, 1, 10, 20, "h");
    for (uint32_t i = 1; i <= 4; i++) fixture_place(&f, i, 1, i, 1, 1);
    fixture_place(&f, 5, 1, 10, 10, 10);
    fixture_node(&f, 1, 0, 1, 1);
    fixture_node(&f, 2, 1, 1, 2);
    fixture_node(&f, 3, 0, 1, 3);
    fixture_node(&f, 4, 0, 1, 2);
    fixture_ran(&f, 0, 0, 1000);
    fixture_ran(&f, 2, 10, 60);
    fixture_ran(&f, 3, 20, 30);
    fixture_ran(&f, 4, 5, -2);
    fixture_called(&f, 1, 7, 1000);
    fixture_called(&f, 2, 3, 200);
    fixture_called(&f, 3, 1, 77);
    fixture_called(&f, 4, 1, 5);
    fixture_chunk(&f, 0);
    fixture_close(&f, 1);
}

int main(void) {
    char *dir = sample_directory(), path[500];
    const char *only = path;
    nytp_profile p;
    nytp_error e;
    snprintf(path, sizeof path, "%s/duty.out", dir);
    write_capture(path, 1);
    is(nytp_load(&p, &only, 1, NULL, &e), NYTP_OK, "it is read");
    is(line(&p, 2)->ticks, 800, "a function's time, with that of C functions it calls, is shared out");
    is(line(&p, 3)->ticks, 400, "by the time that was seen of each line");
    is(line(&p, 4)->ticks, 0, "where less than none was seen there is none");
    is(line(&p, 10)->ticks, 77, "what was never seen has its time in its first line");
    is(line(&p, 2)->count, 133, "counts grow as times do");
    is(line(&p, 3)->count, 267, "to the nearest");
    is(p.totals.ticks, 1277, "lines add up to what the functions took");
    is(p.subs[2].calls, 7, "calls are as they are");
    ok(p.estimate.n && p.notes_n && nytp_str_eq(p.estimate, p.notes[0]), "a note says so");
    ok(strstr(p.estimate.p, " 7 % of") != NULL, "and how much was seen");
    nytp_profile_close(&p);

    write_capture(path, 0);
    is(nytp_load(&p, &only, 1, NULL, &e), NYTP_OK, "without the property");
    is(line(&p, 2)->ticks * 1000 + line(&p, 2)->count, 60010, "everything is as it was counted");
    is(p.estimate.n, 0, "and nothing is said");
    nytp_profile_close(&p);
    unlink(path);
    rmdir(dir);
    return done();
}
