/* SPDX-License-Identifier: MIT */
/* build.c - for clang's libFuzzer: the capture of a build as text, in each of the ways that `nytprof build` has, and as
 * arrays, of which each process's text is read to its end. What is printed is printable, no line is wider than asked,
 * and times without children add up to those of the whole. */
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "input.h"
#include "report/classes.h"
#include "report/costly.h"
#include "report/drawing.h"
#include "report/outcome.h"
#include "report/tallied.h"

#define WIDTH 40

static void check_text(const nytp_buf *out, size_t width) {
    size_t column = 0;
    for (size_t i = 0; i < out->n; i++) {
        unsigned char c = out->p[i];
        if (c != '\n' && (c < ' ' || c > '~')) abort();
        column = c == '\n' ? 0 : column + 1;
        if (width && column > width) abort();
    }
}

static void put_rest(nytp_outcome *o, const nytp_processes *p, const nytp_tally *t, const nytp_schemata *s,
                     nytp_costly *const costly[2], const nytp_tallied *how) {
    nytp_buf out = {0};
    nytp_outcome_put(&out, o, nytp_processes_count(p));
    o->levels.longest = nytp_costly_longest(costly[NYTP_COSTLY_RECIPES]);
    nytp_outcome_put_lists(&out, o);
    for (int i = 0; i < 2; i++) nytp_costly_put(&out, costly[i]);
    for (uint32_t i = 0; i < nytp_schemata_count(s); i++) nytp_tallied_put(&out, t, i, nytp_schemata_name(s, i), how);
    check_text(&out, 0);
    nytp_buf_free(&out);
}

static void print(nytp_processes *p, nytp_schemata *s, uint8_t ways, nytp_error *e) {
    const nytp_tallied how = {.sort = ways % 5u, .is_once = ways >> 3 & 1, .is_linear = ways >> 4 & 1,
                              .columns = ways & 32 ? 20 : 0};
    nytp_tally *t = nytp_tally_make(nytp_schemata_count(s), how.columns != 0);
    nytp_costly *costly[] = {nytp_costly_make(NYTP_COSTLY_RECIPES), nytp_costly_make(NYTP_COSTLY_REPEATS)};
    nytp_drawing *d = nytp_drawing_make(ways & 64 ? WIDTH : 0);
    nytp_outcome o = {0};
    nytp_buf classes = {0}, out = {0};
    nytp_built *process;
    int event;
    while ((event = nytp_processes_next(p, &process, e)) > 0) {
        nytp_outcome_take(&o, event, process);
        t->began = o.first;
        nytp_schemata_classify(s, process, &classes);
        if (event == NYTP_PROCESSES_ENDED) nytp_tally_add(t, process, &classes);
        for (int i = 0; i < 2 && event == NYTP_PROCESSES_ENDED; i++) nytp_costly_add(costly[i], process);
        nytp_drawing_take(d, event, process, (const char *)classes.p, &out);
    }
    while (nytp_drawing_end(d, &out)) continue;
    check_text(&out, ways & 64 ? WIDTH : 0);
    if (o.jobs != 0) abort(); /* all that began has ended */
    if (o.processes) put_rest(&o, p, t, s, costly, &how);
    nytp_tally_free(t);
    for (int i = 0; i < 2; i++) nytp_costly_free(costly[i]);
    nytp_drawing_free(d);
    nytp_buf_done(&classes, &out);
    nytp_buf_free(&out);
}

static void print_all(uint8_t ways) {
    nytp_error e = {0};
    nytp_schemata *s = nytp_schemata_make("rules", NULL, &e);
    nytp_processes *p = nytp_processes_open("-", &e);
    if (p) print(p, s, ways, &e);
    nytp_processes_close(p);
    nytp_schemata_free(s);
}

static void look_at(const nytp_build *b) {
    uint64_t own = 0;
    size_t sum = 0;
    for (uint32_t i = 0; i < b->n; i++) {
        const nytp_build_process *process = &b->processes[i];
        own += process->own_user_us + process->own_system_us;
        if (process->parent != NYTP_BUILD_NONE && process->parent >= i) abort();
        sum += strlen(b->texts[process->directory].p) + b->texts[process->command].n;
    }
    if (own != b->own_user_us + b->own_system_us || sum == SIZE_MAX) abort();
}

static void load(void) {
    nytp_build b;
    nytp_classes c = {0};
    nytp_error e = {0};
    nytp_schemata *s = nytp_schemata_make("rules", NULL, &e);
    if (!nytp_build_load(&b, "-", &e) && !nytp_classes_make(&c, s, &b)) look_at(&b);
    nytp_classes_free(&c);
    nytp_schemata_free(s);
    nytp_build_free(&b);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size) {
    if (size < 2) return 0;
    input_fill(STDIN_FILENO, data + 1, size - 1);
    if (data[0] & 128) load();
    else print_all(data[0]);
    return 0;
}

size_t LLVMFuzzerCustomMutator(uint8_t *data, size_t size, size_t most, unsigned seed) {
    size = LLVMFuzzerMutate(data, size, most);
    if (seed % 16 && size) input_repair(data + 1, size - 1);
    return size;
}

int LLVMFuzzerInitialize(int *argc, char ***argv) {
    (void)argc, (void)argv;
    input_directory();
    return dup2(input_memory("in"), STDIN_FILENO) < 0;
}
