/* SPDX-License-Identifier: MIT */
/* single.c - the report as one file: the index, with style, scripts and data in it (inline.h), and every page deflated,
 * for the script to show. */
#include "pages/pages.h"

#include <stdlib.h>

#include "base/base64.h"
#include "base/zio.h"
#include "pages/inline.h"
#include "report/text.h"

#define MOST_BYTES (64u << 20) /* limit of browsers and mail */
#define LEVEL 6

typedef struct single {
    nytp_html *h;
    nytp_sink *pages;
    nytp_inline in;
} single;

/* "name":"base64", the page deflated. Names need no escaping. */
static int put_page(single *s, nytp_buf *out, nytp_str name) {
    nytp_str page = nytp_sink_page(s->pages, name);
    nytp_buf deflated = {0};
    if (!page.p) return NYTP_OK;
    int code = nytp_zio_deflate(&deflated, page.p, page.n, LEVEL);
    nytp_text_put(out, "\"");
    nytp_text_str(out, name);
    nytp_text_put(out, "\":\"");
    nytp_base64_put(out, deflated.p, deflated.n);
    nytp_text_put(out, "\",\n");
    nytp_buf_free(&deflated);
    if (code || out->failed) return code ? code : NYTP_NOMEM;
    if (out->n <= MOST_BYTES) return NYTP_OK;
    return nytp_sink_fail(s->h->sink, "the report is larger than 64 MB, too large for one file: leave out --single, or "
                                      "leave out files with --min-time");
}

static int put_pages(single *s) {
    nytp_buf out = {0};
    nytp_text_put(&out, "NP.keep({");
    int code = put_page(s, &out, NYTP_LIT(NYTP_PAGES_OTHERS));
    for (uint32_t i = 0; i < s->h->p->files_n && !code; i++)
        if (s->h->pages[i].n) code = put_page(s, &out, s->h->pages[i]);
    nytp_text_put(&out, "});");
    if (!code && out.failed) code = NYTP_NOMEM;
    if (!code) nytp_inline_script(&s->in, nytp_page_bytes(&out));
    nytp_buf_free(&out);
    return code;
}

static int compose(single *s) {
    static const char *const scripts[] = {"theme.js", "report.js", "during.js", "source.js", "app.js"};
    nytp_inline *in = &s->in;
    nytp_inline_styles(in);
    for (size_t i = 0; i < sizeof scripts / sizeof *scripts; i++) nytp_inline_script(in, nytp_page_asset(scripts[i]));
    int code = put_pages(s);
    if (code) return code;
    nytp_inline_script(in, nytp_sink_page(s->pages, NYTP_LIT("data.js")));
    s->h->head = nytp_page_bytes(&in->head);
    s->h->tail = nytp_page_bytes(&in->tail);
    s->h->policy = nytp_page_bytes(&in->policy);
    if (in->head.failed || in->tail.failed || in->policy.failed) return NYTP_NOMEM;
    return nytp_index_write(s->h);
}

int nytp_single_write(nytp_html *h, int (*put_rest)(nytp_html *h)) {
    nytp_sink *out = h->sink;
    nytp_error e = {0};
    single s = {.h = h, .pages = nytp_sink_memory(&e)};
    if (!s.pages) return NYTP_NOMEM;
    h->sink = s.pages;
    int code = put_rest(h);
    h->sink = out;
    if (!nytp_zio_available()) code = nytp_sink_fail(out, "--single needs zlib, without which this was built");
    if (!code) code = compose(&s);
    nytp_inline_free(&s.in);
    nytp_sink_close(s.pages, NULL);
    return code;
}
