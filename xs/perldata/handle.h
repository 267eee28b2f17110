/* SPDX-License-Identifier: MIT */
/* handle.h - what FileHandle.xs calls. */
#ifndef NYTP_PERLDATA_HANDLE_H
#define NYTP_PERLDATA_HANDLE_H

#define PERL_NO_GET_CONTEXT
#include "EXTERN.h"
#include "perl.h"
#include "XSUB.h"

#include "v5/write.h"

/* A new object that writes that file; mode begins with w or a. NULL with errno set. */
SV *nytp_handle_open(pTHX_ const char *path, const char *mode);

/* The object's writer, borrowed. Croaks if the object is closed or of another class. */
nytp_v5_writer *nytp_handle_writer(pTHX_ SV *object);

/* Closes the file. Returns 0, also if it was closed before, or an errno. */
int nytp_handle_close(pTHX_ SV *object);

/* Warns on standard error that a time is too large for a record by that many seconds; not if it is 0. */
void nytp_handle_overflow(pTHX_ U32 seconds);

/* The scalar's bytes, borrowed, and whether perl's UTF-8 flag is on. */
nytp_str nytp_handle_str(pTHX_ SV *sv);
static inline U32 nytp_handle_utf8(SV *sv) { return SvUTF8(sv) ? NYTP_V5_UTF8 : 0; }

#endif
