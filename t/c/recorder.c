/* SPDX-License-Identifier: MIT */
/* The recorder with a fake clock and no interpreter: the ticks charged to each place and sub, windows that add up to
 * the time passed, calls that never end, and the folding beyond limits. */
#include <time.h>

#include "recording.h"

#define STEP 10 /* ticks between two readings of the fake clock */

static void adds_up(const sums *s) {
    ok(s->windows > 0 && s->wrong == 0, "in each of %u windows places, nodes and the rest make up its length",
       s->windows);
}

static void charging(void) {
    begin();
    nytp_live_place *a = place(1), *b = place(2);
    nytp_live_sub *f = sub("main::f", "f", NULL);
    nytp_statement(r, a, nytp_now(r));
    nytp_live_frame *frame = call(f, NYTP_EVENT_ENTER, r->native);
    nytp_statement(r, b, nytp_now(r));
    nytp_statement(r, b, nytp_now(r));
    nytp_exit(r, frame, nytp_now(r), NYTP_EVENT_EXIT);
    nytp_switch(r, b, nytp_now(r));
    nytp_flush_all(r);
    uint32_t at_a = a->id, at_b = b->id;
    finish();
    sums s = read_back();
    is(s.count[at_a], 1, "one statement, entered once");
    is(s.count[at_b], 2, "the other twice; going back to it does not count");
    is(s.place_ticks[at_a], 3 * STEP, "a has the time up to b, and after the call");
    is(s.place_ticks[at_b], 4 * STEP, "b the rest: in the call, after the switch, and from the flush to the end");
    is(s.calls[1], 1, "one call");
    is(s.node_ticks[1], 3 * STEP, "which takes from its entry to its end");
    is(s.ends, 1, "an end record");
    adds_up(&s);
}

static void costs(void) {
    begin();
    nytp_live_place *a = place(1);
    for (int event = 0; event < NYTP_EVENTS; event++)
        r->prices[event] = (nytp_rec_price){(uint64_t)event, event + 1, 0, 1, 0};
    for (int i = 0; i < 100; i++) {
        nytp_statement(r, a, nytp_now(r));
        nytp_live_frame *frame = call(sub("main::c", "c", NULL), NYTP_EVENT_LEAF_ENTER, "x");
        nytp_exit(r, frame, nytp_now(r), NYTP_EVENT_LEAF_EXIT);
    }
    uint32_t at_a = a->id;
    finish();
    sums s = read_back();
    adds_up(&s);
    is(s.subtracted, 100 * (1 + 5 + 6), "what a statement, a call and its end cost is subtracted");
    is(s.place_ticks[at_a], 100 * 3 * STEP - s.subtracted, "from the statement's time");
}

static void lost_calls(void) {
    char stack[100];
    begin();
    nytp_live_place *a = place(1);
    nytp_live_sub *f = sub("main::f", "f", NULL), *c = sub("main::c", "c", NULL);
    nytp_statement(r, a, nytp_now(r));
    nytp_live_frame *outer = call(f, NYTP_EVENT_ENTER, r->native);
    call(c, NYTP_EVENT_LEAF_ENTER, stack + 50);
    nytp_live_frame *inner = call(f, NYTP_EVENT_ENTER, r->native);
    is(r->node->parent->parent == NULL, 0, "three calls deep");
    nytp_exit(r, outer, nytp_now(r), NYTP_EVENT_EXIT);
    ok(r->frame == NULL && r->node == &r->nodes.root, "the end of the outermost ends what is above it");
    nytp_exit(r, inner, nytp_now(r), NYTP_EVENT_EXIT);
    ok(r->frame == NULL && r->node == &r->nodes.root, "and a late end above it changes nothing");
    call(c, NYTP_EVENT_LEAF_ENTER, stack + 50);
    nytp_recorder_heal(r, stack + 60);
    ok(r->frame == NULL && r->native == NYTP_NATIVE_NONE, "C code that longjmp has left is noticed by the next hook");
    finish();
    sums s = read_back();
    adds_up(&s);
}

/* Entering counts; a call that a front end takes back before an off counts again at the next on. */
static void off_and_on(void) {
    nytp_error e = {0};
    begin();
    nytp_live_place *a = place(1);
    nytp_statement(r, a, nytp_now(r));
    nytp_recorder_off(r);
    nytp_recount(r, a, -1);
    nytp_flush_all(r);
    int64_t ticks = a->ticks;
    for (int i = 0; i < 5; i++) nytp_now(r);
    is(a->ticks, ticks, "nothing is charged while off");
    nytp_recorder_on(r, &e);
    nytp_recount(r, a, 1);
    uint32_t at_a = a->id;
    finish();
    sums s = read_back();
    is(s.count[at_a], 1, "a count taken back and given again is one");
    adds_up(&s);
}

static void folding(void) {
    set("maxnodes", "3");
    begin();
    nytp_live_sub *f = sub("main::f", "f", NULL);
    nytp_live_frame *frames[10];
    for (int i = 0; i < 10; i++) {
        nytp_statement(r, place(1), nytp_now(r));
        frames[i] = call(f, NYTP_EVENT_ENTER, r->native);
    }
    ok(r->node->id <= 3, "recursion past the limit goes into the node it came from");
    for (int i = 10; i-- > 0;) nytp_exit(r, frames[i], nytp_now(r), NYTP_EVENT_EXIT);
    for (int i = 0; i < 5; i++) {
        static const char *const names[] = {"main::g", "main::h", "main::i", "main::j", "main::k"};
        frames[i] = call(sub(names[i], names[i], NULL), NYTP_EVENT_ENTER, r->native);
    }
    for (int i = 5; i-- > 0;) nytp_exit(r, frames[i], nytp_now(r), NYTP_EVENT_EXIT);
    finish();
    sums s = read_back();
    int64_t calls = 0;
    for (int i = 0; i < 64; i++) calls += s.calls[i];
    is(calls, 15, "every call is counted all the same");
    is(s.notes, 1, "and the capture says that paths were given up");
    adds_up(&s);
    set("maxnodes", "200000");
}

