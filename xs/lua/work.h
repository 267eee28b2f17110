/* SPDX-License-Identifier: MIT */
/* work.h - units of the work that Lua does for events besides calling the hook, and that the hook does in rare cases:
 * events of kind "switch" (see work.c). */
#ifndef NYTP_LUA_WORK_H
#define NYTP_LUA_WORK_H

#include "lua/glue.h"

/* What Lua does before the hook for line p, which is at the instruction of ar now. */
void nytp_work_look(const nytp_layout *y, const lua_Debug *ar, nytp_live_place *p);

/* The address of the instruction that is next in the call of ar, whose line begins. Where that cannot be seen it is
 * some other address; the place then has NYTP_WORK_UNSEEN, which is none, and is looked up by its line. */
static inline uint64_t nytp_work_next(const nytp_layout *y, const lua_Debug *ar) {
    uint64_t next;
    memcpy(&next, (const char *)ar->i_ci + y->saved, sizeof next);
    return next;
}

#define NYTP_WORK_UNSEEN UINT64_MAX

/* Of a place, in its `front`: the instruction behind the one that it began with last (see nytp_work_next), and behind
 * another one that it began with before. Units has eighths of units of work, 16 bits each, from the lowest: before the
 * line, for the line that was; of the line itself; and likewise where it begins with the other instruction. */
enum { NYTP_WORK_OTHER, NYTP_WORK_NEXT, NYTP_WORK_UNITS };

/* In units of work, what else is not in the prices of lines and calls (t/bench/lua-events.pl): a function other than
 * guessed from the line's last call; where that was of another function, of one by way of another like pcall, or of the
 * same in another context; a tail call; another thread, its first call. And what is too much in them: of a call by a
 * function in C, and of a return, which is sooner noticed than a line. */
#if LUA_VERSION_NUM >= 504
enum {
    NYTP_WORK_WRONG_GUESS = 3,
    NYTP_WORK_IN_TURNS = 1,
    NYTP_WORK_OTHER_CALLEE = 3,
    NYTP_WORK_OTHER_CALL = 2,
    NYTP_WORK_OTHER_CONTEXT = 1,
    NYTP_WORK_TAIL = 3,
    NYTP_WORK_THREAD = 3,
    NYTP_WORK_FIRST_CALL = 1,
    NYTP_WORK_FROM_C = 1,
    NYTP_WORK_SOONER = 1
};
#else
enum {
    NYTP_WORK_WRONG_GUESS = 3,
    NYTP_WORK_IN_TURNS = 1,
    NYTP_WORK_OTHER_CALLEE = 4,
    NYTP_WORK_OTHER_CALL = 4,
    NYTP_WORK_OTHER_CONTEXT = 1,
    NYTP_WORK_TAIL = 5,
    NYTP_WORK_THREAD = 6,
    NYTP_WORK_FIRST_CALL = 20,
    NYTP_WORK_FROM_C = 2,
    NYTP_WORK_SOONER = 2
};
#endif

/* The current place and that node, to be current soon, have so many units more. */
static inline void nytp_work_more(nytp_recorder *r, nytp_live_node *n, uint32_t units) {
    nytp_current_place(r)->events[NYTP_EVENT_SWITCH] += units;
    n->events[NYTP_EVENT_SWITCH] += units;
}

static inline void nytp_work_less(nytp_recorder *r, uint32_t units) {
    nytp_current_place(r)->events[NYTP_EVENT_SWITCH] -= units;
    nytp_current_node(r)->events[NYTP_EVENT_SWITCH] -= units;
}

#endif
