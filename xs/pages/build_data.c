/* SPDX-License-Identifier: MIT */
/* build_data.c - the data of a build's page, for its script. DATA describes it. */
#include <stdlib.h>

#include "base/ticks.h"
#include "pages/build_page.h"
#include "pages/packed.h"
#include "report/command.h"
#include "report/escape.h"
#include "report/page.h"
#include "report/text.h"

#define VERSION 1
#define LONG 2000 /* bytes of a text */

typedef struct data {
    const nytp_build_page *page;
    const nytp_build *b;
    nytp_buf *out;
    nytp_buf list;
    uint32_t *number; /* per text of the build: 1 + its index in a list, or 0 */
} data;

static void put_line(data *d, nytp_str text) {
    size_t n = text.n < LONG ? text.n : LONG;
    while (n < text.n && n > LONG - 4 && ((unsigned char)text.p[n] & 0xC0) == 0x80) n--;
    nytp_escape_text(&d->list, (nytp_str){text.p, n});
    nytp_text_put(&d->list, n < text.n ? "\xE2\x80\xA6\n" : "\n");
}

static void put_list(data *d) {
    nytp_buf_str(d->out, nytp_page_bytes(&d->list));
    if (d->list.failed) d->out->failed = 1;
    nytp_buf_clear(&d->list);
}

/* ---- texts ---- */

static uint32_t host_of(const nytp_build_process *p) { return p->host; }
static uint32_t directory_of(const nytp_build_process *p) { return p->directory; }
static uint32_t target_of(const nytp_build_process *p) { return p->target; }
static uint32_t command_of(const nytp_build_process *p) { return p->command; }

static void put_text(data *d, uint32_t text, int is_command) {
    nytp_buf plain = {0};
    if (is_command) nytp_command_text(&plain, d->b->texts[text]);
    put_line(d, is_command ? nytp_page_bytes(&plain) : d->b->texts[text]);
    nytp_buf_done(&plain, d->out);
}

/* A list of texts, and for each process the index of its own. */
static void put_texts(data *d, uint32_t (*text_of)(const nytp_build_process *p)) {
    uint32_t n = 0;
    memset(d->number, 0, d->b->texts_n * sizeof *d->number);
    for (uint32_t i = 0; i < d->b->n; i++) {
        uint32_t text = text_of(&d->b->processes[i]);
        if (d->number[text]) continue;
        d->number[text] = ++n;
        put_text(d, text, text_of == command_of);
    }
    put_list(d);
    for (uint32_t i = 0; i < d->b->n; i++) nytp_buf_u(d->out, d->number[text_of(&d->b->processes[i])] - 1);
}

static void put_classes(data *d) {
    const nytp_classes *c = d->page->classes;
    nytp_buf_u(d->out, c->n);
    for (uint32_t k = 0; k < c->n; k++) put_line(d, c->lists[k].name);
    put_list(d);
    for (uint32_t k = 0; k < c->n; k++) {
        for (uint32_t i = 0; i < c->lists[k].n; i++) put_line(d, c->lists[k].classes[i]);
        put_list(d);
        for (uint32_t i = 0; i < d->b->n; i++) nytp_buf_u(d->out, c->lists[k].of[i]);
    }
}

/* ---- numbers ---- */

/* A number of a process that is a uint64_t in its struct. */
static void put_column(data *d, size_t offset) {
    for (uint32_t i = 0; i < d->b->n; i++) {
        uint64_t value;
        memcpy(&value, (const char *)&d->b->processes[i] + offset, sizeof value);
        nytp_buf_u(d->out, value);
    }
}

static void put_times(data *d) {
    int64_t before = d->b->first;
    for (uint32_t i = 0; i < d->b->n; i++) {
        nytp_buf_i(d->out, nytp_ticks_minus(d->b->processes[i].began, before));
        before = d->b->processes[i].began;
    }
    for (uint32_t i = 0; i < d->b->n; i++) nytp_buf_u(d->out, nytp_build_parts_real(&d->b->processes[i]));
}

