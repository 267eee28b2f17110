/* SPDX-License-Identifier: MIT */
/* FileHandle.xs - one method for each record of format 5. All but open, close and DESTROY return the bytes written. */
#include "perldata/handle.h"

#define EVENT(kind) nytp_v5_event e = {.tag = NYTP_V5_##kind}
#define WRITE() RETVAL = nytp_v5_writer_event(h, &e)

MODULE = Devel::NYTProf::FileHandle    PACKAGE = Devel::NYTProf::FileHandle

PROTOTYPES: DISABLE

TYPEMAP: <<END
nytp_v5_writer *    T_WRITER
nytp_str            T_NYTP_STR
I32                 T_IV
U32                 T_UV
INPUT
T_WRITER
    $var = nytp_handle_writer(aTHX_ $arg);
T_NYTP_STR
    $var = nytp_handle_str(aTHX_ $arg);
END

void
open(const char *pathname, const char *mode)
  PPCODE:
    SV *object = nytp_handle_open(aTHX_ pathname, mode);
    if (object) mXPUSHs(object);

int
close(SV *handle)
  CODE:
    RETVAL = nytp_handle_close(aTHX_ handle);
  OUTPUT:
    RETVAL

void
DESTROY(SV *handle)
  CODE:
    nytp_handle_close(aTHX_ handle);

UV
write(nytp_v5_writer *h, nytp_str bytes)
  CODE:
    RETVAL = nytp_v5_writer_bytes(h, bytes);
  OUTPUT:
    RETVAL

void
start_deflate(nytp_v5_writer *h, int level = 6)
  CODE:
    nytp_v5_writer_start_deflate(h, level);

void
start_deflate_write_tag_comment(nytp_v5_writer *h, int level = 6)
  CODE:
    nytp_v5_writer_announce_deflate(h, level);

UV
write_header(nytp_v5_writer *h, U32 major, U32 minor)
  CODE:
    EVENT(VERSION);
    e.u.version = (nytp_v5_version){major, minor};
    WRITE();
  OUTPUT:
    RETVAL

UV
write_comment(nytp_v5_writer *h, nytp_str comment)
  CODE:
    EVENT(COMMENT);
    e.u.comment = comment;
    WRITE();
  OUTPUT:
    RETVAL

UV
write_attribute(nytp_v5_writer *h, nytp_str key, nytp_str value)
  ALIAS:
    write_option = 1
  CODE:
    EVENT(ATTRIBUTE);
    if (ix) e.tag = NYTP_V5_OPTION;
    e.u.pair = (nytp_v5_pair){key, value};
    WRITE();
  OUTPUT:
    RETVAL

UV
write_process_start(nytp_v5_writer *h, U32 pid, U32 ppid, NV time)
  CODE:
    EVENT(PID_START);
    e.u.pid = (nytp_v5_pid){pid, ppid, time};
    WRITE();
  OUTPUT:
    RETVAL

UV
write_process_end(nytp_v5_writer *h, U32 pid, NV time)
  CODE:
    EVENT(PID_END);
    e.u.pid = (nytp_v5_pid){pid, 0, time};
    WRITE();
  OUTPUT:
    RETVAL

UV
write_new_fid(nytp_v5_writer *h, U32 id, U32 eval_fid, U32 eval_line, U32 flags, U32 size, U32 mtime, SV *name)
  CODE:
    EVENT(NEW_FID);
    e.u.fid = (nytp_v5_fid){id, eval_fid, eval_line, flags, size, mtime, nytp_handle_str(aTHX_ name)};
    e.utf8 = nytp_handle_utf8(name);
    WRITE();
  OUTPUT:
    RETVAL

UV
write_time_block(nytp_v5_writer *h, I32 ticks, U32 overflow, U32 fid, U32 line, U32 block_line, U32 sub_line)
  CODE:
    EVENT(TIME_BLOCK);
    nytp_handle_overflow(aTHX_ overflow);
    e.u.time = (nytp_v5_time){ticks, fid, line, block_line, sub_line};
    WRITE();
  OUTPUT:
    RETVAL

UV
write_time_line(nytp_v5_writer *h, I32 ticks, U32 overflow, U32 fid, U32 line)
  CODE:
    EVENT(TIME_LINE);
    nytp_handle_overflow(aTHX_ overflow);
    e.u.time = (nytp_v5_time){ticks, fid, line, 0, 0};
    WRITE();
  OUTPUT:
    RETVAL

UV
write_discount(nytp_v5_writer *h)
  CODE:
    EVENT(DISCOUNT);
    WRITE();
  OUTPUT:
    RETVAL

UV
write_call_entry(nytp_v5_writer *h, U32 caller_fid, U32 caller_line)
  CODE:
    EVENT(SUB_ENTRY);
    e.u.time = (nytp_v5_time){0, caller_fid, caller_line, 0, 0};
    WRITE();
  OUTPUT:
    RETVAL

UV
write_call_return(nytp_v5_writer *h, U32 depth, SV *name, NV inclusive, NV exclusive)
  CODE:
    EVENT(SUB_RETURN);
    e.u.ret = (nytp_v5_return){depth, inclusive, exclusive, nytp_handle_str(aTHX_ name)};
    e.utf8 = nytp_handle_utf8(name);
    WRITE();
  OUTPUT:
    RETVAL

UV
write_sub_info(nytp_v5_writer *h, U32 fid, SV *name, U32 first_line, U32 last_line)
  CODE:
    EVENT(SUB_INFO);
    e.u.sub = (nytp_v5_sub){fid, first_line, last_line, nytp_handle_str(aTHX_ name)};
    e.utf8 = nytp_handle_utf8(name);
    WRITE();
  OUTPUT:
    RETVAL

UV
write_sub_callers(nytp_v5_writer *h, U32 fid, U32 line, SV *caller, U32 count, NV inclusive, NV exclusive, \
                  NV recursive, U32 depth, SV *called)
  CODE:
    EVENT(SUB_CALLERS);
    e.u.callers = (nytp_v5_callers){fid, line, count, depth, inclusive, exclusive, recursive,
                                    nytp_handle_str(aTHX_ caller), nytp_handle_str(aTHX_ called)};
    e.utf8 = nytp_handle_utf8(called) | (nytp_handle_utf8(caller) ? NYTP_V5_UTF8_CALLER : 0);
    WRITE();
  OUTPUT:
    RETVAL

UV
write_src_line(nytp_v5_writer *h, U32 fid, U32 line, SV *text)
  CODE:
    EVENT(SRC_LINE);
    e.u.line = (nytp_v5_line){fid, line, nytp_handle_str(aTHX_ text)};
    e.utf8 = nytp_handle_utf8(text);
    WRITE();
  OUTPUT:
    RETVAL
