/* host.c - a program with a perl in it, for t/perl-host.t and t/perl-destruct.t: runs what its arguments say, as perl would, then sleeps for
 * 50 ms and calls main::work, five times; with "parse" in front it does not run the program, only compiles it; with
 * "guard" it runs it, evaluates something, in which a window ends, and calls as Apache's mod_perl does: in a child, and
 * exceptions are caught; with "evaluate" each call is a string's, and it sleeps once more at the end; with "clone" it
 * makes a clone of the interpreter, and another thread of a forked child runs that, as workers of mod_perl do. LEVEL in
 * the environment is how thoroughly perl is destroyed. */
#include <EXTERN.h>
#include <perl.h>
#include <XSUB.h>
#include <pthread.h>
#include <sys/wait.h>
#include <unistd.h>

EXTERN_C void boot_DynaLoader(pTHX_ CV *cv);

XS_INTERNAL(count_values); /* how many there are */

XS_INTERNAL(count_values) {
    dXSARGS;
    PERL_UNUSED_VAR(items);
    EXTEND(SP, 1);
    ST(0) = sv_2mortal(newSViv((IV)PL_sv_count));
    XSRETURN(1);
}

static void xs_init(pTHX) {
    newXS("DynaLoader::boot_DynaLoader", boot_DynaLoader, __FILE__);
    newXS("main::count_values", count_values, __FILE__);
}

/* On a stack of its own, as require_pv does. */
static void evaluate(pTHX_ int apart) {
    dSP;
    if (apart) PUSHSTACKi(PERLSI_REQUIRE);
    eval_pv("work()", 0);
    if (apart) POPSTACK;
}

/* ---- a clone for another thread ---- */

static void *work_in(void *perl) {
    dTHXa((PerlInterpreter *)perl);
    PERL_SET_CONTEXT(my_perl);
    for (int i = 0; i < 5; i++) {
        dSP;
        usleep(50000);
        PUSHMARK(SP);
        call_pv("main::work", G_DISCARD | G_NOARGS | G_VOID);
    }
    return NULL;
}

static int clone_and_fork(PerlInterpreter *my_perl) {
    int status = 1;
#ifdef USE_ITHREADS
    PerlInterpreter *clone = perl_clone(my_perl, 0);
    PERL_SET_CONTEXT(my_perl);
    pid_t child = fork();
    if (child) return waitpid(child, &status, 0) != child || status;
    pthread_t thread;
    status = pthread_create(&thread, NULL, work_in, clone) || pthread_join(thread, NULL);
    PERL_SET_CONTEXT(clone);
    perl_destruct(clone);
    perl_free(clone);
    PERL_SET_CONTEXT(my_perl);
#endif
    return status;
}

int main(int argc, char **argv, char **env) {
    int only_parse = strEQ(argv[1], "parse"), guards = strEQ(argv[1], "guard"), evaluates = strEQ(argv[1], "evaluate");
    int clones = strEQ(argv[1], "clone"), own = only_parse || guards || evaluates || clones, status = 0;
    PERL_SYS_INIT3(&argc, &argv, &env);
    PerlInterpreter *perl = perl_alloc();
    perl_construct(perl);
    dTHXa(perl);
    PL_exit_flags |= PERL_EXIT_DESTRUCT_END;
    if (getenv("LEVEL")) PL_perl_destruct_level = (signed char)atoi(getenv("LEVEL"));
    if (perl_parse(perl, xs_init, argc - own, argv + own, NULL)) return 1;
    if (!only_parse) perl_run(perl);
    if (guards) eval_sv(newSVpvs("DB::disable_profile(); DB::enable_profile(); 1"), G_DISCARD | G_EVAL);
    if (guards && fork()) return wait(NULL) < 0;
    if (clones) status = clone_and_fork(perl);
    for (int i = 0; i < 5 && !clones; i++) {
        dSP;
        usleep(50000);
        if (evaluates) {
            evaluate(aTHX_ i & 1);
            continue;
        }
        PUSHMARK(SP);
        call_pv("main::work", G_DISCARD | G_NOARGS | G_VOID | (guards ? G_EVAL : 0));
    }
    if (evaluates) usleep(50000);
    perl_destruct(perl);
    perl_free(perl);
    PERL_SYS_TERM();
    return status;
}
