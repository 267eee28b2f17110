/* SPDX-License-Identifier: MIT */
/* kinds.c - what kind of code a sub is, by its file, its flags and, of a built-in, its name. */
#include "report/kinds.h"

#include <string.h>

#include "model/origin.h"

/* Words with a blank on either side: operators of perl, functions in C of all languages, and either that may wait for
 * other processes. */
static const struct builtins {
    enum nytp_code_kind kind;
    const char *ops, *in_c, *for_others;
} builtins[] = {
    {NYTP_KIND_WAITING, " accept connect flock lock semop sleep syscall ",
     " Time::HiRes::sleep Time::HiRes::usleep Time::HiRes::nanosleep Time::HiRes::clock_nanosleep Kernel#sleep ",
     " backtick msgrcv recv select sselect system wait waitpid POSIX::pause Kernel#system Kernel#` IO.select "
     "Process.wait os.execute "},
    {NYTP_KIND_IO,
     " closedir fteexec fteread ftewrite ftdir ftfile ftis ftlink ftmtime ftsize glob lstat mkdir open open_dir print "
     "prtf readdir readlink rename rmdir say seek send stat symlink sysopen sysseek syswrite tell truncate unlink "
     "utime ",
     " io.open io.write IO#print IO#puts IO#write IO.open ",
     " close eof getc read readline sysread io.lines io.read IO#each_line IO#gets IO#read IO.read "},
    {NYTP_KIND_REGEX, " match qr regcomp subst substcont ",
     " string.find string.gmatch string.gsub string.match String#=~ String#gsub String#gsub! String#match "
     "String#match? String#scan String#sub String#sub! Regexp#=~ Regexp#match Regexp#match? ", " "},
    {NYTP_KIND_SORT, " sort ", " table.sort Array#sort Array#sort! Array#sort_by! Enumerable#sort_by ", " "},
    {NYTP_KIND_LOADING, " require dofile ",
     " require dofile loadfile Kernel#require Kernel#require_relative Kernel#load ", " "},
};

/* The word may be anything that a capture has. */
static int has_word(const char *words, nytp_str word) {
    size_t n = word.n ? strlen(words) : 0;
    for (size_t i = 0; i + word.n + 2 <= n; i++)
        if (words[i] == ' ' && words[i + word.n + 1] == ' ' && !memcmp(words + i + 1, word.p, word.n)) return 1;
    return 0;
}

static int is_in_c(const nytp_sub *s) { return (s->flags & (NYTP_SUB_OPCODE | NYTP_SUB_XSUB)) != 0; }

/* The word for an operator in the name of a sub, main::CORE:sort; the whole name of another sub. */
static nytp_str word_of(const nytp_sub *s) {
    for (size_t i = s->flags & NYTP_SUB_OPCODE ? s->name.n : 0; i-- > 0;)
        if (s->name.p[i] == ':') return (nytp_str){s->name.p + i + 1, s->name.n - i - 1};
    return s->name;
}

enum nytp_code_kind nytp_kinds_builtin(const nytp_sub *s) {
    if (!is_in_c(s)) return NYTP_KIND_OWN;
    int is_op = (s->flags & NYTP_SUB_OPCODE) != 0;
    nytp_str word = word_of(s);
    for (size_t i = 0; i < sizeof builtins / sizeof *builtins; i++)
        if (has_word(is_op ? builtins[i].ops : builtins[i].in_c, word) || has_word(builtins[i].for_others, word))
            return builtins[i].kind;
    return is_op ? NYTP_KIND_BUILTIN : NYTP_KIND_IN_C;
}

int nytp_kinds_waits_for_others(const nytp_sub *s) {
    for (size_t i = 0; is_in_c(s) && i < sizeof builtins / sizeof *builtins; i++)
        if (has_word(builtins[i].for_others, word_of(s))) return 1;
    return 0;
}

int nytp_kinds_is_loading(const nytp_sub *s) {
    nytp_str rest = {s->name.p + s->package.n, s->name.n - s->package.n};
    return nytp_str_starts(rest, NYTP_LIT("::BEGIN@")) || nytp_str_ends(rest, NYTP_LIT("::BEGIN")) ||
           nytp_str_ends(rest, NYTP_LIT(":require")) ||
           (s->flags & NYTP_SUB_ACTIVITY && nytp_str_starts(s->name, NYTP_LIT("compiling ")));
}

enum nytp_code_kind nytp_kinds_of_file(const nytp_profile *p, const nytp_file *f) {
    if (f->parent) return NYTP_KIND_EVAL;
    return nytp_origin_is_library(p, f) ? NYTP_KIND_LIBRARY : NYTP_KIND_OWN;
}

enum nytp_code_kind nytp_kinds_of_sub(const nytp_sub *s, enum nytp_code_kind of_file) {
    if (nytp_kinds_is_loading(s)) return NYTP_KIND_LOADING;
    if (is_in_c(s)) return nytp_kinds_builtin(s);
    if (s->flags & NYTP_SUB_PHASE && nytp_str_eq(s->name, NYTP_LIT("(host)"))) return NYTP_KIND_IN_C;
    return s->flags & NYTP_SUB_ACTIVITY ? NYTP_KIND_WAITING : of_file;
}
