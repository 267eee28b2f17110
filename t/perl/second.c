/* second.c - a host with several perls in one process, for t/hostile.t: each letter of the argument does something.
 *
 *   p  makes a perl that loads the profiler        x  ends the youngest
 *   b  makes one that does not                     c  calls code in the eldest
 *   q  makes one that loads the profiler, which is to leave built-ins out and has another clock */
#include <EXTERN.h>
#include <perl.h>

EXTERN_C void boot_DynaLoader(pTHX_ CV *cv);

static void xs_init(pTHX) {
    newXS("DynaLoader::boot_DynaLoader", boot_DynaLoader, __FILE__);
}

static PerlInterpreter *make(char **arguments, int n) {
    PerlInterpreter *perl = perl_alloc();
    PERL_SET_CONTEXT(perl);
    perl_construct(perl);
    dTHXa(perl);
    PL_perl_destruct_level = 2;
    PL_exit_flags |= PERL_EXIT_DESTRUCT_END;
    if (perl_parse(perl, xs_init, n, arguments, NULL) == 0) perl_run(perl);
    return perl;
}

static void end(PerlInterpreter *perl) {
    PERL_SET_CONTEXT(perl);
    printf("%d\n", perl_destruct(perl));
    perl_free(perl);
}

static PerlInterpreter *make_other(char **arguments, int n) {
    setenv("NYTPROF", "slowops=0:clock=fake", 1);
    PerlInterpreter *perl = make(arguments, n);
    unsetenv("NYTPROF");
    return perl;
}

static void call(PerlInterpreter *perl) {
    PERL_SET_CONTEXT(perl);
    dTHXa(perl);
    eval_pv("f($_) for 1 .. 5; eval 'sub g { f(2) } g()'; print qq{called\\n}", 0);
}

int main(int argc, char **argv, char **env) {
    char program[] = "$| = 1; sub f { my $x = shift; return $x + 1 } sub DESTROY { f(2) } f($_) for 1 .. 100;"
                     "our $o = bless []; my @s = sort { $b <=> $a } 1 .. 9; eval { die };"
                     "eval qq{sub again { $_ } again()} for 1 .. 20; print qq{ran\\n}";
    char *bare[] = {"", "-e", program, NULL};
    char *profiled[] = {"", argv[1], argv[2], "-MDevel::NYTProf", "-e", program, NULL};
    PerlInterpreter *perls[16];
    int n = 0;
    PERL_SYS_INIT3(&argc, &argv, &env);
    for (const char *c = argv[3]; *c; c++) {
        if (*c == 'p') perls[n++] = make(profiled, 6);
        if (*c == 'q') perls[n++] = make_other(profiled, 6);
        if (*c == 'b') perls[n++] = make(bare, 3);
        if (*c == 'x') end(perls[--n]);
        if (*c == 'c') call(perls[0]);
        fflush(stdout);
    }
    PERL_SYS_TERM();
    return 0;
}
