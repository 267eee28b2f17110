/* SPDX-License-Identifier: MIT */
/* perls.c - the perl that runs in another process. */
#include "cli/perls.h"

#include <errno.h>
#include <fcntl.h>
#include <limits.h>
#include <stddef.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <unistd.h>

#include "base/grow.h"
#include "cli/launch.h"
#include "cli/stock.h"
#include "sample/peek.h"
#include "sample/symbols.h"

/* ---- who may look ---- */

static int number_in(const char *path) {
    FILE *in = fopen(path, "re");
    int n = -1;
    if (in && fscanf(in, "%d", &n) != 1) n = -1;
    if (in) fclose(in);
    return n;
}

/* -1: it is not known. Of a process that has changed its user all but its directory is root's. */
static long owner_of(pid_t pid, const char *file) {
    char path[48];
    struct stat st;
    snprintf(path, sizeof path, "/proc/%ld/%s", (long)pid, file);
    return stat(path, &st) ? -1 : (long)st.st_uid;
}

/* Another user's process, one that was another user's, or a system that lets processes look at their children only. */
static enum nytp_code tell_refusal(pid_t pid, nytp_error *e) {
    int scope = number_in("/proc/sys/kernel/yama/ptrace_scope");
    long owner = owner_of(pid, ""), own = (long)geteuid();
    if (own && owner >= 0 && owner != own)
        return nytp_error_set(e, NYTP_IO, "process %ld is of user %ld: expected one of your own, or root's rights "
                              "(sudo)", (long)pid, owner);
    if (own && owner == own && owner_of(pid, "status") == 0)
        return nytp_error_set(e, NYTP_IO, "process %ld has changed its user, so only root may look at it: expected "
                              "root's rights (sudo)", (long)pid);
    if (scope > 0)
        return nytp_error_set(e, NYTP_IO, "the system lets no process look at another one (kernel.yama.ptrace_scope is "
                              "%d): expected 0 there, or root's rights (sudo)", scope);
    return nytp_error_set(e, NYTP_IO, "process %ld may not be looked at: in a container that needs CAP_SYS_PTRACE "
                          "(docker run --cap-add SYS_PTRACE; securityContext.capabilities.add in Kubernetes)",
                          (long)pid);
}

int nytp_perls_program(pid_t pid, char path[PATH_MAX]) {
    char link[32];
    snprintf(link, sizeof link, "/proc/%ld/exe", (long)pid);
    ssize_t n = readlink(link, path, PATH_MAX - 1);
    path[n > 0 ? n : 0] = '\0';
    return n > 0;
}

int nytp_perls_is_called(const char *path) {
    const char *slash = strrchr(path, '/');
    return slash && strncmp(slash, "/perl", 5) == 0;
}

static enum nytp_code tell_missing(pid_t pid, nytp_error *e) {
    *e = (nytp_error){0};
    if (owner_of(pid, "") < 0) return nytp_error_set(e, NYTP_IO, "there is no process %ld", (long)pid);
    return nytp_error_set(e, NYTP_FORMAT, "process %ld runs no program: it has ended, or is a part of the kernel",
                          (long)pid);
}

static enum nytp_code tell_other(pid_t pid, nytp_error *e) {
    char program[PATH_MAX];
    nytp_perls_program(pid, program);
    *e = (nytp_error){0};
    return nytp_error_set(e, NYTP_FORMAT, "there is no perl in process %ld: its program is %s", (long)pid, program);
}

static enum nytp_code find_symbols(pid_t pid, nytp_symbol *symbols, size_t n, nytp_error *e) {
    char path[PATH_MAX];
    nytp_symbols_find(pid, NYTP_PERLS_LIBRARY, symbols, n, path, e);
    if (e->code == NYTP_IO && e->sys == ENOENT) tell_missing(pid, e);
    else if (e->code == NYTP_IO && (e->sys == EACCES || e->sys == EPERM)) {
        *e = (nytp_error){0};
        tell_refusal(pid, e);
    } else if (e->code == NYTP_FORMAT) tell_other(pid, e);
    return e->code;
}

/* ---- the layout ---- */

