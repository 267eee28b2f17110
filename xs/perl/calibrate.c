/* calibrate.c - what our own hooks cost on this machine, in ticks: the same loops are run before the hooks exist and
 * after, and the difference is shared out among the events that were counted.
 *
 * The loops are subs of Devel::NYTProf::Core, compiled before the hooks and re-pointed to them afterwards, so nothing
 * is compiled here and no eval number, hash order or random number of the program changes. They run in a recorder of
 * their own, which has no output. It all takes half a millisecond. */
#include "perl/glue.h"

#define ROUNDS 5
#define TRIES 12

enum workload { BASE, STATEMENT, SWITCH, CALL, LEAF, LOOPS };

static const char *const loop_names[LOOPS] = {"_base", "_statement", "_switch", "_call", "_leaf"};

typedef struct timing {
    int64_t ticks, events[NYTP_EVENTS];
} timing;

static CV *loop_cv(pTHX_ int loop) {
    char name[64];
    my_snprintf(name, sizeof name, "Devel::NYTProf::Core::%s", loop_names[loop]);
    return get_cv(name, 0);
}

static void call(pTHX_ CV *cv) {
    dSP;
    ENTER;
    SAVETMPS;
    PUSHMARK(SP);
    mXPUSHi(ROUNDS);
    PUTBACK;
    call_sv((SV *)cv, G_VOID | G_DISCARD);
    FREETMPS;
    LEAVE;
}

static void try_loop(pTHX_ nytp_recorder *r, CV *cv, timing *best) {
    int64_t before[NYTP_EVENTS], after[NYTP_EVENTS];
    nytp_recorder_events(r, before);
    int64_t start = nytp_now(r);
    call(aTHX_ cv);
    int64_t ticks = nytp_now(r) - start;
    if (ticks < best->ticks) best->ticks = ticks;
    nytp_recorder_events(r, after);
    for (int event = 0; event < NYTP_EVENTS; event++) best->events[event] = after[event] - before[event];
}

/* The shortest of some tries, taken in turns: whatever disturbs a loop makes it longer, and passes. */
static void measure(pTHX_ nytp_recorder *r, timing *runs) {
    for (int loop = 0; loop < LOOPS; loop++) runs[loop].ticks = INT64_MAX;
    for (int i = 0; i < TRIES; i++)
        for (int loop = 0; loop < LOOPS; loop++) {
            CV *cv = loop_cv(aTHX_ loop);
            if (cv) try_loop(aTHX_ r, cv, runs + loop);
        }
}

static void point_to_hooks(pTHX_ OP *o) {
    if (o->op_ppaddr == nytp_glue_perl[o->op_type]) o->op_ppaddr = PL_ppaddr[o->op_type];
    if (!(o->op_flags & OPf_KIDS)) return;
    for (OP *kid = cUNOPx(o)->op_first; kid; kid = OpSIBLING(kid)) point_to_hooks(aTHX_ kid);
}

static void point_loops_to_hooks(pTHX) {
    CV *empty = get_cv("Devel::NYTProf::Core::_nothing", 0);
    if (empty) point_to_hooks(aTHX_ CvROOT(empty));
    for (int loop = 0; loop < LOOPS; loop++) {
        CV *cv = loop_cv(aTHX_ loop);
        if (cv) point_to_hooks(aTHX_ CvROOT(cv));
    }
}

/* ---- from ticks to costs ---- */

/* What one `event` costs: the time that hooks added to a loop over what they added to the empty one, less what the
 * other events in it cost as far as that is known. */
static int64_t share(const timing *bare, const timing *hooked, int loop, int event, const int64_t *cost) {
    int64_t added = (hooked[loop].ticks - bare[loop].ticks) - (hooked[BASE].ticks - bare[BASE].ticks);
    for (int other = 0; other < NYTP_EVENTS; other++)
        if (other != event) added -= cost[other] * (hooked[loop].events[other] - hooked[BASE].events[other]);
    int64_t n = hooked[loop].events[event] - hooked[BASE].events[event];
    return n > 0 && added > 0 ? added / n : 0;
}

/* Of a call's cost three fifths fall behind the clock reading at its beginning, two fifths behind the one at its end:
 * so lie the hooks' instructions. A leaf's halves are about the same. */
static void derive(const timing *bare, const timing *hooked, int64_t *cost) {
    cost[NYTP_EVENT_STATEMENT] = share(bare, hooked, STATEMENT, NYTP_EVENT_STATEMENT, cost);
    cost[NYTP_EVENT_SWITCH] = share(bare, hooked, SWITCH, NYTP_EVENT_SWITCH, cost);
    int64_t call = share(bare, hooked, CALL, NYTP_EVENT_ENTER, cost);
    cost[NYTP_EVENT_ENTER] = call * 3 / 5;
    cost[NYTP_EVENT_EXIT] = call - cost[NYTP_EVENT_ENTER];
    int64_t leaf = share(bare, hooked, LEAF, NYTP_EVENT_LEAF_ENTER, cost);
    cost[NYTP_EVENT_LEAF_ENTER] = leaf / 2;
    cost[NYTP_EVENT_LEAF_EXIT] = leaf - leaf / 2;
}

static void set_prices(nytp_recorder *r, const int64_t *cost, uint64_t measured) {
    for (int event = 0; event < NYTP_EVENTS; event++)
        r->prices[event] = (nytp_rec_price){(uint64_t)event, cost[event], 0, measured};
}

/* ---- a recorder for the purpose ---- */

/* In the place of the real one, since the hooks look nowhere else; its own pointers into itself stay right that way. */
static void with_hooks(pTHX_ nytp_glue *g, timing *hooked) {
    nytp_glue real = *g;
    nytp_error e = {0};
    nytp_front front = g->r.front;
    Zero(&g->r, 1, nytp_recorder);
    g->cops = nytp_stmt_table(g->cop_mask + 1);
    if (g->cops && nytp_recorder_open(&g->r, &g->options, &front, &e) == NYTP_OK) {
        g->r.deadline = INT64_MAX;
        g->r.on = 1;
        g->stack = PL_mainstack;
        measure(aTHX_ &g->r, hooked);
        nytp_recorder_close(&g->r);
    }
    free(g->cops);
    *g = real;
}

/* Clocks too coarse to see a loop run tell nothing, and the fake one must give every run the same figures. */
static int is_measurable(const nytp_clock *c) {
    return c->id != NYTP_CLOCK_FAKE && c->resolution * 1000000 <= c->ticks_per_second;
}

void nytp_calibrate(pTHX_ nytp_glue *g) {
    static const int64_t fake[NYTP_EVENTS] = {1, 2, 3, 4, 5, 6};
    timing bare[LOOPS] = {{0}}, hooked[LOOPS] = {{0}};
    int64_t cost[NYTP_EVENTS] = {0};
    int measured = g->options.overhead && is_measurable(&g->r.clock);
    if (measured) measure(aTHX_ &g->r, bare);
    nytp_boot_hooks(aTHX_ g);
    if (g->options.overhead && g->r.clock.id == NYTP_CLOCK_FAKE) set_prices(&g->r, fake, 1);
    if (!measured) return;
    point_loops_to_hooks(aTHX);
    with_hooks(aTHX_ g, hooked);
    derive(bare, hooked, cost);
    set_prices(&g->r, cost, TRIES);
}
