/* SPDX-License-Identifier: MIT */
/* outside.c - time outside statements and calls. Devel::NYTProf calls the phase that compiles the main program
 * main::NULL, and charges its time to main::RUNTIME; here the phase gets a telling name and its time. */
#include "model/outside.h"

#include <string.h>

#include "base/buf.h"
#include "base/ticks.h"
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

/* Time outside statements with a name of its own: that of a host program between its calls of perl. */
static int64_t host_time(const nytp_profile *p) {
    int64_t ticks = 0;
    for (uint32_t i = 0; i < p->nodes_n; i++) {
        const nytp_sub *s = &p->subs[p->nodes[i].sub];
        if (s->flags & NYTP_SUB_PHASE && nytp_str_eq(s->name, NYTP_LIT("(host)")))
            ticks = nytp_ticks_add(ticks, p->nodes[i].exclusive);
    }
    return ticks;
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

/* Gives a phase its time and its name for people. */
static enum nytp_code tell(nytp_profile *p, nytp_intern *in, uint32_t sub, nytp_str name, int64_t ticks) {
    const nytp_node like = {.parent = NYTP_ROOT, .sub = sub};
    uint32_t node = sub == NYTP_INTERN_FAILED ? sub : nytp_intern_node(in, &like);
    if (node == NYTP_INTERN_FAILED || !name.p) return NYTP_NOMEM;
    p->nodes[node].exclusive = nytp_ticks_add(p->nodes[node].exclusive, ticks);
    p->subs[sub].flags |= NYTP_SUB_ACTIVITY;
    p->subs[sub].name = name;
    p->subs[sub].package = (nytp_str){NULL, 0};
    return NYTP_OK;
}

/* A profile that began later has no compilation, only the moment before its first statement: less than a thousandth
 * gets no entry. */
enum nytp_code nytp_outside_tell(nytp_profile *p, nytp_intern *in) {
    int64_t compiling = 0, waiting = 0, elapsed = 0;
    int code = NYTP_OK;
    for (uint32_t i = 0; i < p->processes_n; i++) {
        compiling = nytp_ticks_add(compiling, compiling_time(p, i));
        waiting = nytp_ticks_add(waiting, p->processes[i].waited);
        elapsed = nytp_ticks_add(elapsed, p->processes[i].elapsed);
    }
    int64_t host = host_time(p);
    compiling = compiling > host ? compiling - host : 0;
    uint32_t phase = compiling_phase(p);
    nytp_str waits = NYTP_LIT("waiting for clients");
    if (waiting > 0) code = tell(p, in, add_phase(in, waits), waits, waiting);
    if (code || (compiling <= elapsed / 1000 && phase == UINT32_MAX)) return code;
    nytp_node *root = nytp_root_of_perl(p);
    root->exclusive = nytp_ticks_minus(root->exclusive, compiling);
    nytp_str name = compiling_name(p);
    return tell(p, in, phase == UINT32_MAX ? add_phase(in, name) : phase, name, compiling);
}
