/* SPDX-License-Identifier: MIT */
/* outside.c - time outside statements and calls. Devel::NYTProf calls the phase that compiles the main program
 * main::NULL, and charges its time to main::RUNTIME; here the phase gets a telling name and its time. */
#include "model/outside.h"

#include <stdlib.h>
#include <string.h>

#include "base/buf.h"
#include "base/ticks.h"
#include "model/language.h"
#include "model/root.h"

/* An option of one process; empty if there is none. */
static nytp_str option_of(const nytp_profile *p, uint32_t process, const char *key) {
    for (uint32_t i = 0; i < p->pairs_n; i++) {
        const nytp_pair *pair = &p->pairs[i];
        if (pair->kind == NYTP_REC_OPTION && pair->process == process && nytp_str_eq(pair->key, nytp_str_c(key)))
            return pair->value;
    }
    return (nytp_str){NULL, 0};
}

/* Without option stmts all time is outside statements. */
static int64_t compiling_time(const nytp_profile *p, uint32_t process) {
    const nytp_process *of = &p->processes[process];
    if (of->id.front_end != NYTP_FRONT_PERL || of->outside <= 0) return 0;
    return nytp_str_eq(option_of(p, process, "stmts"), NYTP_LIT("0")) ? 0 : of->outside;
}

/* Time outside statements with a name of its own: that of a host program between its calls of perl, of perl between the
 * calls of DESTROY at its end, and of coroutines that begin or end. */
static int is_told(const nytp_sub *s) {
    return s->flags & NYTP_SUB_PHASE &&
           (nytp_str_eq(s->name, NYTP_LIT("(host)")) || nytp_str_eq(s->name, NYTP_LIT("main::DESTRUCT")) ||
            nytp_str_starts(s->name, NYTP_LIT("(coroutine")));
}

/* Time outside statements of a main program: of one process, or of all whose paths are added up. */
typedef struct outside {
    uint32_t root; /* its node */
    int64_t compiling, waiting;
} outside;

/* The process that a main program is of, by the name, too, as other phases are below them; 0: none. */
static uint32_t process_of(const nytp_profile *p, uint32_t node) {
    uint32_t process = nytp_profile_main_of(p, node);
    if (!process || process > p->processes_n) return 0;
    nytp_str name = nytp_language_root(&p->processes[process - 1]);
    return nytp_str_eq(p->subs[p->nodes[node].sub].name, name) ? process : 0;
}

static void find_roots(nytp_profile *p, outside *all, int is_apart) {
    if (!is_apart) all[0].root = (uint32_t)(nytp_root_of_perl(p) - p->nodes);
    for (uint32_t i = 1; i < p->nodes_n && is_apart; i++) {
        uint32_t process = process_of(p, i);
        if (process) all[process - 1].root = i;
    }
}

static void sum_times(nytp_profile *p, outside *all, uint32_t n) {
    find_roots(p, all, n > 1);
    for (uint32_t i = 0; i < p->processes_n; i++) {
        outside *of = &all[i < n ? i : 0];
        of->compiling = nytp_ticks_add(of->compiling, compiling_time(p, i));
        of->waiting = nytp_ticks_add(of->waiting, p->processes[i].waited);
    }
    for (uint32_t node = 0; node < p->nodes_n; node++) {
        if (!is_told(&p->subs[p->nodes[node].sub])) continue;
        for (uint32_t i = 0; i < n; i++)
            if (n == 1 || all[i].root == p->nodes[node].parent)
                all[i].compiling = nytp_ticks_minus(all[i].compiling, p->nodes[node].exclusive);
    }
}

/* "compiling PROGRAM", or of several processes "compiling the programs" where these differ. In the arena; p
 * is NULL when memory is short. */
static nytp_str compiling_name(nytp_profile *p) {
    nytp_str program = {NULL, 0};
    nytp_buf name = {0};
    for (uint32_t i = 0; i < p->processes_n; i++) {
        nytp_str other = p->processes[i].program;
        if (!compiling_time(p, i)) continue;
        program = !program.p || nytp_str_eq(program, other) ? other : NYTP_LIT("the programs");
        if (!nytp_str_eq(program, other)) break;
    }
    if (!program.p && p->processes_n) program = p->processes[0].program;
    nytp_buf_bytes(&name, "compiling ", strlen("compiling "));
    nytp_buf_bytes(&name, program.p, program.n);
    nytp_str text = {(const char *)name.p, name.n};
    nytp_str kept = name.failed ? (nytp_str){NULL, 0} : nytp_arena_str(&p->arena, text);
    nytp_buf_free(&name);
    return kept;
}