#define CHILDREN 100

/* Whether every child of root is found again, in any order, after each new child. */
static int finds_children(nytp_live_place *site, nytp_live_sub **subs, nytp_live_node **nodes, int n) {
    for (int i = n; i-- > 0;)
        if (nytp_nodes_known(r, &r->nodes.root, site, subs[i]->key) != nodes[i]) return 0;
    for (int i = 0; i < n; i += 7)
        if (nytp_nodes_child(r, &r->nodes.root, site, subs[i]) != nodes[i]) return 0;
    return 1;
}

static int count_nodes(void) {
    int n = -1; /* without the root */
    for (const nytp_live_node *at = &r->nodes.root; at; at = nytp_nodes_next(at)) n++;
    return n;
}

static void children(void) {
    static const char bodies[CHILDREN];
    nytp_live_sub *subs[CHILDREN];
    nytp_live_node *nodes[CHILDREN];
    int found = 1;
    begin();
    nytp_live_place *site = place(1);
    for (int i = 0; i < CHILDREN; i++) {
        char name[32];
        snprintf(name, sizeof name, "main::f%d", i);
        subs[i] = sub(name, bodies + i, NULL);
        nodes[i] = nytp_nodes_child(r, &r->nodes.root, site, subs[i]);
        found &= finds_children(site, subs, nodes, i + 1);
    }
    ok(found, "a node's children are found, few or many");
    ok(nytp_nodes_known(r, &r->nodes.root, place(2), subs[0]->key) == NULL, "each at its site only");
    ok(nytp_nodes_known(r, nodes[1], site, subs[0]->key) == NULL, "and under its parent");
    nytp_nodes_child(r, nodes[1], site, subs[0]);
    is(count_nodes(), CHILDREN + 1, "a walk passes each node once");
    finish();
}

static void identities(void) {
    begin();
    nytp_live_sub *one = sub("main::f", "body 1", NULL), *two = sub("main::f", "body 2", NULL);
    nytp_live_sub *fast = sub("main::__ANON__", "closure", "fast"), *slow = sub("main::__ANON__", "closure", "slow");
    is(one->ordinal, 1, "a name's first body is number one");
    is(two->ordinal, 2, "its second number two");
    ok(fast != slow && fast->ordinal == slow->ordinal, "two aliases of one body are two subs with one number");
    ok(nytp_subs_find(r, slow->key) == slow, "each is found by its key");
    nytp_subs_forget(r, "closure");
    ok(nytp_subs_find(r, (nytp_subkey){"closure", NULL, NULL, "slow"}) == NULL, "freed code is forgotten");
    nytp_live_sub *late = sub("main::late", NULL, NULL);
    ok(sub("main::late", "late", NULL) == late, "a sub known by name only is the one that is called later");
    finish();
}

/* One place's closures, each named at run time. */
static void names(void) {
    enum { NAMES = 100000 };
    static const char globs[NAMES];
    nytp_live_sub *first = NULL;
    int known = 0;
    begin();
    clock_t begun = clock();
    for (int i = 0; i < NAMES; i++) {
        known += nytp_subs_find(r, (nytp_subkey){"closure", NULL, NULL, globs + i}) != NULL;
        nytp_live_sub *s = sub("main::f", "closure", globs + i);
        if (!i) first = s;
    }
    is(known, 0, "names are new");
    ok(clock() - begun < 3 * CLOCKS_PER_SEC, "a body with many names is as fast as one with few");
    ok(nytp_subs_find(r, first->key) == first, "each is found");
    nytp_subkey key = first->key;
    nytp_subs_forget(r, "closure");
    ok(!nytp_subs_find(r, key), "and all are forgotten");
    finish();
}

static nytp_live_file *eval(int number, const char *text) {
    char name[100];
    nytp_rec_file what = {0};
    snprintf(name, sizeof name, "(eval %d)[/x.pl:7]", number);
    what.name = nytp_str_c(name);
    what.parent = 1;
    what.parent_line = 7;
    return nytp_places_add_eval(r, &what, nytp_str_c(text));
}

static void evals(void) {
    set("maxsiteevals", "2");
    begin();
    place(1);
    nytp_live_file *first = eval(1, "one"), *second = eval(2, "two");
    ok(first != second, "string evals have entries of their own");
    ok(eval(3, "one") == first, "past the limit a known text joins its first eval");
    nytp_live_file *other = eval(4, "three");
    ok(other != first && other != second && eval(5, "four") == other, "all other texts of the place share one");
    ok(nytp_places_find_file(r, NYTP_LIT("(eval 5)[/x.pl:7]")) == other, "by name, while it is the latest");
    nytp_rec_place what = {0, other->id, 3, 3, 3};
    ok(nytp_places_add(r, &what, 1) == nytp_places_add(r, &what, 1), "their lines are shared too");
    finish();
    set("maxsiteevals", "1000");
}

int main(void) {
    set_up();
    charging();
    costs();
    lost_calls();
    off_and_on();
    folding();
    children();
    identities();
    names();
    evals();
    return take_down();
}
