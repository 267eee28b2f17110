/* SPDX-License-Identifier: MIT */
/* document.c - a file to import, as a whole in memory. */
#include "import/document.h"

#include <inttypes.h>
#include <stdlib.h>
#include <sys/stat.h>

#define MOST ((size_t)1 << 30) /* bytes of a file */
#define QUOTED 60u             /* bytes of what a message quotes */

enum nytp_code nytp_document_open(nytp_document *d, const char *path, nytp_error *e) {
    struct stat st;
    *d = (nytp_document){.path = path};
    if (nytp_bytes_open(&d->file, path)) return *e = d->file.error, e->code;
    size_t n = nytp_bytes_look(&d->file, MOST + 1);
    if (d->file.error.code) return *e = d->file.error, e->code;
    if (n > MOST) return nytp_error_set(e, NYTP_FORMAT, "%s: expected a file of at most 1 GB", path);
    if (fstat(d->file.fd, &st)) return nytp_error_sys(e, "%s", path);
    d->changed = (int64_t)st.st_mtim.tv_sec * 1000000000 + st.st_mtim.tv_nsec;
    d->absolute = nytp_str_c(realpath(path, d->name));
    d->text = (nytp_str){n ? (const char *)nytp_bytes_at(&d->file) : "", n};
    return NYTP_OK;
}

void nytp_document_close(nytp_document *d) { nytp_bytes_close(&d->file); }

nytp_str nytp_document_directory(const nytp_document *d) {
    nytp_str name = d->absolute;
    while (name.n > 1 && name.p[name.n - 1] != '/') name.n--;
    return name.n > 1 ? (nytp_str){name.p, name.n - 1} : name;
}

enum nytp_code nytp_document_refuse(const nytp_document *d, uint64_t line, const char *expected, nytp_str found,
                                    nytp_error *e) {
    nytp_buf quoted = {0};
    nytp_buf_escaped(&quoted, found.n < QUOTED ? found : (nytp_str){found.p, QUOTED}, 4 * QUOTED);
    if (quoted.failed) nytp_error_set(e, NYTP_NOMEM, "out of memory");
    nytp_error_set(e, NYTP_FORMAT, "%s:%" PRIu64 ": expected %s, got '%.*s'", d->path, line, expected, (int)quoted.n,
                   quoted.n ? (const char *)quoted.p : "");
    nytp_buf_free(&quoted);
    return e->code;
}
