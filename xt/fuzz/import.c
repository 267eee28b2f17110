/* SPDX-License-Identifier: MIT */
/* import.c - for clang's libFuzzer: files of other programs that are imported. What is refused has a message with the
 * file's name, and what is not refused can be written. */
#include <stdlib.h>
#include <string.h>

#include "import/formats.h"
#include "input.h"

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size) {
    nytp_made made = {.program = NYTP_LIT("import"), .recorder = NYTP_LIT("import")};
    nytp_error e = {0};
    nytp_document log;
    input_spew("in.json", data, size);
    nytp_document_open(&log, "in.json", &e);
    log.wants_all = size % 2 != 0;
    const nytp_format *format = e.code ? NULL : nytp_formats_find(&log, &e);
    if (format) format->read(&made, &log, &e);
    nytp_document_close(&log);
    if (e.code && e.code != NYTP_NOMEM && !strstr(e.text, "in.json")) abort();
    if (!e.code && nytp_made_write(&made, input_memory("out"), &e)) abort();
    nytp_made_free(&made);
    return 0;
}

int LLVMFuzzerInitialize(int *argc, char ***argv) {
    (void)argc, (void)argv;
    input_directory();
    return 0;
}
