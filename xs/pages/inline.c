/* SPDX-License-Identifier: MIT */
/* inline.c - style and scripts inside a page. */
#include "pages/inline.h"

#include "base/base64.h"
#include "base/sha256.h"
#include "report/page.h"
#include "report/text.h"

static void put_style(nytp_inline *in, const char *name, const char *attributes) {
    nytp_text_format(&in->head, "<style%s>\n", attributes);
    nytp_text_str(&in->head, nytp_page_asset(name));
    nytp_text_put(&in->head, "</style>\n");
}

void nytp_inline_styles(nytp_inline *in) {
    put_style(in, "style.css", "");
    put_style(in, "dark.css", " id=dark media=\"screen and (prefers-color-scheme: dark)\"");
    put_style(in, "app.css", "");
}

void nytp_inline_style(nytp_inline *in, const char *name) { put_style(in, name, ""); }

void nytp_inline_script(nytp_inline *in, nytp_str text) {
    unsigned char digest[NYTP_SHA256_BYTES];
    nytp_sha256(text.p, text.n, digest);
    nytp_text_put(&in->policy, " 'sha256-");
    nytp_base64_put(&in->policy, digest, sizeof digest);
    nytp_text_put(&in->policy, "'");
    nytp_text_put(&in->tail, "<script>");
    nytp_text_str(&in->tail, text);
    nytp_text_put(&in->tail, "</script>\n");
}

void nytp_inline_free(nytp_inline *in) {
    nytp_buf_free(&in->head);
    nytp_buf_free(&in->tail);
    nytp_buf_free(&in->policy);
}
