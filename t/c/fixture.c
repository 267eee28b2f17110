/* SPDX-License-Identifier: MIT */
/* fixture.c - writes the captures of fixture.h to a directory for the tests of the reports; without a directory, tests
 * that they are readable and whole, and that each chunk adds up. */
#include "fixture.h"
#include "model/load.h"
#include "tap.h"

static const struct {
    const char *name;
    void (*write)(const char *path);
    uint32_t notes; /* the number of notes from loading it */
} fixtures[] = {{"calls", fixture_calls, 0}, {"empty", fixture_empty, 1}, {"zero", fixture_zero, 0},
                {"hostile", fixture_hostile, 0}};

static void try(const char *directory, size_t i) {
    char path[500];
    const char *one = path;
    nytp_profile p;
    nytp_error e;
    snprintf(path, sizeof path, "%s/%s.out", directory, fixtures[i].name);
    fixtures[i].write(path);
    ok(nytp_load(&p, &one, 1, NULL, &e) == NYTP_OK, "%s loads", fixtures[i].name);
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