/* The phase in which BEGIN blocks were run; UINT32_MAX if none was. */
static uint32_t compiling_phase(const nytp_profile *p) {
    for (uint32_t i = 0; i < p->subs_n; i++)
        if (p->subs[i].flags & NYTP_SUB_PHASE && nytp_str_eq(p->subs[i].name, NYTP_LIT("main::NULL"))) return i;
    return UINT32_MAX;
}

static uint32_t add_phase(nytp_intern *in, nytp_str name) {
    const nytp_sub like = {.name = name, .flags = NYTP_SUB_PHASE};
    return nytp_intern_sub(in, &like);
}

static void name_phase(nytp_profile *p, uint32_t sub, nytp_str name) {
    p->subs[sub].flags |= NYTP_SUB_ACTIVITY;
    p->subs[sub].name = name;
    p->subs[sub].package = (nytp_str){NULL, 0};
}

/* The context of a phase below a main program; NULL when memory is short. */
static nytp_node *phase_of(nytp_profile *p, nytp_intern *in, uint32_t root, uint32_t sub) {
    const nytp_node like = {.parent = root, .sub = sub};
    uint32_t node = sub == NYTP_INTERN_FAILED ? sub : nytp_intern_node(in, &like);
    return node == NYTP_INTERN_FAILED ? NULL : &p->nodes[node];
}

/* No statement is charged with it, so it is beside the time of the main program. */
static enum nytp_code tell_waiting(nytp_profile *p, nytp_intern *in, const outside *all, uint32_t n) {
    nytp_str name = NYTP_LIT("waiting for clients");
    for (uint32_t i = 0; i < n; i++) {
        if (all[i].waiting <= 0) continue;
        uint32_t sub = add_phase(in, name);
        nytp_node *node = phase_of(p, in, all[i].root, sub);
        if (!node) return NYTP_NOMEM;
        node->exclusive = nytp_ticks_add(node->exclusive, all[i].waiting);
        name_phase(p, sub, name);
    }
    return NYTP_OK;
}

/* Moves the time of compiling. The main program has no less than that but for the error of its time: then it keeps
 * none, and the total stays. */
static enum nytp_code tell_compiling(nytp_profile *p, nytp_intern *in, const outside *all, uint32_t n) {
    uint32_t sub = compiling_phase(p);
    nytp_str name = compiling_name(p);
    if (!name.p) return NYTP_NOMEM;
    if (sub == UINT32_MAX) sub = add_phase(in, name);
    for (uint32_t i = 0; i < n; i++) {
        if (all[i].compiling <= 0) continue;
        nytp_node *node = phase_of(p, in, all[i].root, sub), *root = &p->nodes[all[i].root];
        if (!node) return NYTP_NOMEM;
        int64_t had = root->exclusive > 0 ? root->exclusive : 0;
        int64_t moved = all[i].compiling < had ? all[i].compiling : had;
        root->exclusive = nytp_ticks_minus(root->exclusive, moved);
        node->exclusive = nytp_ticks_add(node->exclusive, moved);
    }
    if (sub == NYTP_INTERN_FAILED) return NYTP_NOMEM;
    name_phase(p, sub, name);
    return NYTP_OK;
}

/* A profile that began later has no compilation, only the moment before its first statement: less than a thousandth
 * gets no entry. */
static int is_worth_telling(const nytp_profile *p, const outside *all, uint32_t n) {
    int64_t compiling = 0, elapsed = 0;
    for (uint32_t i = 0; i < n; i++) compiling = nytp_ticks_add(compiling, all[i].compiling);
    for (uint32_t i = 0; i < p->processes_n; i++) elapsed = nytp_ticks_add(elapsed, p->processes[i].elapsed);
    return compiling > elapsed / 1000 || compiling_phase(p) != UINT32_MAX;
}

enum nytp_code nytp_outside_tell(nytp_profile *p, nytp_intern *in, int is_apart) {
    uint32_t n = is_apart && p->processes_n ? p->processes_n : 1;
    outside *all = calloc(n, sizeof *all);
    if (!all) return NYTP_NOMEM;
    sum_times(p, all, n);
    enum nytp_code code = tell_waiting(p, in, all, n);
    if (!code && is_worth_telling(p, all, n)) code = tell_compiling(p, in, all, n);
    free(all);
    return code;
}
