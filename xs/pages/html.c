/* SPDX-License-Identifier: MIT */
/* html.c - the HTML report: an index, lists of subs, one page per file. It needs no server; without scripts the index
 * has fewer views. */
#include "pages/html.h"

#include <stdlib.h>

#include "model/order.h"
#include "pages/blocks.h"
#include "pages/build_page.h"
#include "pages/changes_page.h"
#include "pages/compared_page.h"
#include "pages/pages.h"
#include "pages/parts.h"
#include "report/escape.h"
#include "report/names.h"
#include "report/text.h"

/* Copies the bytes of scratch to the arena and empties it. */
static nytp_str keep(nytp_html *h, nytp_buf *scratch) {
    nytp_str kept = scratch->failed ? (nytp_str){NULL, 0} : nytp_arena_str(&h->arena, nytp_page_bytes(scratch));
    nytp_buf_clear(scratch);
    return kept;
}

static int has_page(const nytp_html *h, const nytp_file *f) {
    return nytp_profile_file_used(f) && !(nytp_profile_seconds(h->p, f->ticks) < h->options->min_time);
}

static int name_file(nytp_html *h, uint32_t file, nytp_buf *scratch) {
    if (has_page(h, &h->p->files[file])) {
        nytp_names_plain_page(scratch, h->p, file, "line");
        nytp_text_put(scratch, ".html");
    }
    h->pages[file] = keep(h, scratch);
    nytp_buf raw = {0};
    nytp_names_file(&raw, h->p, &h->p->files[file]);
    nytp_escape_html(scratch, nytp_page_bytes(&raw));
    int failed = raw.failed;
    nytp_buf_free(&raw);
    h->names[file] = keep(h, scratch);
    return failed || !h->pages[file].p || !h->names[file].p;
}

/* Most names need no change and are not copied. */
static int name_sub(nytp_html *h, uint32_t sub, nytp_buf *scratch) {
    nytp_buf_clear(scratch);
    nytp_parts_sub_text(scratch, h->p, sub);
    int is_same = !scratch->failed && nytp_str_eq(nytp_page_bytes(scratch), h->p->subs[sub].name);
    h->subs[sub] = is_same ? h->p->subs[sub].name : keep(h, scratch);
    return !h->subs[sub].p;
}

static int name_everything(nytp_html *h) {
    const nytp_profile *p = h->p;
    nytp_buf scratch = {0};
    h->pages = nytp_arena_get(&h->arena, p->files_n * sizeof *h->pages);
    h->names = nytp_arena_get(&h->arena, p->files_n * sizeof *h->names);
    h->subs = nytp_arena_get(&h->arena, p->subs_n * sizeof *h->subs);
    int failed = !h->pages || !h->names || !h->subs;
    for (uint32_t i = 0; i < p->files_n && !failed; i++) failed = name_file(h, i, &scratch);
    for (uint32_t i = 0; i < p->subs_n && !failed; i++) failed = name_sub(h, i, &scratch);
    nytp_buf_clear(&scratch);
    nytp_str program = p->processes_n ? p->processes[0].program : nytp_str_c(NULL);
    nytp_escape_html(&scratch, program.n ? program : NYTP_LIT("(unknown program)"));
    h->program = keep(h, &scratch);
    nytp_buf_free(&scratch);
    return failed || !h->program.p ? NYTP_NOMEM : NYTP_OK;
}

static int put_asset(nytp_html *h, const char *name) {
    nytp_str bytes = nytp_page_asset(name);
    return nytp_sink_put(h->sink, nytp_str_c(name), bytes.p, bytes.n);
}

static int put_assets(nytp_html *h) {
    static const char *const names[] = {"style.css", "dark.css", "app.css", "theme.js",
                                        "report.js", "source.js", "find.js", "during.js", "app.js"};
    int code = NYTP_OK;
    for (size_t i = 0; i < sizeof names / sizeof *names && !code; i++) code = put_asset(h, names[i]);
    return code;
}

/* The expensive ones first, so that they are there if the disk is too small for all. */
static int put_sources(nytp_html *h) {
    uint32_t n, *order = nytp_order_files(h->p, &n);
    int code = order ? NYTP_OK : NYTP_NOMEM;
    for (uint32_t i = 0; i < n && !code; i++) {
        if (h->pages[order[i]].n) code = nytp_pages_source_write(h, order[i]);
        if (h->listener->page) h->listener->page(h->listener->context, i + 1, n);
    }
    free(order);
    return code;
}

/* Least share of the run for a path in a picture. */
#define LEAST_SHARE 1e-6

/* In a directory style and scripts are files of their own. */
#define LINKS \
    "<link rel=\"stylesheet\" href=\"style.css\">\n" \
    "<link rel=\"stylesheet\" href=\"dark.css\" id=\"dark\" media=\"screen and (prefers-color-scheme: dark)\">\n" \
    "<script src=\"theme.js\"></script>\n" \
    "<link rel=\"stylesheet\" href=\"app.css\">\n" \
    "<script src=\"report.js\" defer></script>\n" \
    "<script src=\"app.js\" defer></script>\n" \
    "<script src=\"data.js\" defer></script>\n"

static int put_behind_index(nytp_html *h) {
    int code = nytp_pages_data_write(h);
    if (!code) code = nytp_pages_packages_write(h);
    return code ? code : put_sources(h);
}

