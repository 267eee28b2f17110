/* SPDX-License-Identifier: MIT */
/* moment.c - finds the instruction, in Lua 5.4 among the processor's registers.
 *
 * Lua 5.3 keeps it in the call's record. Lua 5.4 notes it there only before it may fail, and notices a hook at the next
 * jump or call, so the line of the hook is mostly that of a loop's first statement. While it runs, and in most
 * functions that it calls, the instruction's address is in a register, mostly in the same one: the one that points most
 * often into the code of the function. */
#include "lua/moment.h"

#include <ucontext.h>

#define INSTRUCTION sizeof(uint32_t)

#if LUA_VERSION_NUM >= 504 && defined(__x86_64__) && defined(__linux__)
#define NUMBERS(context) (context)->uc_mcontext.gregs
#elif LUA_VERSION_NUM >= 504 && defined(__aarch64__) && defined(__linux__)
#define NUMBERS(context) (context)->uc_mcontext.regs
#endif

void nytp_moment_keep(nytp_moment *m, const nytp_layout *y, const void *call, const void *context) {
    memset(m->registers, 0, sizeof m->registers);
    m->saved = y->is_traced ? nytp_layout_load((const char *)call + y->saved) : NULL;
#ifdef NUMBERS
    const ucontext_t *all = context;
    size_t n = sizeof NUMBERS(all);
    if (all) memcpy(m->registers, NUMBERS(all), n < sizeof m->registers ? n : sizeof m->registers);
#else
    (void)context;
#endif
}

/* Addresses of instructions of one function: behind the first, up to behind the last. */
typedef struct code {
    uintptr_t from, bytes;
} code;

static int is_in(const code *c, const char *at) {
    uintptr_t behind = (uintptr_t)at - c->from;
    return behind > 0 && behind <= c->bytes && behind % INSTRUCTION == 0;
}

static code code_of(const nytp_layout *y, const void *call) {
    const char *slot = nytp_layout_load(call);
    uint32_t n;
    if (!y->is_traced || (uint8_t)slot[sizeof(void *)] != y->lua_tag) return (code){0, 0};
    const char *proto = nytp_layout_load(nytp_layout_load(slot) + NYTP_LAYOUT_CODE);
    memcpy(&n, proto + y->size, sizeof n);
    return (code){(uintptr_t)nytp_layout_load(proto + y->code), n * INSTRUCTION};
}

const char *nytp_moment_next(nytp_moment *m, const nytp_layout *y, const void *call) {
    code c = code_of(y, call);
    int best = -1;
    for (int i = 0; i < NYTP_MOMENT_REGISTERS; i++) {
        if (!is_in(&c, m->registers[i])) continue;
        m->votes[i]++;
        if (best < 0 || m->votes[i] > m->votes[best]) best = i;
    }
    if (best >= 0) return m->registers[best];
    return is_in(&c, m->saved) ? m->saved : NULL;
}
