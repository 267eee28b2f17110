/* SPDX-License-Identifier: MIT */
/* callers.c - callers of a sub by lines and levels. */
#include "model/callers.h"
#include "tap.h"

static nytp_callers c;

static const nytp_caller *row(uint32_t i) {
    static const nytp_caller none;
    return i < c.n ? &c.at[i] : &none;
}

static void find(const nytp_profile *p, uint32_t sub, uint32_t depth, int by_calls) {
    nytp_callers_free(&c);
    is(nytp_callers_find(&c, p, sub, depth, by_calls), NYTP_OK, "callers are found");
}

/* 0 calls 1 on lines 1 and 2; 1 calls 2 on line 3; 2 calls itself on line 4. */
static nytp_node nodes[] = {
    {.sub = 0, .inclusive = 1000},
    {.parent = 0, .sub = 1, .file = 1, .line = 1, .calls = 1, .inclusive = 400},
    {.parent = 0, .sub = 1, .file = 1, .line = 2, .calls = 5, .inclusive = 500},
    {.parent = 1, .sub = 2, .file = 1, .line = 3, .calls = 7, .exclusive = 10, .inclusive = 60},
    {.parent = 2, .sub = 2, .file = 1, .line = 3, .calls = 9, .exclusive = 20, .inclusive = 30},
    {.parent = 3, .sub = 2, .file = 1, .line = 4, .calls = 2, .exclusive = 50, .inclusive = 50, .depth = 1},
};
static nytp_edge edges[] = {
    {.caller = 1, .callee = 2, .file = 1, .line = 3, .calls = 16, .exclusive = 30, .inclusive = 90},
    {.caller = 2, .callee = 2, .file = 1, .line = 4, .calls = 2, .exclusive = 50, .recursive = 50},
};
static nytp_sub subs[] = {{.flags = NYTP_SUB_PHASE}, {.calls = 6}, {.calls = 18, .callers = {0, 2}}};
static const nytp_profile profile = {
    .subs = subs, .subs_n = 3, .nodes = nodes, .nodes_n = 6, .edges = edges, .edges_n = 2,
};

static void test_levels(void) {
    find(&profile, 2, 1, 0);
    is(c.n, 3, "two direct callers");
    is(row(0)->calls * 1000 + row(0)->total, 18090, "and the sub itself, with all calls, and the outermost ones' time");
    uint32_t i = nytp_callers_next(&c, 0, 0);
    is(row(i)->sub * 100 + row(i)->line, 103, "the caller with the most time comes first");
    i = nytp_callers_next(&c, i, 0);
    is(row(i)->self * 1000 + row(i)->total, 50000, "calls of a recursion have no total");
    is(nytp_callers_next(&c, i, 0), 0, "that is all");
    is(c.is_cut, 0, "nothing is missing");

    find(&profile, 2, 2, 0);
    i = nytp_callers_next(&c, 0, 0);
    is(row(i)->calls * 1000 + row(i)->total, 16090, "contexts tell the same of the direct caller");
    i = nytp_callers_next(&c, i, 0);
    is(row(i)->line * 1000 + row(i)->total, 1060, "above it, most time first");
    i = nytp_callers_next(&c, i, 0);
    is(row(i)->line * 1000 + row(i)->total, 2030, "the two lines that call the caller");
    is(row(i)->level, 2, "at the second level");
    i = nytp_callers_next(&c, nytp_callers_next(&c, 0, 0), 1);
    is(row(i)->line, 4, "a row's callers can be skipped");

    find(&profile, 2, 2, 1);
    i = nytp_callers_next(&c, nytp_callers_next(&c, 0, 0), 0);
    is(row(i)->calls, 9, "most calls first");
    find(&profile, 2, 1000, 0);
    is(c.n, 7, "a path ends at the main program");
}

/* As of files of format 5. */
static void test_without_lines(void) {
    nytp_node unknown[6];
    nytp_profile p = profile;
    for (int i = 0; i < 6; i++) {
        unknown[i] = nodes[i];
        unknown[i].file = 0;
        unknown[i].line = NYTP_LINE_UNKNOWN;
    }
    p.nodes = unknown;
    find(&p, 2, 2, 0);
    uint32_t i = nytp_callers_next(&c, 0, 0);
    is(row(i)->line, 3, "the only line of a caller that calls the sub is that of its contexts");
    i = nytp_callers_next(&c, i, 0);
    is(row(i)->line, NYTP_LINE_UNKNOWN, "other lines are not known");
    is(row(i)->calls, 16, "so their calls are one row");
    p.nodes_n = 1;
    find(&p, 2, 5, 0);
    is(c.n * 10u + (uint32_t)c.is_cut, 31, "without contexts there are direct callers, and that is told");
}

int main(void) {
    test_levels();
    test_without_lines();
    nytp_callers_free(&c);
    return done();
}
