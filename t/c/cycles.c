/* SPDX-License-Identifier: MIT */
/* cycles.c - subs that call each other in circles, and the shares of the calls that lead there. */
#include <stdlib.h>

#include "model/cycles.h"
#include "tap.h"

/* A profile of n subs without names, with edges whose times are given. */
static nytp_profile profile_of(nytp_sub *subs, uint32_t n, nytp_edge *edges, uint32_t edges_n) {
    return (nytp_profile){.subs = subs, .subs_n = n, .edges = edges, .edges_n = edges_n};
}

static const nytp_calls *link_of(const nytp_cycles *c, uint32_t caller, uint32_t callee) {
    static const nytp_calls none;
    for (uint32_t i = 0; i < c->callees[caller].n; i++)
        if (c->links[c->callees[caller].first + i].callee == callee) return &c->links[c->callees[caller].first + i];
    return &none;
}

/* 0 calls 1, which calls itself, 2 and 3; 3 calls 4, and 4 calls 3 and 5; 2 calls 4, too. 6 is a phase. */
static void test_circles(void) {
    nytp_sub subs[] = {{.exclusive = 1}, {.exclusive = 20}, {.exclusive = 300}, {.exclusive = 4000},
                       {.exclusive = 50000}, {.exclusive = 600000}, {.flags = NYTP_SUB_PHASE}};
    nytp_edge edges[] = {
        {.caller = 0, .callee = 1, .line = 1, .calls = 1, .exclusive = 5, .inclusive = 254320},
        {.caller = 0, .callee = 1, .line = 2, .calls = 1, .exclusive = 5, .inclusive = 400000},
        {.caller = 1, .callee = 1, .calls = 7, .exclusive = 10, .recursive = 30},
        {.caller = 1, .callee = 2, .calls = 2, .exclusive = 300, .inclusive = 300300},
        {.caller = 1, .callee = 3, .calls = 1, .exclusive = 2000, .inclusive = 354000},
        {.caller = 3, .callee = 4, .calls = 3, .exclusive = 20000, .inclusive = 300000},
        {.caller = 4, .callee = 3, .calls = 4, .exclusive = 2000, .inclusive = 100000},
        {.caller = 2, .callee = 4, .calls = 2, .exclusive = 30000, .inclusive = 300000},
        {.caller = 4, .callee = 5, .calls = 9, .exclusive = 600000, .inclusive = 600000},
        {.caller = 0, .callee = 6, .inclusive = 7},
    };
    nytp_profile p = profile_of(subs, 7, edges, sizeof edges / sizeof *edges);
    nytp_cycles c = {0};
    is(nytp_cycles_find(&c, &p), NYTP_OK, "groups are found");
    is(c.groups_n, 6, "one for each sub, but that two are a cycle");
    is(c.group[3] == c.group[4], 1, "3 and 4");
    const nytp_group *cycle = &c.groups[c.group[3]], *alone = &c.groups[c.group[1]];
    is(cycle->cycle * 10 + cycle->subs.n, 12, "which has the number 1");
    is(cycle->entered * 100 + cycle->inner, 307, "3 calls lead into it, 7 are within");
    is(alone->cycle, 0, "a sub that calls itself is no cycle");
    is(alone->entered * 100 + alone->inner, 207, "but its calls are told apart, too");
    is(link_of(&c, 0, 1)->calls, 2, "calls from two lines are one link");
    is(link_of(&c, 0, 6)->calls + c.callers[6].n, 0, "a phase is not called");
    is(cycle->self, 54000, "a cycle's own time is that of its members");
    is(cycle->children, 600000, "its children's that of calls out of it");
    is(c.children[4] * 10 + c.children[3], 6000000, "which is known for each member");
    is(link_of(&c, 3, 4)->self + link_of(&c, 4, 3)->children, 0, "calls within have no time");
    const nytp_calls *one = link_of(&c, 1, 3), *two = link_of(&c, 2, 4);
    is(one->self + one->children, 354000, "a call into it has its whole time");
    is(one->self + two->self, 54000, "these calls share what is the cycle's own");
    is(two->self, 24771, "in proportion: 54000 * 300000 / 654000");
    is(link_of(&c, 4, 5)->self, 600000, "a sub without recursion needs no share");
    is(link_of(&c, 0, 1)->self, 20, "recursion: the own time of nested calls is the caller's, too");
    nytp_cycles_free(&c);
}

/* As deep as 200000 calls. */
static void test_depth(void) {
    enum { SUBS = 200000 };
    nytp_sub *subs = calloc(SUBS, sizeof *subs);
    nytp_edge *edges = calloc(SUBS, sizeof *edges);
    if (!subs || !edges) abort();
    for (uint32_t i = 0; i < SUBS; i++)
        edges[i] = (nytp_edge){.caller = i, .callee = i + 1 < SUBS ? i + 1 : 1, .calls = 1};
    nytp_profile p = profile_of(subs, SUBS, edges, SUBS);
    nytp_cycles c = {0};
    is(nytp_cycles_find(&c, &p), NYTP_OK, "many subs");
    is(c.groups_n, 2, "are the first and a cycle");
    is(c.groups[c.group[SUBS - 1]].subs.n, SUBS - 1, "of all others");
    nytp_cycles_free(&c);
    free(subs);
    free(edges);
}

static void test_nothing(void) {
    nytp_profile p = {0};
    nytp_cycles c = {0};
    is(nytp_cycles_find(&c, &p), NYTP_OK, "an empty profile");
    is(c.groups_n + c.links_n, 0, "has neither groups nor links");
    nytp_cycles_free(&c);
}

int main(void) {
    test_circles();
    test_depth();
    test_nothing();
    return done();
}
