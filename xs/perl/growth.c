/* SPDX-License-Identifier: MIT */
/* growth.c - the values and bytes that perl has more, or fewer, become counters of lines and calls. */
#include "perl/growth.h"

#include "perl/counted.h"
#include "record/counters.h"

static int is_wanted(const nytp_glue *g) { return g->options.memory && g->options.format != NYTP_OUTPUT_V5; }

/* Whether perl's blocks come from where the library counts: not from an allocator of perl's own, or of a sanitizer. */
static int is_counted(pTHX) {
    const nytp_heap *heap = nytp_heap_here();
    uint64_t calls = heap->calls;
    char *block;
    Newx(block, 100, char);
    int has_counted = heap->calls != calls;
    Safefree(block);
    return has_counted;
}

void nytp_growth_check(pTHX_ nytp_glue *g) {
    if (g->options.memory && !is_wanted(g)) nytp_perl_log_say(g, "NYTProf: option memory is ignored with format=5");
    if (!is_wanted(g) || !nytp_heap_here || is_counted(aTHX)) return;
    nytp_perl_log_say(g, "NYTProf: bytes are not counted: this program has another allocator than the C library's");
}

void nytp_growth_begin(pTHX_ nytp_glue *g) {
    g->grows = !is_wanted(g)                        ? NYTP_GROWS_NOTHING
               : nytp_heap_here && is_counted(aTHX) ? NYTP_GROWS_BYTES
                                                    : NYTP_GROWS_VALUES;
    nytp_growth_go_on(aTHX_ g);
}

/* What perl frees as it ends is no line's. */
void nytp_growth_add(nytp_glue *g, int64_t more) {
    const int64_t by[] = {more > 0 ? more : 0, more < 0 ? -more : 0};
    if (g->is_destructed) return;
    nytp_counters_sum(&g->r, NYTP_COUNTED_MADE, 2, by);
    nytp_touch_current(&g->r);
}

/* ---- bytes ---- */

void nytp_growth_go_on_with_bytes(nytp_glue *g) {
    g->bytes.of = nytp_heap_here();
    g->bytes.sums = *g->bytes.of;
}

/* The sums of this thread less these: the difference of a difference is where it began. */
nytp_heap nytp_growth_since(nytp_heap before) {
    nytp_heap now = *nytp_heap_here();
    return (nytp_heap){now.calls - before.calls, now.allocated - before.allocated, now.freed - before.freed};
}

/* An interpreter that has gone on in another thread since the event before has taken nothing from this one's heap. The
 * counters take memory, too. */
void nytp_growth_count_bytes(pTHX_ nytp_glue *g) {
    const nytp_heap *here = nytp_heap_here();
    nytp_heap since = nytp_growth_since(here == g->bytes.of ? g->bytes.sums : *here);
    int64_t more = nytp_growth_now(aTHX) - g->values;
    const int64_t by[] = {
        [NYTP_COUNTED_MADE] = more > 0 ? more : 0,
        [NYTP_COUNTED_FREED] = more < 0 ? -more : 0,
        [NYTP_COUNTED_ALLOCATIONS] = (int64_t)since.calls,
        [NYTP_COUNTED_BYTES] = (int64_t)since.allocated,
        [NYTP_COUNTED_BYTES_FREED] = (int64_t)since.freed,
    };
    if (!g->is_destructed && (more || since.allocated || since.freed)) {
        nytp_counters_sum(&g->r, NYTP_COUNTED_MADE, sizeof by / sizeof *by, by);
        nytp_touch_current(&g->r);
    }
    nytp_growth_go_on(aTHX_ g);
}
