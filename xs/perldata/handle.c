/* SPDX-License-Identifier: MIT */
/* handle.c - the objects of Devel::NYTProf::FileHandle: each holds a writer of format 5, or NULL once it is closed. */
#include "perldata/handle.h"

#include <errno.h>
#include <fcntl.h>
#include <unistd.h>

#define CLASS "Devel::NYTProf::FileHandle"

/* The scalar that holds the writer. */
static SV *holder(pTHX_ SV *object) {
    if (!sv_isobject(object) || !sv_derived_from(object, CLASS)) croak("handle is not of type " CLASS);
    return SvRV(object);
}

SV *nytp_handle_open(pTHX_ const char *path, const char *mode) {
    int flags = *mode == 'w' ? O_TRUNC : *mode == 'a' ? O_APPEND : -1;
    errno = EINVAL;
    int fd = flags < 0 ? -1 : open(path, O_WRONLY | O_CREAT | O_CLOEXEC | flags, 0666);
    if (fd < 0) return NULL;
    nytp_v5_writer *w = nytp_v5_writer_open(fd, 0);
    if (!w) {
        close(fd);
        errno = ENOMEM;
        return NULL;
    }
    return sv_setref_pv(newSV(0), CLASS, w);
}

nytp_v5_writer *nytp_handle_writer(pTHX_ SV *object) {
    nytp_v5_writer *w = INT2PTR(nytp_v5_writer *, SvIV(holder(aTHX_ object)));
    if (!w) croak("the handle is closed");
    return w;
}

/* errno is that of the first failure. */
int nytp_handle_close(pTHX_ SV *object) {
    SV *sv = holder(aTHX_ object);
    nytp_v5_writer *w = INT2PTR(nytp_v5_writer *, SvIV(sv));
    if (!w) return 0;
    sv_setiv(sv, 0);
    int sys = nytp_v5_writer_error(w)->sys;
    if (!nytp_v5_writer_close(w)) return 0;
    return errno = sys ? sys : EIO;
}

void nytp_handle_overflow(pTHX_ U32 seconds) {
    if (!seconds) return;
    PerlIO_printf(PerlIO_stderr(), "NYTProf: an overflow of %lu seconds is lost\n", (unsigned long)seconds);
}

nytp_str nytp_handle_str(pTHX_ SV *sv) {
    STRLEN n;
    const char *p = SvPV_const(sv, n);
    return (nytp_str){p, n};
}
