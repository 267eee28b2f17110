/* heap.c - heap(): allocations, bytes allocated and bytes freed by the thread so far, as libnytprof-heap.so counts
 * them; empty without it. leaks(N): takes N bytes from the C library, and keeps them. For t/memory-bytes.t. */
#define PERL_NO_GET_CONTEXT
#include <EXTERN.h>
#include <perl.h>
#include <XSUB.h>

#include "heap/heap.h"

EXTERN_C XS(heap);
EXTERN_C XS(heap) {
    dXSARGS;
    PERL_UNUSED_VAR(items);
    if (!nytp_heap_here) XSRETURN_EMPTY;
    nytp_heap now = *nytp_heap_here();
    EXTEND(SP, 3);
    ST(0) = sv_2mortal(newSVuv(now.calls));
    ST(1) = sv_2mortal(newSVuv(now.allocated));
    ST(2) = sv_2mortal(newSVuv(now.freed));
    XSRETURN(3);
}

void *heap_lost[100000];
static int lost_n;

EXTERN_C XS(leaks);
EXTERN_C XS(leaks) {
    dXSARGS;
    if (items == 1) heap_lost[lost_n++ % 100000] = malloc(SvUV(ST(0)));
    XSRETURN_EMPTY;
}
