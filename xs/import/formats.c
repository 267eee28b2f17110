/* SPDX-License-Identifier: MIT */
/* formats.c - the formats of files that can be imported: a row for each. */
#include "import/formats.h"

#include "import/larger.h"
#include "import/ninja.h"
#include "import/trace.h"

static const nytp_format formats[] = {
    {"a log of ninja", "import of ninja", nytp_ninja_is, nytp_ninja_read, 0},
    {"a capture of `nytprof make`", "import of a capture", nytp_larger_is, nytp_larger_read, 0},
    {"JSON of clang's -ftime-trace", "import of clang", nytp_trace_is, nytp_trace_read, 1},
};

#define FORMATS (sizeof formats / sizeof *formats)

static void refuse(const nytp_document *d, nytp_error *e) {
    nytp_buf titles = {0};
    for (size_t i = 0; i < FORMATS; i++) {
        if (i) nytp_buf_bytes(&titles, " or ", 4);
        nytp_buf_bytes(&titles, formats[i].title, nytp_str_c(formats[i].title).n);
    }
    nytp_buf_byte(&titles, 0);
    nytp_document_refuse(d, 1, titles.failed ? "a log" : (const char *)titles.p, d->text, e);
    nytp_buf_free(&titles);
}

const nytp_format *nytp_formats_find(const nytp_document *d, nytp_error *e) {
    for (size_t i = 0; i < FORMATS; i++)
        if (formats[i].is(d->text)) return &formats[i];
    refuse(d, e);
    return NULL;
}
