/* SPDX-License-Identifier: MIT */
/* tap.h - the output of a test program: ok, is, and done at the end of main. */
#ifndef TAP_H
#define TAP_H

#include <stdarg.h>
#include <stdint.h>
#include <stdio.h>

static int tap_tests, tap_failures;

static inline int tap_ok(int fine, int line, const char *format, ...) {
    va_list args;

    printf("%sok %d - ", fine ? "" : "not ", ++tap_tests);
    va_start(args, format);
    vprintf(format, args);
    va_end(args);
    putchar('\n');
    if (!fine) printf("#   failed at line %d\n", line), tap_failures++;
    fflush(stdout);
    return fine;
}

static inline int tap_is(int64_t got, int64_t expected, int line, const char *name) {
    int fine = tap_ok(got == expected, line, "%s", name);

    if (!fine) printf("#   got %lld, expected %lld\n", (long long)got, (long long)expected);
    return fine;
}

#define ok(fine, ...) tap_ok(!!(fine), __LINE__, __VA_ARGS__)
#define is(got, expected, name) tap_is((int64_t)(got), (int64_t)(expected), __LINE__, name)

/* Prints the plan and returns main's exit status. */
static inline int done(void) {
    printf("1..%d\n", tap_tests);
    return tap_failures != 0;
}

#endif
