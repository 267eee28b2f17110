/* SPDX-License-Identifier: MIT */
/* large.c - writes the capture of an invented large program: large OUT FILES SUBS NODES.
 *
 * The capture is the same in each run: files of twelve lines a sub, calls that reach some subs far more often than
 * others, paths some twenty calls deep. Compiled with -Ixs -It/c and build/libnytprof.a. */
#include "fixture.h"

#define SUB_LINES 12 /* of source, of which five have statements */
#define SUB_PLACES 5
#define CHUNK_FILES 500
#define CHUNK_NODES 20000
#define DEEPEST 40

typedef struct program {
    fixture f;
    uint64_t random, files, subs_a_file, subs, nodes;
    uint64_t *node_sub;
    uint8_t *node_depth;
} program;

/* A number from 0 to n - 1, lower numbers more often than higher ones. */
static uint64_t pick(program *p, uint64_t n, int skew) {
    p->random = p->random * 6364136223846793005u + 1442695040888963407u;
    double x = (double)(p->random >> 11) / 9007199254740992.0;
    for (double once = x; skew > 0; skew--) x *= once;
    return (uint64_t)(x * (double)n);
}

static void define_file(program *p, uint64_t file) {
    char name[100], text[200];
    nytp_buf source = {0};
    snprintf(name, sizeof name, "/app/lib/Area%u/Part%u/Module%u.pm", (unsigned)(file % 20), (unsigned)(file % 400),
             (unsigned)file);
    fixture_file(&p->f, file, name, 0, 0);
    for (uint64_t i = 0; i < p->subs_a_file; i++) {
        int n = snprintf(text, sizeof text,
                         "sub do_thing_%u {\n    my ($self, %%with) = @_;\n    # the usual\n"
                         "    my $rows = $self->rows;\n    for my $row (@$rows) {\n        next if !$row;\n"
                         "        $self->put($row);\n", (unsigned)i);
        nytp_buf_bytes(&source, text, (size_t)n);
        nytp_buf_bytes(&source, "    }\n    return 1;\n}\n\n\n", 22);
    }
    nytp_rec_source r = {file, 1, {(const char *)source.p, source.n}};
    nytp_writer_put(p->f.w, &(nytp_record){.kind = NYTP_REC_SOURCE, .u.source = r});
    nytp_buf_free(&source);
}

static uint64_t place_of(uint64_t sub, uint64_t k) {
    return (sub - 1) * SUB_PLACES + k + 1;
}

static void define_sub(program *p, uint64_t file, uint64_t k) {
    static const unsigned lines[SUB_PLACES] = {1, 3, 4, 5, 6};
    char name[100];
    uint64_t sub = (file - 1) * p->subs_a_file + k + 1, first = k * SUB_LINES + 1;
    snprintf(name, sizeof name, "Area%u::Part%u::Module%u::do_thing_%u", (unsigned)(file % 20), (unsigned)(file % 400),
             (unsigned)file, (unsigned)k);
    fixture_sub(&p->f, sub, 0, file, first, first + SUB_LINES - 3, name);
    for (uint64_t i = 0; i < SUB_PLACES; i++) {
        uint64_t line = first + lines[i];
        fixture_place(&p->f, place_of(sub, i), file, line, i > 2 ? first + lines[2] : first + 1, first + 1);
        if (!pick(p, 4, 0)) continue;
        fixture_ran(&p->f, place_of(sub, i), (int64_t)pick(p, 5000, 4) + 1, (int64_t)pick(p, 100000, 6));
    }
}

static void define_files(program *p) {
    for (uint64_t file = 1; file <= p->files; file++) {
        define_file(p, file);
        for (uint64_t k = 0; k < p->subs_a_file; k++) define_sub(p, file, k);
        if (file % CHUNK_FILES == 0) fixture_chunk(&p->f, 0);
    }
    fixture_chunk(&p->f, 0);
}

/* Node 0 is the program, which makes its calls at the places of the first sub. */
static void define_nodes(program *p) {
    for (uint64_t node = 1; node < p->nodes; node++) {
        uint64_t parent = node - 1 - pick(p, node < 1000 ? node : 1000, 2);
        while (p->node_depth[parent] >= DEEPEST) parent = pick(p, parent, 0);
        uint64_t from = p->node_sub[parent] ? p->node_sub[parent] : 1;
        p->node_sub[node] = node <= p->subs ? node : pick(p, p->subs, 2) + 1;
        p->node_depth[node] = (uint8_t)(p->node_depth[parent] + 1);
        fixture_node(&p->f, node, parent, place_of(from, pick(p, SUB_PLACES, 0)), p->node_sub[node]);
        fixture_called(&p->f, node, (int64_t)pick(p, 1000, 4) + 1, (int64_t)pick(p, 20000, 6));
        if (node % CHUNK_NODES == 0) fixture_chunk(&p->f, 0);
    }
    fixture_chunk(&p->f, 0);
}

int main(int argc, char **argv) {
    if (argc != 5) {
        fprintf(stderr, "usage: large OUT FILES SUBS NODES\n");
        return 2;
    }
    program p = {.f = fixture_open(argv[1], 4711, "/app/large.pl"), .files = strtoul(argv[2], NULL, 10),
                 .subs = strtoul(argv[3], NULL, 10), .nodes = strtoul(argv[4], NULL, 10)};
    p.subs_a_file = p.files ? p.subs / p.files : 0;
    p.subs = p.subs_a_file * p.files;
    p.node_sub = calloc(p.nodes + 1, sizeof *p.node_sub);
    p.node_depth = calloc(p.nodes + 1, sizeof *p.node_depth);
    if (!p.node_sub || !p.node_depth || !p.subs) abort();
    define_files(&p);
    define_nodes(&p);
    fixture_close(&p.f, 1);
    free(p.node_sub);
    free(p.node_depth);
    return 0;
}