/* Frees memory that the pictures do not need, as they need as much themselves. */
static void drop_what_pages_needed(nytp_html *h) {
    nytp_contexts_free(&h->contexts);
    nytp_slices_free(&h->slices);
    free(h->blocks);
    h->blocks = NULL;
    h->blocks_n = 0;
}

static int write_pages(nytp_html *h) {
    int code = h->options->no_flame ? NYTP_OK : nytp_contexts_build(&h->contexts, h->p, &h->of_subs, LEAST_SHARE);
    if (!code) code = nytp_slices_find(&h->slices, h->p);
    if (code) return code;
    if (h->options->single) return nytp_single_write(h, put_behind_index);
    code = put_assets(h);
    if (!code) code = nytp_index_write(h);
    if (!code) code = put_behind_index(h);
    drop_what_pages_needed(h);
    if (!code) code = nytp_redirects_write(h);
    if (!code && !h->options->no_flame) code = nytp_pages_flame_write(h);
    return code || h->options->no_graphs ? code : nytp_graphs_write(h);
}

/* ---- the report ---- */

enum { LIBRARY, EVALS, METRIC, SINGLE, OPEN, NO_FLAME, FLAME_WIDTH, NO_GRAPHS, MIN_TIME, EDITOR, COMPAT_PAGES,
       NO_COMPRESS, CLASSES, BASE };

static const nytp_arg args[] = {
    [LIBRARY] = NYTP_ARGS_LIBRARY,
    [EVALS] = NYTP_ARGS_EVALS,
    [METRIC] = NYTP_ARGS_METRIC,
    [SINGLE] = {.name = "single", .use = NYTP_ARG_FOR_PAGE, .fallback = "nytprof.html",
                .help = "one page with everything in it, in the file --out"},
    [OPEN] = NYTP_ARGS_OPEN,
    [NO_FLAME] = {.name = "no-flame", .help = "no flame graph"},
    [FLAME_WIDTH] = {.name = "flamewidth", .kind = NYTP_ARG_NUMBER, .value = "N", .fallback = "1200", .least = 100,
                     .most = 100000, .help = "width of the flame graph in pixels"},
    [NO_GRAPHS] = {.name = "no-graphs", .letter = 'm', .help = "no call graphs for graphviz"},
    [MIN_TIME] = {.name = "min-time", .kind = NYTP_ARG_SECONDS, .value = "SEC",
                  .help = "no page for files with less time in statements"},
    [EDITOR] = {.name = "editor-url", .kind = NYTP_ARG_TEXT, .value = "URL",
                .help = "link sources to an editor; %f is the file, %l the line"},
    [COMPAT_PAGES] = {.name = "compat-pages", .help = "redirects from the page names of Devel::NYTProf 6"},
    [NO_COMPRESS] = {.name = "no-compress",
                     .help = "the index page's data not deflated: for browsers from before 2023"},
    [CLASSES] = NYTP_ARGS_CLASSES,
    [BASE] = NYTP_ARGS_BASE,
    {0},
};

static nytp_html_options options_of(const nytp_arg_value *v) {
    return (nytp_html_options){
        .no_flame = v[NO_FLAME].given != 0,
        .no_graphs = v[NO_GRAPHS].given != 0,
        .compat_pages = v[COMPAT_PAGES].given != 0,
        .flame_width = (uint32_t)v[FLAME_WIDTH].number,
        .min_time = v[MIN_TIME].number,
        .editor = v[EDITOR].text,
        .single = v[SINGLE].given != 0,
        .no_compress = v[NO_COMPRESS].given != 0,
    };
}

static int write_html(const nytp_request *r, nytp_sink *sink) {
    const nytp_html_options options = options_of(r->values);
    nytp_html h = {.p = r->profiles, .options = &options, .listener = &r->listener, .version = r->version,
                   .shown = r->shown, .of_lines = nytp_shown_of(&r->shown, r->profiles, NYTP_OF_PLACE),
                   .of_subs = nytp_shown_of(&r->shown, r->profiles, NYTP_OF_NODE),
                   .sink = sink, .base = r->base, .here = NYTP_PAGES_NOWHERE,
                   .head = NYTP_LIT(LINKS), .policy = NYTP_LIT(" 'self'")};
    h.languages = h.words = nytp_words_find(&h.arena, h.p);
    int code = h.words ? name_everything(&h) : NYTP_NOMEM;
    if (!code) code = nytp_blocks_find(&h);
    if (!code) code = write_pages(&h);
    drop_what_pages_needed(&h);
    nytp_arena_free(&h.arena);
    return code;
}

static int write_build(const nytp_build_request *r, nytp_sink *sink) {
    return nytp_build_page_write(r, sink, r->values[NO_COMPRESS].given != 0);
}

const nytp_report nytp_html_report = {
    .name = "html",
    .task = NYTP_TASK_LOOK,
    .summary = "writes pages of annotated source, to be read in a browser",
    .output = "nytprof",
    .has_notes = 1,
    .tells_outside = 1,
    .wants_stretches = 1,
    .first = "index.html",
    .args = args,
    .write = write_html,
    .write_build = write_build,
    .write_changes = nytp_changes_page_write,
    .write_compared = nytp_compared_page_write,
};
