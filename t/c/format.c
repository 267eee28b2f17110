/* The format: every record of the table goes through its writer function and comes back from the reader with every
 * field (N-23, S-21). Fields are filled and compared by the table's names and offsets, so a field that the writer
 * forgets, swaps or writes with another type shows. */
#include "tap.h"

#include "sample.h"

#define GROUP 3 /* records of each kind in a row */

static char texts[NYTP_REC_KINDS][GROUP][NYTP_FORMAT_FIELDS][48];

static void fill(nytp_record *r, uint32_t kind, uint32_t k) {
    const nytp_field *f = nytp_format_row(kind)->fields;

    memset(r, 0, sizeof *r);
    r->kind = kind;
    for (uint32_t i = 0; f[i].name; i++) {
        void *to = (char *)&r->u + f[i].offset;
        uint64_t number = (uint64_t)kind << 40 | (uint64_t)k << 20 | (i + 1);
        char *text = texts[kind][k][i];

        if (f[i].type == 'u' || f[i].type == 'd') *(uint64_t *)to = number;
        if (f[i].type == 'i') *(int64_t *)to = -(int64_t)number;
        if (f[i].type == 's') {
            int n = snprintf(text, sizeof texts[kind][k][i], "%s %u\n\xFF", f[i].name, (unsigned)k);

            *(nytp_str *)to = (nytp_str){text, (size_t)n};
        }
    }
}

static void put(nytp_writer *w, const nytp_record *r) {
    switch (r->kind) {
    case NYTP_REC_PROCESS_START: nytp_writer_process_start(w, &r->u.process_start); break;
    case NYTP_REC_PROCESS_END: nytp_writer_process_end(w, &r->u.process_end); break;
    case NYTP_REC_ATTRIBUTE: nytp_writer_attribute(w, r->u.pair.key, r->u.pair.value); break;
    case NYTP_REC_OPTION: nytp_writer_option(w, r->u.pair.key, r->u.pair.value); break;
    case NYTP_REC_PROPERTY: nytp_writer_property(w, r->u.pair.key, r->u.pair.value); break;
    case NYTP_REC_NOTE: nytp_writer_note(w, r->u.note.text); break;
    case NYTP_REC_FILE: nytp_writer_file(w, &r->u.file); break;
    case NYTP_REC_SOURCE: nytp_writer_source(w, &r->u.source); break;
    case NYTP_REC_CARRIED: nytp_writer_carried(w, &r->u.carried); break;
    case NYTP_REC_SUB: nytp_writer_sub(w, &r->u.sub); break;
    case NYTP_REC_OLD_PLACE:
    case NYTP_REC_PLACE: nytp_writer_place(w, &r->u.place); break;
    case NYTP_REC_OLD_NODE:
    case NYTP_REC_NODE: nytp_writer_node(w, &r->u.node); break;
    case NYTP_REC_TAIL: nytp_writer_tail(w, r->u.tail.node); break;
    case NYTP_REC_OLD_PLACE_DELTA:
    case NYTP_REC_PLACE_DELTA: nytp_writer_place_delta(w, &r->u.delta); break;
    case NYTP_REC_OLD_NODE_DELTA:
    case NYTP_REC_NODE_DELTA: nytp_writer_node_delta(w, &r->u.delta); break;
    case NYTP_REC_WINDOW: nytp_writer_window(w, &r->u.window); break;
    case NYTP_REC_COST: nytp_writer_cost(w, &r->u.cost); break;
    case NYTP_REC_PRICE: nytp_writer_price(w, &r->u.price); break;
    case NYTP_REC_TEXT: nytp_writer_text_of(w, &r->u.text); break;
    case NYTP_REC_STORED: nytp_writer_stored(w, &r->u.stored); break;
    case NYTP_REC_CALL_ENTRY: nytp_writer_call_entry(w, &r->u.call_entry); break;
    case NYTP_REC_CALL_RETURN: nytp_writer_call_return(w, &r->u.call_return); break;
    case NYTP_REC_SAMPLE: nytp_writer_sample(w, &r->u.sample); break;
    case NYTP_REC_COUNTER: nytp_writer_counter(w, &r->u.counter); break;
    case NYTP_REC_COUNTER_VALUE: nytp_writer_counter_value(w, &r->u.counter_value); break;
    case NYTP_REC_MARK: nytp_writer_mark(w, &r->u.mark); break;
    case NYTP_REC_HISTOGRAM: nytp_writer_histogram(w, &r->u.histogram); break;
    case NYTP_REC_PLACE_MEMORY: nytp_writer_place_memory(w, &r->u.memory); break;
    case NYTP_REC_NODE_MEMORY: nytp_writer_node_memory(w, &r->u.memory); break;
    case NYTP_REC_END: nytp_writer_end(w, r->u.end.how); break;
    }
}