/* NULL, or why the program is not run: another user may have written it, it is in a container, whose root is not this
 * system's, or it has a perl inside, as a web server may, and would do what it is for. *program is the descriptor of
 * what that is said of, as the process may run another program meanwhile; -1: it cannot be opened. */
static const char *why_not_run(pid_t pid, int *program) {
    char link[32], path[PATH_MAX];
    struct stat st, here;
    snprintf(link, sizeof link, "/proc/%ld/exe", (long)pid);
    nytp_perls_program(pid, path);
    *program = open(link, O_RDONLY | O_CLOEXEC);
    if (*program < 0 || fstat(*program, &st)) return "one that cannot be read";
    if ((st.st_uid && st.st_uid != geteuid()) || st.st_mode & S_IWOTH) return "another user's";
    if (stat(path, &here) || here.st_dev != st.st_dev || here.st_ino != st.st_ino) return "no file of this system";
    return nytp_perls_is_called(path) ? NULL : "none that is called perl";
}

static void run(int program, nytp_launch *l, int to) {
    static const char *const emptied[] = {"PERL5OPT", "PERL5DB", "NYTPROF"};
    char path[32];
    char *argv[8] = {path};
    size_t n = 1;
    snprintf(path, sizeof path, "/proc/self/fd/%d", program);
    uint32_t directories = nytp_launch_directories(l, nytp_interpreters_named("perl"));
    for (uint32_t i = 0; i < directories; i++) argv[n++] = l->directories[i];
    argv[n++] = (char[]){"-MDevel::NYTProf::Core"};
    argv[n++] = (char[]){"-e"};
    argv[n++] = (char[]){"print DB::_layout()"};
    int nothing = open("/dev/null", O_RDWR);
    for (size_t i = 0; i < sizeof emptied / sizeof *emptied; i++) unsetenv(emptied[i]);
    if (nothing < 0 || dup2(nothing, STDIN_FILENO) < 0 || dup2(nothing, STDERR_FILENO) < 0) _exit(127);
    if (dup2(to, STDOUT_FILENO) < 0) _exit(127);
    execv(path, argv);
    _exit(127);
}

/* What that perl prints; empty if it cannot be run or has no module. */
static void ask(int program, nytp_buf *text) {
    nytp_launch l = {0};
    int ends[2], status;
    if (pipe(ends)) return;
    nytp_launch_locate(&l);
    pid_t child = fork();
    if (!child) run(program, &l, ends[1]);
    close(ends[1]);
    for (ssize_t got = 1; child > 0 && got > 0;) {
        unsigned char *room = nytp_buf_room(text, 4096);
        got = room ? read(ends[0], room, 4096) : 0;
        if (got > 0) text->n += (size_t)got;
    }
    close(ends[0]);
    while (child > 0 && waitpid(child, &status, 0) < 0 && errno == EINTR) continue;
}

static const struct {
    const char *name;
    size_t offset;
} fields[] = {
#define ROW(name) {#name, offsetof(nytp_perl_layout, name)},
    NYTP_LAYOUT_FIELDS(ROW)
#undef ROW
};

#define FIELDS (sizeof fields / sizeof *fields)

/* Whether the line begins with the word and a blank; *rest is what is behind. */
static int is_about(nytp_str line, const char *word, nytp_str *rest) {
    size_t n = strlen(word);
    if (line.n < n + 1 || memcmp(line.p, word, n) != 0 || line.p[n] != ' ') return 0;
    *rest = (nytp_str){line.p + n + 1, line.n - n - 1};
    return 1;
}

static uint32_t number_of(nytp_str text) {
    uint32_t n = 0;
    for (size_t i = 0; i < text.n && text.p[i] >= '0' && text.p[i] <= '9'; i++)
        n = n * 10 + (uint32_t)(text.p[i] - '0');
    return n;
}

/* A NUL-terminated copy. */
static const char *keep(nytp_perl *p, nytp_str text) {
    char *copy = nytp_arena_get(&p->arena, text.n + 1);
    if (!copy) return NULL;
    memcpy(copy, text.p, text.n);
    copy[text.n] = '\0';
    return copy;
}

