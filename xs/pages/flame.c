/* SPDX-License-Identifier: MIT */
/* flame.c - the flame graph of a report, and its data, under the names that other programs expect:
 * all_stacks_by_time.calls has the paths, flamegraph_subattr.txt the links of frames.
 *
 * Frames too small to be seen are left out: the paths of a large program are larger than its whole report. */
#include "pages/pages.h"

#include <stdlib.h>

#include "pages/parts.h"
#include "report/escape.h"
#include "report/flame.h"
#include "report/folded.h"
#include "report/names.h"
#include "report/text.h"

#define LEAST_WIDTH 0.4 /* pixels that a frame must have */
#define CALLS_RATE 10000000u /* nytprofcalls' ticks a second */

static int by_name(const void *a, const void *b) {
    return nytp_str_cmp(((const nytp_flame_link *)a)->name, ((const nytp_flame_link *)b)->name);
}

/* Fills in the link's strings, from the arena; p of one is NULL when memory is short. */
static void make_link(nytp_html *h, uint32_t sub, nytp_buf *scratch, nytp_flame_link *link) {
    nytp_buf_rewind(scratch);
    nytp_names_frame(scratch, &h->p->subs[sub]);
    link->name = nytp_arena_str(&h->arena, nytp_page_bytes(scratch));
    nytp_buf_rewind(scratch);
    nytp_parts_sub_target(scratch, h, sub);
    link->href = nytp_arena_str(&h->arena, nytp_page_bytes(scratch));
}

/* Of subs with one name the first gets the link. */
static int make_links(nytp_html *h, nytp_flame *flame) {
    const nytp_profile *p = h->p;
    nytp_flame_link *links = nytp_arena_get(&h->arena, (p->subs_n + 1u) * sizeof *links);
    nytp_buf scratch = {0};
    uint32_t n = 0;
    if (!links) return NYTP_NOMEM;
    for (uint32_t i = 0; i < p->subs_n; i++) {
        const nytp_sub *s = &p->subs[i];
        if (!nytp_profile_sub_called(s) || s->ordinal > 1 || s->alias.n) continue;
        make_link(h, i, &scratch, &links[n]);
        if (!links[n].name.p || !links[n].href.p) scratch.failed = 1;
        n += links[n].href.n != 0;
    }
    int failed = scratch.failed;
    nytp_buf_free(&scratch);
    if (failed) return NYTP_NOMEM;
    qsort(links, n, sizeof *links, by_name);
    flame->links = links;
    flame->links_n = n;
    return NYTP_OK;
}

/* An array with 1 for each link that a frame has, to be freed. */
static char *find_drawn(const nytp_stacks *s, const nytp_flame *flame) {
    char *is_drawn = calloc(flame->links_n + 1u, 1);
    const nytp_calltree *t = &s->tree;
    for (uint32_t i = nytp_calltree_next(t, 0); is_drawn && i; i = nytp_calltree_next(t, i)) {
        const nytp_flame_link key = {.name = s->names[t->at[i].callee]};
        const nytp_flame_link *link = bsearch(&key, flame->links, flame->links_n, sizeof key, by_name);
        if (link) is_drawn[link - flame->links] = 1;
    }
    return is_drawn;
}

static int put_links(nytp_html *h, const nytp_stacks *s, const nytp_flame *flame) {
    nytp_buf out = {0};
    char *is_drawn = find_drawn(s, flame);
    if (!is_drawn) return NYTP_NOMEM;
    for (uint32_t i = 0; i < flame->links_n; i++) {
        if (!is_drawn[i]) continue;
        nytp_text_str(&out, flame->links[i].name);
        nytp_text_put(&out, "\thref=");
        nytp_text_str(&out, flame->links[i].href);
        nytp_buf_byte(&out, '\n');
    }
    int code = out.failed ? NYTP_NOMEM : nytp_sink_put(h->sink, NYTP_LIT("flamegraph_subattr.txt"), out.p, out.n);
    free(is_drawn);
    nytp_buf_free(&out);
    return code;
}

static int put_paths(nytp_html *h, const nytp_stacks *s) {
    nytp_buf out = {0};
    nytp_folded_lines(&out, NULL, s, h->p->ticks_per_second, h->of_subs.ranks ? 0 : CALLS_RATE);
    int code = out.failed ? NYTP_NOMEM : nytp_sink_put(h->sink, NYTP_LIT("all_stacks_by_time.calls"), out.p, out.n);
    nytp_buf_free(&out);
    return code;
}

static int put_picture(nytp_html *h, const nytp_stacks *s, nytp_flame *flame) {
    nytp_buf out = {0}, title = {0};
    nytp_str program = h->p->processes_n ? h->p->processes[0].program : NYTP_LIT("");
    nytp_text_put(&title, "Flame graph of ");
    nytp_escape_text(&title, program);
    if (h->of_subs.ranks) {
        const nytp_metric *m = &h->p->metrics[h->of_subs.at[0]];
        nytp_text_put(&title, ", ");
        nytp_escape_text(&title, m->title);
        flame->count_name = m->unit.n ? m->unit : m->name;
    } else {
        flame->count_name = NYTP_LIT("ms");
        flame->factor = 1000.0 / (double)h->p->ticks_per_second;
    }
    flame->title = nytp_page_bytes(&title);
    int code = nytp_flame_svg(&out, s, flame);
    if (title.failed) code = NYTP_NOMEM;
    if (!code) code = nytp_sink_put(h->sink, NYTP_LIT(NYTP_PAGES_FLAME), out.p, out.n);
    nytp_buf_free(&title);
    nytp_buf_free(&out);
    return code;
}

int nytp_pages_flame_write(nytp_html *h) {
    const nytp_calltree_options options = {.metric = h->of_subs.ranks ? h->of_subs.at[0] + 1 : 0};
    nytp_flame flame = nytp_flame_default();
    nytp_stacks s = {0};
    flame.min_width = LEAST_WIDTH;
    if (h->options->flame_width) flame.width = h->options->flame_width;
    int code = make_links(h, &flame);
    if (!code) code = nytp_stacks_profile(&s, h->p, &options);
    if (!code) nytp_stacks_prune(&s, flame.min_width / flame.width);
    if (!code) code = nytp_stacks_sort(&s, NYTP_STACKS_HEAVIEST);
    if (!code) code = put_paths(h, &s);
    if (!code) code = put_links(h, &s, &flame);
    if (!code) code = put_picture(h, &s, &flame);
    nytp_stacks_free(&s);
    return code;
}
