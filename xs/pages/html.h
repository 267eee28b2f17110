/* SPDX-License-Identifier: MIT */
/* html.h - what the files that make the HTML report share.
 *
 * A page is put together in `out`: text goes through escape.h, numbers through units.h, and the rest is markup that is
 * written here. End tags that HTML lets one leave out are left out: a source page has a hundred thousand cells. */
#ifndef NYTP_PAGES_HTML_H
#define NYTP_PAGES_HTML_H

#include "model/profile.h"
#include "pages/calltree.h"
#include "report/page.h"
#include "report/registry.h"
#include "report/words.h"

typedef struct nytp_html_options {
    int32_t no_flame;    /* 1: no flame graph */
    int32_t no_graphs;   /* 1: no call graphs */
    int32_t compat_pages; /* 1: redirections from the pages that Devel::NYTProf 6 wrote for each file */
    uint32_t flame_width; /* pixels; 0: 1200 */
    double min_time;      /* seconds of its statements that a file must have for a page */
    const char *editor;   /* URL of a file's line in an editor, with %f and %l for them; NULL: no such links */
    int32_t single;       /* 1: one page, into a sink of one file */
    int32_t no_compress;  /* 1: data.js as browsers without DecompressionStream can read it */
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
    const nytp_words *words;
    nytp_arena arena;
    nytp_str *pages;  /* per file: its page's name, which needs no escaping anywhere; empty if it has no page */
    nytp_str *names;  /* per file: its name for people, escaped */
    nytp_str *subs;   /* per sub, the same: name, variant, alias */
    nytp_str program; /* escaped */
    uint32_t here;    /* the file whose page is being written, 0 that of subs without a file: no link names it */
    nytp_calltree tree; /* empty without a flame graph */
    nytp_html_place *blocks; /* those with a block, by file, sub, block and line */
    uint32_t blocks_n;
    nytp_str head, tail, policy; /* of the index: where its style and scripts are, and which scripts may run */
} nytp_html;

#define NYTP_HTML_OTHERS "subs-xs.html"
#define NYTP_HTML_FLAME "all_stacks_by_time.svg"
#define NYTP_HTML_NOWHERE UINT32_MAX /* `here` of every other page */

/* Fills a template of html/, holes for words included, and hands it to the sink. Returns an nytp_code. */
int nytp_html_page(nytp_html *h, nytp_str page, const char *template, const nytp_hole *holes, size_t n);

/* Pieces (parts.c). */
void nytp_html_time(nytp_buf *out, const nytp_html *h, int64_t ticks);
void nytp_html_average(nytp_buf *out, const nytp_html *h, int64_t ticks, int64_t count);
void nytp_html_sub_text(nytp_buf *out, const nytp_profile *p, uint32_t sub); /* text: name, variant, alias */
void nytp_html_sub_name(nytp_buf *out, const nytp_html *h, uint32_t sub);  /* the same, made before */
void nytp_html_sub_hints(nytp_buf *out, const nytp_html *h, uint32_t sub); /* xsub, opcode, recursion */
void nytp_html_sub_link(nytp_buf *out, const nytp_html *h, uint32_t sub);  /* the name, linked to where the sub is */
int nytp_html_sub_target(nytp_buf *out, const nytp_html *h, uint32_t sub); /* page and fragment; 0 if it has none */
int nytp_html_sub_href(nytp_buf *out, const nytp_html *h, uint32_t sub);   /* opens a link there; 0 if it has none */
void nytp_html_sub_id(nytp_buf *out, const nytp_html *h, uint32_t sub);    /* the fragment that link has */
int nytp_html_line_href(nytp_buf *out, const nytp_html *h, uint32_t file, uint32_t line); /* opens a link; 0: to none */
void nytp_html_file_link(nytp_buf *out, const nytp_html *h, uint32_t file); /* the name, linked to the page */
void nytp_html_editor_link(nytp_buf *out, const nytp_html *h, nytp_str path, uint32_t line); /* opens a link; needs
                                                                                                 the option */
void nytp_html_line_name(nytp_buf *out, const nytp_html *h, uint32_t file, uint32_t line); /* "Node.pm:17" */
void nytp_html_plural(nytp_buf *out, int64_t n, const char *one, const char *many); /* "1 call", "2,000 calls" */
void nytp_html_count(nytp_buf *out, const nytp_html *h, int64_t n);      /* of a line: with ~ if it is an estimate */
void nytp_html_statements(nytp_buf *out, const nytp_html *h, int64_t n); /* "2,000 statements", or "~2,000" */
void nytp_html_number_cell(nytp_buf *out, int64_t n);                      /* of a table that can be sorted */
void nytp_html_heat_cell(nytp_buf *out, const nytp_html *h, int64_t ticks); /* with its share of the run as a bar */
void nytp_html_sub_row(nytp_buf *out, const nytp_html *h, uint32_t sub);   /* of a table of subs */

/* Annotations (calls.c). */
int nytp_html_sub_is_headed(const nytp_html *h, uint32_t sub); /* called, and not just by a line of its own, as BEGIN
                                                                  blocks are: that call's entry tells all of it */
int64_t nytp_html_edge_ticks(const nytp_edge *e); /* inclusive; of calls that are all nested, that of the nested ones */
float nytp_html_edge_spread(const nytp_html *h, const nytp_edge *e); /* of that */
void nytp_html_sub_heading(nytp_buf *out, const nytp_html *h, uint32_t sub); /* name, </a>, and its figures */
/* Lists, the most time first. They return how many lines they take, their last entries being folded away. */
uint32_t nytp_html_callers(nytp_buf *out, const nytp_html *h, uint32_t sub); /* none if the heading names the one */
uint32_t nytp_html_callees(nytp_buf *out, const nytp_html *h, const uint32_t *sites, uint32_t n); /* of one line */
uint32_t nytp_html_evals(nytp_buf *out, const nytp_html *h, const uint32_t *evals, uint32_t n);   /* of one line */

void nytp_html_article(nytp_buf *out, const nytp_html *h, uint32_t sub); /* a sub without source */

/* Pages. */
int nytp_html_index(nytp_html *h);
int nytp_html_source(nytp_html *h, uint32_t file);
int nytp_html_packages(nytp_html *h);
int nytp_html_moved(nytp_html *h);   /* where pages were that are parts of others now */
/* All as one page; put_rest writes the others, which are put into it. */
int nytp_html_single(nytp_html *h, int (*put_rest)(nytp_html *h));
int nytp_html_data(nytp_html *h);   /* data.js, which DATA describes */
int nytp_html_loading(nytp_buf *out, const nytp_html *h); /* of modules: a section of the index, or nothing */
void nytp_html_run(nytp_buf *out, const nytp_html *h);       /* of the index: when it was, and what it was */
void nytp_html_figures(nytp_buf *out, const nytp_html *h);   /* how much of what, as list items */
void nytp_html_summary(nytp_buf *out, const nytp_html *h);   /* how the time divides, in sentences */
void nytp_html_processes(nytp_buf *out, const nytp_html *h); /* a section, where there are several */
void nytp_html_icicle(nytp_buf *out, const nytp_html *h); /* the call tree as a still picture */
int nytp_html_flame(nytp_html *h);  /* the flame graph, and what it is drawn from */
int nytp_html_graphs(nytp_html *h); /* call graphs for graphviz */
void nytp_html_code(nytp_buf *out, const nytp_html *h, uint32_t file);       /* the table of a source page */
int nytp_html_blocks_begin(nytp_html *h);
void nytp_html_blocks(nytp_buf *out, const nytp_html *h, uint32_t file); /* attribute: which lines are a block, a sub */

#endif
