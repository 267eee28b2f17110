/* join.c - captures made one: whole chunks are copied, none is understood. */
#include "capture/join.h"

#include <stdlib.h>

#include "base/map.h"
#include "capture/append.h"

struct nytp_join {
    nytp_append out;
    nytp_error error;
    nytp_map joined; /* hash of a chunk's head, which has its CRC, to 1 */
};

static void put_text(nytp_join *j, nytp_str merged) {
    nytp_buf text = {0};
    nytp_buf_bytes(&text, NYTP_FORMAT_FIRST_LINE ":merged=", sizeof NYTP_FORMAT_FIRST_LINE ":merged=" - 1);
    nytp_buf_escaped(&text, merged, NYTP_FORMAT_LINE_MAX - sizeof ":merged=\n");
    nytp_buf_byte(&text, '\n');
    if (text.failed) nytp_error_set(&j->error, NYTP_NOMEM, "out of memory");
    else nytp_append_write(&j->out, text.p, text.n, &j->error);
    nytp_buf_free(&text);
}

nytp_join *nytp_join_open(int fd, nytp_str merged) {
    nytp_join *j = calloc(1, sizeof *j);
    if (!j) return NULL;
    nytp_append_open(&j->out, fd);
    put_text(j, merged);
    return j;
}

static int put_chunk(nytp_join *j, nytp_str chunk, nytp_join_counts *counts) {
    uint32_t *joined = nytp_map_at(&j->joined, nytp_str_hash((nytp_str){chunk.p, NYTP_FORMAT_CHUNK_HEAD}));
    if (!joined) return nytp_error_set(&j->error, NYTP_NOMEM, "out of memory");
    counts->chunks += !*joined;
    counts->repeated += *joined;
    if (!*joined) nytp_append_write(&j->out, chunk.p, chunk.n, &j->error);
    *joined = 1;
    return j->error.code;
}

/* A chunk is put when its first record comes; one with a right CRC and senseless records stays as it is. */
int nytp_join_add(nytp_join *j, nytp_reader *r, nytp_join_counts *counts, nytp_error *e) {
    nytp_record record;
    uint64_t last = 0;
    int more = 0;
    *counts = (nytp_join_counts){0};
    while (!j->error.code && (more = nytp_reader_next(r, &record)) > 0) {
        if (record.kind == NYTP_REC_DAMAGE) {
            counts->damages++;
            counts->lost += record.u.damage.length;
        } else if (record.chunk != last) {
            put_chunk(j, nytp_reader_chunk_bytes(r), counts);
            last = record.chunk;
        }
    }
    if (more < 0) *e = *nytp_reader_error(r);
    else if (j->error.code) *e = j->error;
    return e->code;
}

int nytp_join_close(nytp_join *j, nytp_error *e) {
    if (!j) return NYTP_OK;
    nytp_append_close(&j->out, &j->error);
    int code = j->error.code;
    if (code && e) *e = j->error;
    nytp_map_free(&j->joined);
    free(j);
    return code;
}
