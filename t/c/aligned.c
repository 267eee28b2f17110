/* SPDX-License-Identifier: MIT */
/* aligned.c - which line of an old text is which of a new one: texts of letters, a line each. */
#include "report/aligned.h"

#include <stdlib.h>
#include <string.h>

#include "tap.h"

#define MANY 100000u

static uint64_t steps;

/* The new lines of the old ones, counted from 1, with a point where there is none. */
static void check(const char *old, const char *new, const char *expected, const char *name) {
    uint64_t lines[2][64];
    char got[64] = "";
    nytp_aligned_text texts[2] = {{lines[0], (uint32_t)strlen(old)}, {lines[1], (uint32_t)strlen(new)}};
    for (size_t i = 0; old[i]; i++) lines[0][i] = (unsigned char)old[i];
    for (size_t i = 0; new[i]; i++) lines[1][i] = (unsigned char)new[i];
    uint32_t *partners = nytp_aligned_make(texts[0], texts[1], &steps);
    for (uint32_t i = 0; i < texts[0].n; i++)
        got[i] = partners[i] == NYTP_ALIGNED_NONE ? '.' : (char)('1' + partners[i]);
    free(partners);
    ok(strcmp(got, expected) == 0, "%s: %s and %s: %s", name, old, new, got);
}

static void test_short(void) {
    check("abcd", "abcd", "1234", "the same");
    check("", "abc", "", "nothing and something");
    check("abc", "", "...", "something and nothing");
    check("abcd", "xabcd", "2345", "one more before");
    check("abcd", "abxcd", "1245", "one more between");
    check("abcd", "abd", "12.3", "one less");
    check("abcd", "abxd", "1234", "one replaced");
    check("abcd", "axyd", "1234", "two replaced by two");
    check("abcd", "axyzd", "1..5", "two replaced by three");
    check("axbxc", "bxc", "..123", "of equal lines those that make the longest sequence");
    check("abcde", "xbydz", "12345", "equal lines among replaced ones");
    check("abcabba", "cbabac", "12.3.45", "four in their order, and one replaced");
}

static uint32_t *long_alignment(nytp_aligned_text old, nytp_aligned_text new) {
    steps = 0;
    return nytp_aligned_make(old, new, &steps);
}

/* Both have a new first line per thousand, and lines that are there often. */
static void test_long(void) {
    uint64_t *lines[2] = {malloc(MANY * sizeof *lines[0]), malloc(2 * MANY * sizeof *lines[1])};
    uint32_t n = 0, wrong = 0;
    for (uint32_t i = 0; i < MANY; i++) {
        lines[0][i] = i % 3 ? i + 1000u : 7;
        if (i % 1000 == 500) lines[1][n++] = 5;
        if (i % 2000 != 700) lines[1][n++] = lines[0][i];
    }
    nytp_aligned_text old = {lines[0], MANY}, new = {lines[1], n};
    uint32_t *partners = long_alignment(old, new);
    for (uint32_t i = 0; i < MANY; i++) {
        int is_gone = i % 2000 == 700;
        uint32_t expected = i + (i + 500) / 1000 - (i > 700 ? (i - 701) / 2000 + 1 : 0);
        wrong += partners[i] != (is_gone ? NYTP_ALIGNED_NONE : expected);
    }
    is(wrong, 0, "100,000 lines with changes");
    free(partners);

    for (uint32_t i = 0; i < MANY; i++) lines[0][i] = i % 2, lines[1][i] = (i + 1) % 2 + (i == MANY / 2 ? 7 : 0);
    partners = long_alignment((nytp_aligned_text){lines[0], MANY - 1}, (nytp_aligned_text){lines[1], MANY});
    ok(partners != NULL && steps <= 200000000, "100,000 lines of two kinds: %llu steps", (unsigned long long)steps);
    free(partners);
    free(lines[0]);
    free(lines[1]);
}

int main(void) {
    test_short();
    test_long();
    return done();
}
