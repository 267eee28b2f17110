/* SPDX-License-Identifier: MIT */
/* source.c - one page per file. */
#include "pages/pages.h"

#include <stdlib.h>

#include "model/order.h"
#include "pages/blocks.h"
#include "pages/calls.h"
#include "pages/code.h"
#include "pages/parts.h"
#include "report/escape.h"
#include "report/text.h"

static void put_summary(nytp_buf *out, const nytp_html *h, const nytp_file *f) {
    int64_t ticks = nytp_profile_told(f->ticks, f->spread);
    nytp_parts_time(out, h, ticks);
    if (h->p->totals.whole > 0) {
        nytp_text_put(out, " (");
        nytp_parts_share(out, h, ticks);
        nytp_text_put(out, " of the run)");
    }
    nytp_text_put(out, " in ");
    nytp_parts_statements(out, h, f->count);
    nytp_text_put(out, " \xC2\xB7 ");
    nytp_parts_plural(out, f->subs.n, h->words->sub, h->words->subs);
    nytp_text_put(out, " \xC2\xB7 <code>");
    int is_editable = h->options->editor && !f->parent;
    if (is_editable) nytp_parts_editor_link(out, h, f->name, 1);
    nytp_escape_html(out, f->name);
    nytp_text_put(out, is_editable ? "</a></code>" : "</code>");
}

static void put_notes(nytp_buf *out, const nytp_html *h, const nytp_file *f) {
    size_t begin = out->n;
    nytp_text_put(out, "<div class=notes>");
    size_t empty = out->n;
    if (f->parent) {
        nytp_text_format(out, "<p>%s, run at ", h->words->Eval);
        int linked = nytp_parts_line_href(out, h, f->parent, f->parent_line);
        nytp_parts_line_name(out, h, f->parent, f->parent_line);
        if (linked) nytp_text_put(out, "</a>");
        if (f->merged > 1) {
            nytp_text_put(out, "; this page sums up ");
            nytp_parts_plural(out, f->merged, h->words->eval, h->words->evals);
            nytp_text_put(out, " of that line");
        }
        nytp_text_put(out, ".</p>");
    }
    if (h->p->estimate.n) {
        nytp_text_put(out, "<p>");
        nytp_escape_html(out, h->p->estimate);
        nytp_text_put(out, "</p>");
    }
    if (f->from_disk)
        nytp_text_format(out, "<p>The capture holds no source of this file: what is shown is the file as it is now%s."
                         "</p>", f->from_disk == NYTP_DISK_CHANGED ? ", and it has changed: lines may not fit" : "");
    if (!f->source_lines)
        nytp_text_put(out, "<p>The source is neither in the capture nor can it be read: only the lines with counts are "
                           "shown, without their text.</p>");
    if (out->n == empty) out->n = begin;
    else nytp_text_put(out, "</div>");
}

/* The file's called subs as a table of contents, the expensive ones first. */
static int put_contents(nytp_buf *out, const nytp_html *h, const nytp_file *f) {
    uint32_t n, listed = 0, *order = nytp_order_file_subs(h->p, f, NYTP_ORDER_EXCLUSIVE, &n);
    nytp_buf list = {0};
    if (!order) return NYTP_NOMEM;
    for (uint32_t i = 0; i < n; i++) {
        const nytp_sub *s = &h->p->subs[order[i]];
        if (!nytp_calls_has_heading(h, order[i])) continue;
        listed++;
        nytp_text_put(&list, "<li>");
        nytp_parts_time(&list, h, nytp_profile_told(s->exclusive, s->spread));
        nytp_text_put(&list, " / ");
        nytp_parts_time(&list, h, nytp_profile_told(s->inclusive, s->whole_spread));
        nytp_buf_byte(&list, ' ');
        nytp_parts_sub_link(&list, h, order[i]);
        nytp_buf_byte(&list, '\n');
    }
    if (listed) {
        nytp_text_format(out, "<nav aria-label=\"%s of this file\"><details%s><summary>", h->words->Subs,
                         listed <= 10 ? " open" : "");
        nytp_parts_plural(out, listed, h->words->sub, h->words->subs);
        nytp_text_put(out, ", self and total time</summary><ol>\n");
        nytp_text_str(out, nytp_page_bytes(&list));
        nytp_text_put(out, "</ol></details></nav>");
    }
    nytp_buf_done(&list, out);
    free(order);
    return NYTP_OK;
}

static void put_without_source(nytp_buf *out, const nytp_html *h, const nytp_file *f) {
    int any = 0;
    for (uint32_t i = 0; i < f->subs.n; i++) {
        uint32_t sub = h->p->defined[f->subs.first + i];
        const nytp_sub *s = &h->p->subs[sub];
        if ((s->file && s->first_line) || !nytp_profile_sub_called(s)) continue;
        if (!any++)
            nytp_text_format(out, "<section class=others aria-labelledby=others><h2 id=others>%s</h2>\n",
                             h->words->no_source);
        nytp_calls_article(out, h, sub);
    }
    if (any) nytp_text_put(out, "</section>");
}

static void put_headings(nytp_buf *out, const nytp_html *h) {
    for (uint32_t i = 0; i < h->of_lines.n; i++) {
        const nytp_metric *m = &h->p->metrics[h->of_lines.at[i]];
        nytp_text_put(out, "<th class=m title=\"");
        nytp_escape_html(out, m->title);
        nytp_text_put(out, "\">");
        nytp_shown_heading(out, m);
    }
}

int nytp_pages_source_write(nytp_html *h, uint32_t file) {
    const nytp_file *f = &h->p->files[file];
    nytp_buf summary = {0}, notes = {0}, subs = {0}, lines = {0}, others = {0}, blocks = {0},
             numbers = {0}, metrics = {0};
    h->here = file;
    h->words = &h->languages[f->process];
    put_summary(&summary, h, f);
    put_notes(&notes, h, f);
    int code = put_contents(&subs, h, f);
    nytp_code_put(&lines, h, file);
    nytp_blocks_put(&blocks, h, file);
    put_without_source(&others, h, f);
    nytp_text_number(&numbers, 4 + h->of_lines.n);
    put_headings(&metrics, h);
    nytp_buf *const pieces[] = {&summary, &notes, &subs, &lines, &others, &blocks, &numbers, &metrics};
    size_t pieces_n = sizeof pieces / sizeof *pieces;
    for (size_t i = 0; i < pieces_n; i++)
        if (pieces[i]->failed) code = NYTP_NOMEM;
    const nytp_hole holes[] = {
        {"program", h->program},
        {"file", h->names[file]},
        {"summary", nytp_page_bytes(&summary)},
        {"notes", nytp_page_bytes(&notes)},
        {"subs", nytp_page_bytes(&subs)},
        {"blocks", nytp_page_bytes(&blocks)},
        {"code", nytp_page_bytes(&lines)},
        {"numbers", nytp_page_bytes(&numbers)},
        {"metrics", nytp_page_bytes(&metrics)},
        {"others", nytp_page_bytes(&others)},
    };
    if (!code) code = nytp_parts_page(h, h->pages[file], "source.html", holes, sizeof holes / sizeof *holes);
    for (size_t i = 0; i < pieces_n; i++) nytp_buf_free(pieces[i]);
    h->here = NYTP_PAGES_NOWHERE;
    h->words = h->languages;
    return code;
}