static int same_field(const nytp_field *f, const nytp_record *a, const nytp_record *b) {
    const char *x = (const char *)&a->u + f->offset, *y = (const char *)&b->u + f->offset;

    if (f->type == 's') return nytp_str_eq(*(const nytp_str *)x, *(const nytp_str *)y);
    return memcmp(x, y, sizeof(uint64_t)) == 0;
}

static void compare(const nytp_record *got, uint32_t kind, uint32_t k) {
    nytp_record expected;
    uint32_t today = nytp_format_row(kind)->today;
    int fine = got->kind == (today ? today : kind);

    fill(&expected, kind, k);
    if (kind == NYTP_REC_END) expected.u.end.chunks = 1; /* the writer counts them */
    for (const nytp_field *f = nytp_format_row(kind)->fields; fine && f->name; f++) {
        fine = same_field(f, got, &expected);
        if (!fine) printf("# %s differs\n", f->name);
    }
    ok(fine, "%s %u comes back", nytp_format_row(kind)->name, (unsigned)k);
}

int main(void) {
    char *dir = sample_directory(), path[500];
    nytp_error e = {0};
    nytp_record r;
    nytp_writer *w;
    nytp_reader *reader;
    nytp_buf bytes;

    snprintf(path, sizeof path, "%s/all", dir);
    w = nytp_writer_open(sample_create(path), &sample_stream, 0);
    for (uint32_t kind = 1; kind < NYTP_REC_KINDS; kind++) {
        for (uint32_t k = 0; k < GROUP; k++) {
            fill(&r, kind, k);
            put(w, &r);
        }
    }
    is(nytp_writer_chunk(w, -5, INT64_MAX), NYTP_OK, "all kinds fit a chunk");
    is(nytp_writer_close(w), NYTP_OK, "and the file closes");

    reader = nytp_reader_open(path, &e);
    for (uint32_t kind = 1; kind < NYTP_REC_KINDS; kind++)
        for (uint32_t k = 0; k < GROUP; k++)
            if (ok(nytp_reader_next(reader, &r) == 1, "there is a record")) compare(&r, kind, k);
    is(nytp_reader_next(reader, &r), 0, "and no more");
    ok(nytp_format_same_stream(nytp_reader_stream(reader, 0), &sample_stream), "the stream is who wrote it");
    ok(nytp_reader_chunk(reader)->start == -5 && nytp_reader_chunk(reader)->end == INT64_MAX, "the window is right");
    is(nytp_reader_chunk(reader)->number, 1, "and the chunk's number");
    nytp_reader_close(reader);

    bytes = sample_slurp(path);
    is(bytes.p[18 + 20], NYTP_FORMAT_VERSION, "the version is at byte 20 of the chunk, behind the first line");
    ok(memcmp(bytes.p, NYTP_FORMAT_FIRST_LINE NYTP_FORMAT_SYNC, 26) == 0, "which begins with the sync mark");
    nytp_buf_free(&bytes);
    ok(!nytp_format_row(NYTP_REC_KINDS) && !nytp_format_row(UINT64_MAX), "unknown kinds have no row");
    unlink(path);
    rmdir(dir);
    return done();
}
