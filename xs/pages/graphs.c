/* SPDX-License-Identifier: MIT */
/* graphs.c - the call graphs of subs and of packages beside the pages, with links to them. */
#include "pages/pages.h"

#include "pages/parts.h"
#include "report/dot.h"

static int link_sub(nytp_buf *out, const void *h, uint32_t sub) { return nytp_parts_sub_target(out, h, sub); }

static int write_graph(nytp_html *h, int by_package, nytp_str page) {
    const nytp_dot dot = {.by_package = by_package, .most = NYTP_DOT_VERTICES, .link = link_sub, .context = h};
    nytp_buf out = {0};
    int code = nytp_dot_put(&out, h->p, &dot);
    if (!code) code = nytp_sink_put(h->sink, page, out.p, out.n);
    nytp_buf_free(&out);
    return code;
}

int nytp_graphs_write(nytp_html *h) {
    int code = write_graph(h, 0, NYTP_LIT(NYTP_PAGES_SUBS));
    return code ? code : write_graph(h, 1, NYTP_LIT(NYTP_PAGES_PACKAGES));
}