/* Takes a line; returns how many fields it was about, or -1 without memory. */
static int take(nytp_perl *p, const char **slow, nytp_str line) {
    nytp_str rest;
    if (is_about(line, "perl", &rest)) {
        p->version = nytp_arena_str(&p->arena, line);
        return p->version.p ? 0 : -1;
    }
    if (is_about(line, "inc", &rest)) {
        nytp_str *to = nytp_grow(&p->arena, &p->inc, p->inc_n, &p->inc_room, sizeof *to);
        if (to) *to = nytp_arena_str(&p->arena, rest);
        p->inc_n += to != NULL;
        return to && to->p ? 0 : -1;
    }
    if (is_about(line, "slow", &rest)) {
        uint32_t op = number_of(rest);
        const char *blank = memchr(rest.p, ' ', rest.n);
        if (!blank || op >= NYTP_PERLS_OPS) return 0;
        slow[op] = keep(p, (nytp_str){blank + 1, (size_t)(rest.p + rest.n - blank - 1)});
        return slow[op] ? 0 : -1;
    }
    for (size_t i = 0; i < FIELDS; i++) {
        if (!is_about(line, fields[i].name, &rest)) continue;
        uint32_t value = number_of(rest);
        memcpy((char *)&p->layout + fields[i].offset, &value, sizeof value);
        return 1;
    }
    return 0;
}

/* All fields must be there: a module of another version tells of others. 1: they are; -1 without memory. */
static int parse(nytp_perl *p, const nytp_buf *text) {
    const char **slow = nytp_arena_get(&p->arena, NYTP_PERLS_OPS * sizeof *slow);
    size_t known = 0;
    if (!slow || text->failed) return -1;
    memset(slow, 0, NYTP_PERLS_OPS * sizeof *slow);
    p->layout.slow = slow;
    for (const char *at = (const char *)text->p, *end = at + text->n; at < end;) {
        const char *newline = memchr(at, '\n', (size_t)(end - at)), *stop = newline ? newline : end;
        int n = take(p, slow, (nytp_str){at, (size_t)(stop - at)});
        if (n < 0) return -1;
        known += (size_t)n;
        at = stop + 1;
    }
    return known == FIELDS && p->version.n && p->layout.op_max < NYTP_PERLS_OPS;
}

static enum nytp_code learn_layout(nytp_perl *p, nytp_error *e) {
    int program;
    const char *why = why_not_run(p->pid, &program);
    nytp_buf text = {0};
    if (!why) ask(program, &text);
    if (program >= 0) close(program);
    int known = why ? 0 : parse(p, &text);
    nytp_buf_free(&text);
    if (known < 0) return nytp_error_set(e, NYTP_NOMEM, "out of memory");
    return known ? NYTP_OK : nytp_stock_learn(p, why, e);
}

/* 1 if the process has another root directory, as in a container. */
static int is_elsewhere(pid_t pid) {
    char path[32];
    struct stat its, ours;
    snprintf(path, sizeof path, "/proc/%ld/root", (long)pid);
    return stat(path, &its) || stat("/", &ours) || its.st_dev != ours.st_dev || its.st_ino != ours.st_ino;
}

/* ---- the interpreter ---- */

static int read_pointer(pid_t pid, uint64_t at, uint64_t *to) {
    nytp_peek peek = {.pid = pid};
    uintptr_t value;
    if (!nytp_peek_at(&peek, at, &value, sizeof value)) {
        peek.by_file = 1;
        if (!nytp_peek_at(&peek, at, &value, sizeof value)) return 0;
    }
    *to = value;
    return 1;
}

static enum nytp_code find_struct(nytp_perl *p, nytp_error *e) {
    nytp_symbol current = {"PL_curinterp", 0};
    if (find_symbols(p->pid, &current, 1, e)) return e->code;
    p->variable = current.at;
    if (!read_pointer(p->pid, p->variable, &p->interpreter)) return tell_refusal(p->pid, e);
    if (!p->interpreter)
        return nytp_error_set(e, NYTP_FORMAT, "perl has not begun yet in process %ld, or has ended", (long)p->pid);
    p->at = nytp_perl_at_struct(&p->layout, p->interpreter);
    return NYTP_OK;
}

