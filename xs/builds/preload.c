/* SPDX-License-Identifier: MIT */
/* preload.c - libnytprof-build.so: in make, ninja and the like, notes each process that is started and waited for.
 *
 * Loaded by LD_PRELOAD, it is in every program of the build. In all others its functions only call those of the C
 * library. They replace what make and ninja use: posix_spawn, and exec in a child that vfork or fork has made, for the
 * begin; wait, waitpid and wait3 for the end, as wait4, which also gives what the process has used. */
#include <alloca.h>
#include <dlfcn.h>
#include <errno.h>
#include <spawn.h>
#include <string.h>
#include <sys/auxv.h>
#include <sys/mman.h>
#include <sys/syscall.h>
#include <sys/wait.h>
#include <unistd.h>

#include "capture/guest.h"

#define EXPORT __attribute__((visibility("default")))

extern char **environ;
extern char *program_invocation_short_name;
int execvpe(const char *file, char *const argv[], char *const envp[]); /* GNU's */

typedef int spawn_function(pid_t *, const char *, const posix_spawn_file_actions_t *, const posix_spawnattr_t *,
                           char *const[], char *const[]);

/* Children that are running, by their pids: an end names the begin. A child whose slot another one has taken, and a
 * fork child, is known by its pid alone. The library's own data is mapped in each program: this table is not in it. */
#define CHILDREN 256
typedef struct child {
    pid_t pid;
    uint64_t start;
} child;

static child *children;
static nytp_guest guest;
static int is_on; /* 1: this program starts the processes of a build */
static spawn_function *real_spawn, *real_spawnp;

/* ---- where it works ---- */

/* In all other programs this is all that the library does: not even strcmp is called, which ld.so would look for. */
static int is_builder(const char *name) {
    static const char names[][12] = {"make", "gmake", "remake", "ninja", "ninja-build", "samu"};
    for (size_t i = 0; i < sizeof names / sizeof *names; i++) {
        size_t n = 0;
        while (name[n] && name[n] == names[i][n]) n++;
        if (name[n] == names[i][n]) return 1;
    }
    return 0;
}

static void find_functions(void) {
    *(void **)&real_spawn = dlsym(RTLD_NEXT, "posix_spawn");
    *(void **)&real_spawnp = dlsym(RTLD_NEXT, "posix_spawnp");
}

