/* SPDX-License-Identifier: MIT */
/* perl.c - for clang's libFuzzer: the Perl view of a profile, all its arrays and hashes, and the events of for_chunks,
 * within a perl of its own. */
#include "perldata/perldata.h"

#include <unistd.h>

#include "input.h"

#define MOST_EVENTS 300

static PerlInterpreter *perl;

/* Dies after some events, as the user's function may. */
static XS(count_event) {
    static unsigned events;
    dXSARGS;
    PERL_UNUSED_VAR(items);
    if (++events % MOST_EVENTS == 0) Perl_croak(aTHX_ "enough");
    XSRETURN_EMPTY;
}

static XS(load_profile) {
    dXSARGS;
    if (items) nytp_perldata_stream_tell(aTHX_ "-", ST(0), false);
    else sv_2mortal(nytp_data_load(aTHX_ "-"));
    XSRETURN_EMPTY;
}

/* The first byte says whether events are told. What croaks has a message. */
int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size) {
    dTHXa(perl);
    dSP;
    if (size < 2) return 0;
    input_fill(STDIN_FILENO, data + 1, size - 1);
    ENTER;
    SAVETMPS;
    PUSHMARK(SP);
    if (data[0] % 4 == 0) XPUSHs(sv_2mortal(newRV_inc((SV *)get_cv("fuzz::count_event", 0))));
    PUTBACK;
    call_pv("fuzz::load_profile", G_EVAL | G_DISCARD | G_VOID);
    if (SvTRUE(ERRSV) && !SvCUR(ERRSV)) abort();
    FREETMPS;
    LEAVE;
    return 0;
}

size_t LLVMFuzzerCustomMutator(uint8_t *data, size_t size, size_t most, unsigned seed) {
    size = LLVMFuzzerMutate(data, size, most);
    if (seed % 16 && size) input_repair(data + 1, size - 1);
    return size;
}

/* The interpreter lives as long as the process. */
int LLVMFuzzerInitialize(int *argc, char ***argv) {
    static char name[] = "fuzz", option[] = "-e", program[] = "1", *words[] = {name, option, program, NULL};
    int n = 3;
    char **arguments = words;
    input_directory();
    if (dup2(input_memory("in"), STDIN_FILENO) < 0) return 1;
    PERL_SYS_INIT3(argc, argv, &environ);
    perl = perl_alloc();
    if (!perl) return 1;
    perl_construct(perl);
    dTHXa(perl);
    if (perl_parse(perl, NULL, n, arguments, NULL) || perl_run(perl)) return 1;
    newXS("fuzz::load_profile", load_profile, __FILE__);
    newXS("fuzz::count_event", count_event, __FILE__);
    newXS("Devel::NYTProf::Core::_log", count_event, __FILE__);
    return 0;
}
