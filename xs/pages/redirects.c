/* SPDX-License-Identifier: MIT */
/* redirects.c - redirects from the page names of Devel::NYTProf 6. */
#include "pages/pages.h"

#include "pages/parts.h"
#include "report/text.h"

static int put_redirect(nytp_html *h, nytp_str page, nytp_str to) {
    const nytp_hole holes[] = {{"to", to}};
    return nytp_parts_page(h, page, "moved.html", holes, 1);
}

/* NAME-block.html and NAME-sub.html redirect to NAME-line.html. */
static int put_levels(nytp_html *h, nytp_str page) {
    static const char *const levels[] = {"block.html", "sub.html"};
    const size_t suffix = sizeof "line.html" - 1;
    int code = NYTP_OK;
    for (size_t i = 0; i < sizeof levels / sizeof *levels && !code; i++) {
        nytp_buf name = {0};
        nytp_text_str(&name, (nytp_str){page.p, page.n - suffix});
        nytp_text_put(&name, levels[i]);
        code = name.failed ? NYTP_NOMEM : put_redirect(h, nytp_page_bytes(&name), page);
        nytp_buf_free(&name);
    }
    return code;
}

int nytp_redirects_write(nytp_html *h) {
    int code = put_redirect(h, NYTP_LIT("index-subs-excl.html"), NYTP_LIT("index.html#s=-exclusive"));
    if (!code) code = put_redirect(h, NYTP_LIT("index-subs-incl.html"), NYTP_LIT("index.html#s=-inclusive"));
    for (uint32_t i = 0; i < h->p->files_n && h->options->compat_pages && !code; i++)
        if (h->pages[i].n) code = put_levels(h, h->pages[i]);
    return code;
}
