/* SPDX-License-Identifier: MIT */
/* Data.xs - functions for the modules that read profiles; the work is done in the files beside it.
 *
 * It is in the same shared object as the profiler, but booted only when one of those modules is loaded, so that a
 * profiled program does not pay for it. */
#include "perldata/perldata.h"

MODULE = Devel::NYTProf::Data    PACKAGE = Devel::NYTProf::Data

PROTOTYPES: DISABLE

SV *
load_profile_data_from_file(const char *file, SV *callback = &PL_sv_undef, bool every_event = false)
  CODE:
    if (SvOK(callback)) nytp_perldata_stream_tell(aTHX_ file, callback, every_event);
    RETVAL = SvOK(callback) ? newSV(0) : nytp_data_load(aTHX_ file);
  OUTPUT:
    RETVAL

BOOT:
    nytp_constants_define(aTHX);