static void put_numbers(data *d) {
    static const size_t offsets[] = {
        offsetof(nytp_build_process, pid), offsetof(nytp_build_process, user_us),
        offsetof(nytp_build_process, system_us), offsetof(nytp_build_process, own_user_us),
        offsetof(nytp_build_process, own_system_us), offsetof(nytp_build_process, max_rss_kb),
        offsetof(nytp_build_process, minor_faults), offsetof(nytp_build_process, major_faults),
        offsetof(nytp_build_process, blocks_in), offsetof(nytp_build_process, blocks_out),
        offsetof(nytp_build_process, switches), offsetof(nytp_build_process, forced_switches)};
    const nytp_build *b = d->b;
    put_times(d);
    for (uint32_t i = 0; i < b->n; i++) {
        uint32_t parent = b->processes[i].parent;
        nytp_buf_u(d->out, parent == NYTP_BUILD_NONE ? 0 : i - parent);
    }
    for (uint32_t i = 0; i < b->n; i++)
        nytp_buf_byte(d->out, (unsigned char)(b->processes[i].has_end + 2 * b->processes[i].is_exceeded));
    for (uint32_t i = 0; i < b->n; i++) nytp_buf_u(d->out, b->processes[i].status);
    for (uint32_t i = 0; i < b->n; i++) nytp_buf_u(d->out, b->processes[i].serial);
    for (uint32_t i = 0; i < b->n; i++) nytp_buf_u(d->out, b->processes[i].level);
    for (size_t k = 0; k < sizeof offsets / sizeof *offsets; k++) put_column(d, offsets[k]);
}

/* ---- what was found out ---- */

static void put_jobs(data *d) {
    const nytp_jobs *jobs = &d->page->jobs;
    int64_t before = d->b->first;
    nytp_buf_u(d->out, jobs->limit);
    nytp_buf_u(d->out, jobs->n);
    for (uint32_t i = 0; i < jobs->n; i++) {
        nytp_buf_u(d->out, (uint64_t)nytp_ticks_minus(jobs->steps[i].at, before));
        before = jobs->steps[i].at;
    }
    for (uint32_t i = 0; i < jobs->n; i++) nytp_buf_u(d->out, jobs->steps[i].running);
}

static void put_profiles(data *d) {
    nytp_buf of = {0}, link = {0};
    uint64_t all = 0;
    for (uint32_t i = 0; i < d->b->n; i++) {
        nytp_built view = nytp_build_view(d->b, &d->b->processes[i]);
        uint32_t n;
        const nytp_captured *captures = nytp_captured_of(d->page->captures, &view, &n);
        for (uint32_t k = 0; captures && k < n; k++, all++) {
            nytp_buf_u(&of, i);
            nytp_buf_rewind(&link);
            nytp_build_parts_link(&link, &captures[k]);
            put_line(d, nytp_str_c(captures[k].path));
            put_line(d, captures[k].program);
            put_line(d, nytp_page_bytes(&link));
        }
    }
    nytp_buf_u(d->out, all);
    nytp_buf_bytes(d->out, of.p, of.n);
    nytp_buf_done(&link, d->out);
    nytp_buf_done(&of, d->out);
    put_list(d);
}

static void put_block(data *d) {
    const nytp_critical *c = &d->page->critical;
    nytp_buf_u(d->out, VERSION);
    nytp_buf_u(d->out, d->b->n);
    nytp_buf_u(d->out, (uint64_t)nytp_ticks_minus(d->b->last, d->b->first));
    put_classes(d);
    put_texts(d, host_of);
    put_texts(d, directory_of);
    put_texts(d, target_of);
    put_texts(d, command_of);
    put_numbers(d);
    put_jobs(d);
    nytp_buf_u(d->out, c->n);
    for (uint32_t i = 0; i < c->n; i++) nytp_buf_u(d->out, c->processes[i]);
    put_profiles(d);
}

void nytp_build_data_put(nytp_buf *out, const nytp_build_page *page) {
    nytp_buf block = {0};
    data d = {.page = page, .b = page->b, .out = &block, .number = calloc(page->b->texts_n, sizeof *d.number)};
    if (d.number) put_block(&d);
    else out->failed = 1;
    nytp_packed_put(out, nytp_page_bytes(&block), page->no_compress);
    nytp_buf_free(&d.list);
    nytp_buf_done(&block, out);
    free(d.number);
}
