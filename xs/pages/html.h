/* SPDX-License-Identifier: MIT */
/* html.h - an HTML report while it is written: the profile, the options, the sink, and what the pages share.
 *
 * A page is put together in `out`: text goes through escape.h, numbers through units.h, and the rest is literal markup.
 * End tags that HTML makes optional are left out: a source page has a hundred thousand cells. */
#ifndef NYTP_PAGES_HTML_H
#define NYTP_PAGES_HTML_H

#include "model/profile.h"
#include "pages/contexts.h"
#include "pages/slices.h"
#include "report/page.h"
#include "report/registry.h"
#include "report/words.h"

typedef struct nytp_html_options {
    int32_t no_flame;    /* 1: no flame graph */
    int32_t no_graphs;   /* 1: no call graphs */
    int32_t compat_pages; /* 1: redirects from the page names of Devel::NYTProf 6 */
    uint32_t flame_width; /* pixels; 0: 1200 */
    double min_time;      /* seconds of its statements that a file must have for a page */
    const char *editor;   /* URL of a file's line in an editor, with %f and %l for them; NULL: no such links */
    int32_t single;       /* 1: one page, into a sink of one file */
    int32_t no_compress;  /* 1: data.js for browsers without DecompressionStream */
} nytp_html_options;

typedef struct nytp_html_place {
    uint32_t file, sub_line, block_line, line;
} nytp_html_place;

typedef struct nytp_html {
    const nytp_profile *p;
    const nytp_html_options *options;
    const nytp_listener *listener;
    const char *version; /* of the distribution */
    nytp_sink *sink;
    nytp_shown shown; /* the metrics shown */
    nytp_shown of_lines, of_subs; /* those of statements, and of calls */
    const nytp_words *languages; /* by process, see nytp_words_find */
    const nytp_words *words;     /* of the page: its file's, else those of the whole profile */
    nytp_arena arena;
    nytp_str *pages;  /* per file: its page's name, which needs no escaping anywhere; empty if it has no page */
    nytp_str *names;  /* per file: its name for people, escaped */
    nytp_str *subs;   /* per sub, the same: name, variant, alias */
    nytp_str program; /* escaped */
    const nytp_compared_request *base; /* as in nytp_request */
    uint32_t here;    /* the file whose page is being written, 0 that of subs without a file: no link names it */
    nytp_contexts contexts; /* empty without a flame graph */
    nytp_slices slices;
    nytp_html_place *blocks; /* those with a block, by file, sub, block and line */
    uint32_t blocks_n;
    nytp_str head, tail, policy; /* of the index: links to style and scripts, and the policy for scripts */
} nytp_html;

#define NYTP_PAGES_OTHERS "subs-xs.html"
#define NYTP_PAGES_FLAME "all_stacks_by_time.svg"
#define NYTP_PAGES_SUBS "subs-callgraph.dot"
#define NYTP_PAGES_PACKAGES "packages-callgraph.dot"
#define NYTP_PAGES_NOWHERE UINT32_MAX /* `here` of pages without a file */

#endif
