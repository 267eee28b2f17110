/* SPDX-License-Identifier: MIT */
/* packed.c - a page's block of data as the statement of a script that loads it. */
#include "pages/packed.h"

#include "base/base64.h"
#include "base/zio.h"
#include "report/text.h"

#define LEVEL 6

void nytp_packed_put(nytp_buf *out, nytp_str block, int no_compress) {
    nytp_buf deflated = {0};
    enum nytp_code code = no_compress ? NYTP_USAGE : nytp_zio_deflate(&deflated, block.p, block.n, LEVEL);
    nytp_text_put(out, code ? "NP.load(\"" : "NP.loadz(\"");
    if (code) nytp_base64_put(out, block.p, block.n);
    else nytp_base64_put(out, deflated.p, deflated.n);
    nytp_text_put(out, "\");\n");
    if (code == NYTP_NOMEM) out->failed = 1;
    nytp_buf_free(&deflated);
}
