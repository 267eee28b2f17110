/* SPDX-License-Identifier: MIT */
/* disk.c - finding and reading files of source. */
#include "record/disk.h"

#include <stdio.h>
#include <sys/stat.h>

#include "record/places.h"

nytp_live_file *nytp_disk_file(nytp_recorder *r, const char *path) {
    nytp_rec_file what = {.flags = NYTP_FILE_VIA_STMT, .name = nytp_str_c(path)};
    nytp_live_file *known = nytp_places_find_file(r, what.name);
    struct stat st;
    if (known) return known;
    if (stat(path, &st) == 0) {
        what.size = (uint64_t)st.st_size;
        what.mtime = (uint64_t)st.st_mtime;
    }
    if (r->options->savesrc) what.flags |= NYTP_FILE_HAS_SRC | NYTP_FILE_SAVE_SRC;
    return nytp_places_add_file(r, &what);
}

static void append_file(const char *path, nytp_buf *text) {
    char piece[65536];
    size_t n;
    FILE *in = fopen(path, "rbe");
    if (!in) return;
    while ((n = fread(piece, 1, sizeof piece, in)) > 0) nytp_buf_bytes(text, piece, n);
    fclose(in);
}

uint32_t nytp_disk_source(const nytp_live_file *file, nytp_buf *text) {
    if (file->source_lines) return 0;
    if (file->text.n) nytp_buf_bytes(text, file->text.p, file->text.n);
    else if (file->size) append_file(file->name.p, text);
    nytp_str all = {(const char *)text->p, text->n};
    return (uint32_t)nytp_str_count(all, '\n') + (all.n && all.p[all.n - 1] != '\n');
}