__attribute__((constructor)) static void begin(void) {
    if (!is_builder(program_invocation_short_name)) return;
    char *const *value = nytp_guest_find(environ, NYTP_GUEST_VARIABLE);
    if (!*value || getauxval(AT_SECURE)) return;
    if (!nytp_guest_begin(&guest, *value + sizeof NYTP_GUEST_VARIABLE)) return;
    children = mmap(NULL, CHILDREN * sizeof *children, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
    if (children == MAP_FAILED) return;
    guest.program = program_invocation_short_name;
    guest.recorder = "preload " NYTP_VERSION;
    find_functions();
    nytp_guest_open(&guest);
    is_on = 1;
}

__attribute__((destructor)) static void end(void) {
    if (is_on && (pid_t)guest.stream.pid == getpid()) nytp_guest_end(&guest, NYTP_END_FINISHED);
}

/* ---- the begin of a process ---- */

/* The environment of a child, with the variable for a process of that start: a copy of the pointers in `copy`, which
 * has room for them. */
static char *const *with_start(char *const *environment, char **copy, char *variable, uint64_t start) {
    size_t n = 0, at = (size_t)(nytp_guest_find(environment, NYTP_GUEST_VARIABLE) - environment);
    if (!environment || !environment[at] || !nytp_guest_spell(variable, &guest, start)) return environment;
    for (; environment[n]; n++) copy[n] = environment[n];
    copy[at] = variable;
    copy[n] = NULL;
    return copy;
}

static size_t count(char *const *list) {
    size_t n = 0;
    while (list && list[n]) n++;
    return n;
}

static int spawn(spawn_function *function, pid_t *pid, const char *path, const posix_spawn_file_actions_t *actions,
                 const posix_spawnattr_t *attributes, char *const argv[], char *const environment[]) {
    char variable[NYTP_GUEST_ROOM], **copy = alloca((count(environment) + 1) * sizeof *copy);
    uint64_t start = nytp_guest_now();
    pid_t its = 0;
    int code = function(&its, path, actions, attributes, argv, with_start(environment, copy, variable, start));
    if (pid && !code) *pid = its;
    if (code) return code;
    children[its % CHILDREN] = (child){its, start};
    nytp_guest_began(&guest, &(nytp_guest_process){(uint64_t)its, start, argv, environment});
    return 0;
}

EXPORT int posix_spawn(pid_t *pid, const char *path, const posix_spawn_file_actions_t *actions,
                       const posix_spawnattr_t *attributes, char *const argv[], char *const environment[]) {
    if (!real_spawn) find_functions();
    if (is_on) return spawn(real_spawn, pid, path, actions, attributes, argv, environment);
    return real_spawn(pid, path, actions, attributes, argv, environment);
}

EXPORT int posix_spawnp(pid_t *pid, const char *file, const posix_spawn_file_actions_t *actions,
                        const posix_spawnattr_t *attributes, char *const argv[], char *const environment[]) {
    if (!real_spawnp) find_functions();
    if (is_on) return spawn(real_spawnp, pid, file, actions, attributes, argv, environment);
    return real_spawnp(pid, file, actions, attributes, argv, environment);
}

/* A child made by fork or vfork becomes a process of the build: its record is a stream of its own, as the memory may be
 * its parent's or a copy. A program that replaces itself stays the process that it is. */
static char *const *become(char *const *argv, char *const *environment, char **copy, char *variable) {
    nytp_guest own = guest;
    uint64_t start = nytp_guest_now();
    if (getpid() == (pid_t)guest.stream.pid) {
        nytp_guest_end(&guest, NYTP_END_EXEC);
        return environment;
    }
    nytp_guest_renew(&own);
    nytp_guest_began(&own, &(nytp_guest_process){own.stream.pid, start, argv, environment});
    nytp_guest_end(&own, NYTP_END_EXEC);
    return with_start(environment, copy, variable, start);
}

EXPORT int execve(const char *path, char *const argv[], char *const environment[]) {
    char variable[NYTP_GUEST_ROOM], **copy = alloca((is_on ? count(environment) + 1 : 1) * sizeof *copy);
    char *const *its = is_on ? become(argv, environment, copy, variable) : environment;
    return (int)syscall(SYS_execve, path, argv, its);
}

EXPORT int execv(const char *path, char *const argv[]) { return execve(path, argv, environ); }

EXPORT int execvp(const char *file, char *const argv[]) {
    char variable[NYTP_GUEST_ROOM], **copy = alloca((is_on ? count(environ) + 1 : 1) * sizeof *copy);
    char *const *its = is_on ? become(argv, environ, copy, variable) : environ;
    return execvpe(file, argv, its);
}

/* ---- its end ---- */

static void note_end(pid_t pid, int status, const struct rusage *used) {
    child *c = &children[pid % CHILDREN];
    uint64_t start = c->pid == pid ? c->start : 0;
    if (!WIFEXITED(status) && !WIFSIGNALED(status)) return;
    if (c->pid == pid) c->pid = 0;
    nytp_guest_ended(&guest, (uint64_t)pid, start, status, used, 0);
}

static pid_t wait_for(pid_t pid, int *status, int options, struct rusage *used) {
    struct rusage own;
    int its = 0;
    if (!is_on) return wait4(pid, status, options, used);
    pid_t found = wait4(pid, &its, options, &own);
    if (found > 0) note_end(found, its, &own);
    if (found > 0 && status) *status = its;
    if (found > 0 && used) *used = own;
    return found;
}

EXPORT pid_t waitpid(pid_t pid, int *status, int options) { return wait_for(pid, status, options, NULL); }

EXPORT pid_t wait(int *status) { return wait_for(-1, status, 0, NULL); }

EXPORT pid_t wait3(int *status, int options, struct rusage *used) { return wait_for(-1, status, options, used); }