/* A perl without a struct for its interpreter has variables of these names. */
static enum nytp_code find_variables(nytp_perl *p, nytp_error *e) {
    nytp_symbol s[] = {{"PL_op", 0},       {"PL_curcop", 0},    {"PL_curstackinfo", 0},
                       {"PL_stack_sp", 0}, {"PL_compiling", 0}, {"PL_parser", 0}};
    if (find_symbols(p->pid, s, sizeof s / sizeof *s, e)) return e->code;
    for (size_t i = 0; i < sizeof s / sizeof *s; i++)
        if (!s[i].at) return nytp_error_set(e, NYTP_FORMAT, "there is no %s in process %ld", s[i].name, (long)p->pid);
    p->at = (nytp_perl_at){{s[0].at, s[1].at, s[2].at, s[3].at}, 0, s[4].at, s[5].at};
    return NYTP_OK;
}

/* First of all whether there is a perl: no other program is run. */
static enum nytp_code find(nytp_perl *p, pid_t pid, nytp_error *e) {
    nytp_symbol marks[] = {{"PL_thr_key", 0}};
    nytp_error none = {0};
    p->pid = pid;
    if (find_symbols(pid, marks, 1, &none)) {
        marks[0].name = "PL_op_name";
        if (find_symbols(pid, marks, 1, e)) return e->code;
    }
    p->is_elsewhere = is_elsewhere(pid);
    if (learn_layout(p, e)) return e->code;
    if (p->layout.my_curcop ? find_struct(p, e) : find_variables(p, e)) return e->code;
    return p->is_stock ? nytp_stock_check(p, e) : NYTP_OK;
}

/* What was not found may have been there until the process ended, or ran another program. */
enum nytp_code nytp_perls_find(nytp_perl *p, pid_t pid, nytp_error *e) {
    char before[PATH_MAX], after[PATH_MAX];
    int began = nytp_perls_program(pid, before);
    if (!find(p, pid, e) || e->code == NYTP_NOMEM || !began) return e->code;
    if (!nytp_perls_program(pid, after) && errno == ENOENT) tell_missing(pid, e);
    else if (*after && strcmp(before, after) != 0) tell_other(pid, e);
    return e->code;
}

int nytp_perls_is_there(const nytp_perl *p) {
    uint64_t now = 0;
    if (!p->variable) return read_pointer(p->pid, p->at.variable[NYTP_PERL_CURCOP], &now);
    return read_pointer(p->pid, p->variable, &now) && now == p->interpreter;
}

void nytp_perls_free(nytp_perl *p) {
    nytp_arena_free(&p->arena);
    *p = (nytp_perl){0};
}

/* ---- the program's name ---- */

static int is_switch(const char *word) { return word[0] == '-' && word[1]; }

/* What is behind the switches of a word that have no argument, or a number. */
static const char *last_switch(const char *word) { return word + 1 + strspn(word + 1, "acfglnpstuwSTUWX01234567"); }

static int is_code(const char *word) { return is_switch(word) && (*last_switch(word) | 0x20) == 'e'; }

/* -I may have its directory in a word of its own. */
static const char *behind_switch(const char *word) {
    int has_directory = strcmp(last_switch(word), "I") == 0;
    word += strlen(word) + 1;
    return has_directory ? word + strlen(word) + 1 : word;
}

void nytp_perls_script(pid_t pid, char *name, size_t room) {
    char path[32], line[4096] = "";
    snprintf(path, sizeof path, "/proc/%ld/cmdline", (long)pid);
    FILE *in = fopen(path, "re");
    size_t n = in ? fread(line, 1, sizeof line - 2, in) : 0; /* two NULs behind it */
    if (in) fclose(in);
    const char *word = line + strlen(line) + 1, *script = line, *end = line + n;
    while (word < end && is_switch(word) && !is_code(word)) word = behind_switch(word);
    if (word < end && *word) script = is_code(word) ? "-e" : word;
    snprintf(name, room, "%s", *script ? script : "perl");
}
