/* SPDX-License-Identifier: MIT */
/* build_page.h - the HTML page of a build: the build, what was found out about it, and the pieces of the page. */
#ifndef NYTP_PAGES_BUILD_PAGE_H
#define NYTP_PAGES_BUILD_PAGE_H

#include "model/captured.h"
#include "model/critical.h"
#include "model/jobs.h"
#include "report/groups.h"
#include "report/registry.h"

typedef struct nytp_build_page {
    const nytp_build *b;
    const nytp_classes *classes;
    nytp_jobs jobs;
    nytp_critical critical;
    nytp_captures *captures; /* of programs that it has run */
    nytp_group_sum *recipes;
    uint32_t recipes_n;
    int32_t no_compress;     /* 1: data for browsers without DecompressionStream */
} nytp_build_page;

/* Writes the page. no_compress: as in nytp_build_page. Returns an nytp_code. */
int nytp_build_page_write(const nytp_build_request *r, nytp_sink *sink, int no_compress);

/* ---- pieces: each appends to out ---- */

void nytp_build_tables_processes(nytp_buf *out, const nytp_build_page *page); /* the longest */
void nytp_build_tables_failed(nytp_buf *out, const nytp_build_page *page);    /* these: nothing if there are none */
void nytp_build_tables_waited(nytp_buf *out, const nytp_build_page *page);    /* much time, little CPU */
void nytp_build_tables_critical(nytp_buf *out, const nytp_build_page *page);
void nytp_build_tables_profiles(nytp_buf *out, const nytp_build_page *page);

void nytp_build_groups_recipes(nytp_buf *out, const nytp_build_page *page);
void nytp_build_groups_repeated(nytp_buf *out, const nytp_build_page *page);
void nytp_build_groups_classes(nytp_buf *out, const nytp_build_page *page);   /* a section for each schema */
void nytp_build_groups_directories(nytp_buf *out, const nytp_build_page *page);
void nytp_build_groups_targets(nytp_buf *out, const nytp_build_page *page);
void nytp_build_groups_jobs(nytp_buf *out, const nytp_build_page *page);      /* time by number of jobs */

void nytp_build_data_put(nytp_buf *out, const nytp_build_page *page); /* the statement with the data: see DATA */

/* ---- parts that these have in common ---- */

void nytp_build_parts_text(nytp_buf *out, nytp_str text);    /* as HTML; a long one is cut */
void nytp_build_parts_command(nytp_buf *out, const nytp_build *b, uint32_t command); /* likewise */
void nytp_build_parts_time(nytp_buf *out, uint64_t ns);      /* cells that can be sorted */
void nytp_build_parts_bytes(nytp_buf *out, uint64_t kb);
void nytp_build_parts_count(nytp_buf *out, uint64_t n);
void nytp_build_parts_share(nytp_buf *out, double part, double whole);
uint64_t nytp_build_parts_real(const nytp_build_process *p); /* ns, at least 0 */

/* The link to a report of a capture that lies beside it as CAPTURE.html: an URL. Nothing if there is none. */
void nytp_build_parts_link(nytp_buf *out, const nytp_captured *capture);

/* A section with a table: heading, what it means, columns (the last one is the name) and rows. */
typedef struct nytp_build_section {
    const char *id, *heading, *meaning;
    const char *columns; /* separated by |; behind a * by which rows are sorted, behind a < of text */
    const char *filter;  /* what the filter is for */
} nytp_build_section;

void nytp_build_parts_begin(nytp_buf *out, const nytp_build_section *section, uint64_t n);
void nytp_build_parts_end(nytp_buf *out, uint64_t shown, uint64_t n); /* tells how many of n rows are shown */

#endif
