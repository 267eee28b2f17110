/* values.c - live(): the number of perl's values, of which none is a temporary one, for t/memory.t. */
#define PERL_NO_GET_CONTEXT
#include <EXTERN.h>
#include <perl.h>
#include <XSUB.h>

EXTERN_C XS(live);
EXTERN_C XS(live) {
    dXSARGS;
    IV n = (IV)PL_sv_count - (IV)PL_tmps_ix;
    PERL_UNUSED_VAR(items);
    EXTEND(SP, 1);
    ST(0) = sv_2mortal(newSViv(n));
    XSRETURN(1);
}
