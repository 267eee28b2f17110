/* SPDX-License-Identifier: MIT */
/* fixture.c - writes the captures of fixture.h and fixture_exports.h to a directory for the tests of the reports;
 * without a directory, tests that they are readable and whole, and that each chunk adds up. */
#include "fixture_exports.h"
#include "model/load.h"
#include "tap.h"

static const struct {
    const char *name;
    void (*write)(const char *path);
    uint32_t notes; /* the number of notes from loading it */
    int64_t ticks;  /* its total */
} fixtures[] = {{"calls", fixture_calls, 0, 8745}, {"empty", fixture_empty, 1, 0}, {"zero", fixture_zero, 0, 0},
                {"hostile", fixture_hostile, 0, 4000}, {"sample", fixture_sample, 0, 72},
                {"processes", fixture_processes, 0, 181}, {"sampled", fixture_sampled, 1, 18000000}};

static void try(const char *directory, size_t i) {
    char path[500];
    const char *one = path;
    nytp_profile p;
    nytp_error e;
    snprintf(path, sizeof path, "%s/%s.out", directory, fixtures[i].name);
    fixtures[i].write(path);
    ok(nytp_load(&p, &one, 1, NULL, &e) == NYTP_OK, "%s loads", fixtures[i].name);
    is(p.totals.ticks, fixtures[i].ticks, "in so much time");
    is(p.notes_n, fixtures[i].notes, "and gives rise to as many notes as it should");
    nytp_profile_close(&p);
    unlink(path);
}

int main(int argc, char **argv) {
    char path[500], *directory = argc > 1 ? argv[1] : sample_directory();
    for (size_t i = 0; i < sizeof fixtures / sizeof *fixtures; i++) {
        snprintf(path, sizeof path, "%s/%s.out", directory, fixtures[i].name);
        if (argc > 1) fixtures[i].write(path);
        else try(directory, i);
    }
    if (argc > 1) return 0;
    rmdir(directory);
    return done();
}
