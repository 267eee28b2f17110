/* SPDX-License-Identifier: MIT */
/* classes.c - for clang's libFuzzer: rules that sort processes of a build into classes. What is refused has a message
 * with the line; by what is not refused processes have a class in each schema. */
#include <stdlib.h>
#include <string.h>

#include "input.h"
#include "report/schemata.h"

static const nytp_built processes[] = {
    {.command = {"/bin/sh\0-c\0cd src && TZ=1 gcc -c a.c", 36}, .directory = {"/src", 4}, .target = {"a.o", 3}},
    {.command = {"MT1\0mpost jieub-1", 18}, .directory = {"/", 1}, .host = {"host", 4}, .level = 3, .depth = 2},
    {.command = {"", 0}, .directory = {"\377\1\n", 3}, .used = {.status = 256 + 9}, .parent = (nytp_built *)processes},
};

static void classify(nytp_schemata *s) {
    nytp_buf classes = {0};
    for (size_t i = 0; i < sizeof processes / sizeof *processes; i++) {
        uint32_t ends = 0;
        nytp_schemata_classify(s, &processes[i], &classes);
        for (size_t j = 0; j < classes.n; j++) ends += !classes.p[j];
        if (!classes.failed && ends != nytp_schemata_count(s)) abort();
    }
    nytp_buf_free(&classes);
}

/* The C library may take any time for a group that an expression names again. */
static int is_slow(const char *text) {
    for (; *text; text++)
        if (text[0] == '\\' && text[1] >= '1' && text[1] <= '9') return 1;
    return 0;
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size) {
    char *text = strndup((const char *)data, size);
    nytp_error e = {0};
    if (!text) abort();
    nytp_schemata *s = is_slow(text) ? NULL : nytp_schemata_make("rules", text, &e);
    if (s && !e.code) classify(s);
    if (e.code == NYTP_USAGE && strncmp(e.text, "rules:", 6) != 0) abort();
    nytp_schemata_free(s);
    free(text);
    return 0;
}
