/* SPDX-License-Identifier: MIT */
/* glue.h - what the files of this room share: Lua's headers, the state of one profiled Lua, functions.
 *
 * One Lua (a main thread and its coroutines: what lua_newstate makes) has one recorder. Its hook is one C function for
 * all its threads. ar->i_ci, which the public header has for the debug interface's own use, tells one running call from
 * another; it is followed only as far as layout.c has seen where it leads. */
#ifndef NYTP_LUA_GLUE_H
#define NYTP_LUA_GLUE_H

#include <lauxlib.h>
#include <lua.h>
#include <pthread.h>
#include <signal.h>
#include <string.h>

#include "record/events.h"
#include "record/log.h"
#include "record/settings.h"

/* Functions that some Luas lack. These can load the module all the same and get an error message: see module.c. */
#pragma weak luaL_checkversion_
#pragma weak luaL_loadbufferx
#pragma weak luaL_prepbuffsize
#pragma weak luaL_setfuncs
#pragma weak luaL_testudata
#pragma weak lua_callk
#pragma weak lua_copy
#pragma weak lua_pcallk
#pragma weak lua_rawgetp
#pragma weak lua_rawsetp
#pragma weak lua_rotate
#pragma weak lua_tointegerx
#if LUA_VERSION_NUM >= 504
#pragma weak lua_newuserdatauv
#else
#pragma weak lua_newuserdata
#endif

/* The source of functions: a file, or a text that was loaded. */
typedef struct nytp_chunk {
    nytp_live_file *file;
    uint64_t hash;      /* of its first source */
    nytp_map functions; /* by first and last line: an index in nytp_lua.functions, from 1 */
    struct nytp_function *twins; /* functions that share their lines */
    uint32_t twin_n;
    uint32_t is_mixed; /* 1: several texts have been loaded under its name */
    uint32_t is_own_source; /* 1: its name is the whole text, as far as the latest load tells */
} nytp_chunk;

/* A string of Lua's that names a chunk, by its address. Lua may reuse the address, so length and hash are compared
 * whenever a main chunk is called, as it runs before its functions. */
typedef struct nytp_alias {
    nytp_chunk *chunk;
    size_t length;
    uint64_t hash;
    uint32_t is_doubtful; /* 1: a main chunk may have been called unseen */
} nytp_alias;

typedef struct nytp_function {
    nytp_chunk *chunk;  /* NULL: written in C */
    nytp_live_sub *sub;
    nytp_live_place **lines; /* places of line `first` and on, mask + 1; g->unseen for lines that did not run */
    uint32_t first, mask;
    uint16_t enter, exit; /* NYTP_EVENT_... of a call */
    uint32_t less;        /* units of work that a call made by it has less: see NYTP_WORK_FROM_C */
    uint32_t role;      /* enum nytp_role */
    uint32_t defined, ended; /* lines, as Lua has them; side by side */
    const char *source;      /* address of its chunk's name at the last call; NULL: main chunk */
    uintptr_t code;          /* address of its code then; 0: to be looked up again */
    const nytp_alias *alias; /* the alias of `source` */
    lua_CFunction address;   /* of one in C */
    uint64_t print;          /* hash of its code, which tells it from others on its lines */
    struct nytp_function *next_twin;
    uint32_t is_twin;        /* 1: in its chunk's list of twins */
    uint32_t nth;            /* number among those called on its lines, from 1 */
} nytp_function;

/* Roles of C functions that the hook treats specially. */
enum nytp_role {
    NYTP_ROLE_NONE,
    NYTP_ROLE_LOAD,
    NYTP_ROLE_YIELD, /* roles from here on need work before the call */
    NYTP_ROLE_WAIT,  /* may wait: see hook.c */
    NYTP_ROLE_RESUME,
    NYTP_ROLE_WRAPPED,
    NYTP_ROLES
};

typedef struct nytp_call {
    const void *ci; /* NULL for the bottom one, which stands for the caller of the thread */
    nytp_live_node *node;
    nytp_live_place *place;
    nytp_function *function;
} nytp_call;

typedef struct nytp_host_hook {
    lua_Hook hook; /* NULL: none */
    int mask, count;
} nytp_host_hook;

/* A thread (coroutine) and the calls that run in it, the last one innermost. */
typedef struct nytp_thread {
    nytp_call *top;
    nytp_call *calls, *last; /* room for calls: first and last */
    struct nytp_thread *resumer; /* NULL: the host */
    struct nytp_thread *next;    /* the thread that ran after this one the last time: most threads come in pairs */
    lua_State *L;
    nytp_host_hook host;   /* the host's own */
    struct nytp_timed_thread *timed; /* timing.h; NULL: nothing of it */
    uint32_t is_hosts;     /* 1: the latest change of the hook was the host's */
    uint32_t has_yielded;  /* 1: in the host's hook */
} nytp_thread;

#define NYTP_RECENT 1024 /* a power of two */

/* Where this Lua keeps the function of a call: see layout.c. ar->i_ci begins with the address of a stack slot, which
 * holds a value and, behind it, a byte with the value's kind. */
typedef struct nytp_layout {
    uint32_t is_known;                  /* 0: the rest is not set */
    uint32_t lua_tag, c_tag, light_tag; /* kinds of value: closure in Lua, closure in C, C function's address */
    uint32_t lines, source;             /* offsets in a prototype: first and last line; the source's string */
    uint32_t head;                      /* offset of the string's text */
    uint32_t caller;                    /* offset in a call: the call that made it */
    uint32_t size, code, infos; /* offsets in a prototype: number of instructions, instructions, line information */
    uint32_t saved;             /* offset in a call: the next instruction */
    uint32_t is_traced;         /* 0: the last four are not set, and saved is 0 */
    uint32_t walks;             /* how often Lua looks for the number of a line: see work.c */
} nytp_layout;

/* Offset in a closure: its prototype or its C function. */
#define NYTP_LAYOUT_CODE (3 * sizeof(void *))

/* Reasons for extra work after an event. */
enum nytp_after {
    NYTP_AFTER_CHECK = 1,
    NYTP_AFTER_PROGRAM = 2, /* the program has set a hook, at least once */
    NYTP_AFTER_SIGNAL = 4,  /* a signal that ends the program has come */
    NYTP_AFTER_HOST = 8     /* the host has a hook for more than counting instructions */
};

typedef struct nytp_calibrator nytp_calibrator; /* calibrate.c's */

/* A record is used again for another Lua, and never given back to the system: a system thread of an earlier event may
 * still read the first two members, which are therefore set by nytp_lua_be_at only. */
typedef struct nytp_lua {
    lua_State *quick; /* `L`, if reading the clock is one instruction; else NULL */
    lua_State *L;     /* the thread that had the latest event; NULL: none yet, or switched off */
    nytp_thread *thread; /* and its record */
    uint32_t lines;      /* 1: lines are counted, not only calls */
    uint32_t after;      /* sum of enum nytp_after */
    uint32_t duty;       /* percentage of the time with lines traced; 0: see `lines` */
    volatile sig_atomic_t tracing; /* 1: lines are traced now */
    int64_t since, until;          /* beginning and end of the phase */
    lua_State *kept;               /* the thread kept from being collected for it */
    const void *home;              /* the system thread that it runs in, by the address of a thread-local variable */
    nytp_recorder r;
    nytp_function **recent; /* recently called functions */

    nytp_layout layout;
    nytp_options options;
    lua_Alloc allocator; /* the host's, with option memory */
    void *allocator_self;
    lua_State *own; /* not the program's (lines.c); NULL: none */
    int (*own_load)(lua_State *, lua_Reader, void *, const char *, const char *); /* Lua's lua_load */
    uint64_t checks, wrong;
    uint32_t is_timed;    /* 1: the hook is that of timing.h */
    nytp_thread *timed;   /* the thread of its latest event; NULL: none, or no lengths of calls */
    struct nytp_lua_waiting *waiting; /* waiting.h; NULL: not asked for */
    uint32_t has_hosts; /* 1: the host has set or removed a hook of some thread */
    int64_t lost;       /* threads with another hook */
    nytp_map threads; /* by address: an index in all_threads, from 1 */
    nytp_thread **all_threads;
    uint32_t thread_n, thread_room;
    nytp_map aliases; /* by address: an index in all_aliases, from 1 */
    nytp_alias **all_aliases;
    uint32_t alias_n, alias_room;
    nytp_map chunks;  /* by name and place of loading: file ids */
    nytp_map c_functions;
    nytp_function **functions;
    uint32_t function_n, function_room;
    lua_CFunction roles[NYTP_ROLES];
    nytp_function host;    /* stands for the caller of a thread, and for code in LUA_INIT; without a sub */
    nytp_live_place unseen;    /* stands for lines without a place; no line begins with its instruction */
    nytp_live_place *no_lines; /* the lines of functions without any: `unseen` */
    lua_State *main;
    struct nytp_lua_sampler *sampler; /* NULL: no samples */
    nytp_calibrator *calibrator; /* NULL: prices are not measured */
    struct nytp_lua *next; /* in a list of life.c's */
} nytp_lua;

static inline void nytp_lua_be_at(nytp_lua *g, lua_State *L) {
    __atomic_store_n(&g->quick, nytp_clock_is_quick(nytp_clock_of(&g->r)) ? L : NULL, __ATOMIC_RELAXED);
    __atomic_store_n(&g->L, L, __ATOMIC_RELAXED);
}

/* A signal handler in any thread adds to `after`, too. Events read it without atomics: an instruction less in each. */
static inline void nytp_after_add(nytp_lua *g, uint32_t what) { __atomic_fetch_or(&g->after, what, __ATOMIC_RELAXED); }

/* hook.c */
void nytp_hook(lua_State *L, lua_Debug *ar);
void nytp_hook_set(nytp_lua *g, lua_State *L); /* sets or removes the hook; new threads inherit it */
int nytp_hook_is_ours(lua_Hook hook);
void nytp_hook_after(nytp_lua *g, lua_State *L, lua_Debug *ar); /* an event that nytp_hook does not see */

/* here.c: the Lua with the latest event in this system thread, never NULL; its L is NULL while it is not recorded. */
extern _Thread_local __attribute__((tls_model("initial-exec"))) nytp_lua *nytp_here;
nytp_lua *nytp_here_swap(nytp_lua *g); /* makes g the one here, and returns the previous one */
/* The record of L, which becomes current, and the time; NULL: not recorded. */
nytp_lua *nytp_here_record(lua_State *L, lua_Debug *ar, int64_t *now);

/* duty.c: option duty. prepare returns whether g uses it; arrive: g now runs in this system thread; follow: L is the
 * current thread now. */
void nytp_lua_duty_hook(lua_State *L, lua_Debug *ar);
void nytp_lua_duty_prepare(nytp_lua *g, lua_State *L);
void nytp_lua_duty_release(nytp_lua *g, lua_State *L); /* drops the reference held by follow */
void nytp_lua_duty_arrive(nytp_lua *g);
void nytp_lua_duty_follow(nytp_lua *g, lua_State *L);
void nytp_lua_duty_pause(nytp_lua *g);

/* sample.c: option sample. prepare returns 0 if the program is not profiled, with an error or what is in the log; the
 * others are for a g with a sampler. on: g begins, or goes on; finish: its end is to be written, or it is switched off;
 * hurry, of a signal handler, has the next event call nytp_hook_after. */
void nytp_lua_sample_hook(lua_State *L, lua_Debug *ar);
int nytp_lua_sample_prepare(nytp_lua *g, nytp_error *e);
void nytp_lua_sample_on(nytp_lua *g);
void nytp_lua_sample_finish(nytp_lua *g);
void nytp_lua_sample_hurry(nytp_lua *g);
void nytp_lua_sample_end(nytp_lua *g);
struct nytp_weight *nytp_lua_sample_weight(const nytp_lua *g);

/* gate.c: Lua's own lua_sethook and so on, and any other function behind ours of the same name. */
void nytp_gate_set(lua_State *L, lua_Hook hook, int mask, int count);
lua_Hook nytp_gate_hook(lua_State *L);
int nytp_gate_mask(lua_State *L);
void nytp_gate_find(const char *name, void *function);
int nytp_gate_has(const char *name); /* 1: a function of that name is there */
int nytp_gate_is_open(void); /* 0: Lua's own are not found */

/* The host's own hook: adopt keeps L's hook, begin: a new function runs in t, wants returns the host's mask for L, call
 * calls the hook. */
void nytp_gate_adopt(nytp_lua *g, lua_State *L);
void nytp_gate_forget(nytp_lua *g, lua_State *L); /* the program's hook counts again */
void nytp_gate_begin(nytp_lua *g, nytp_thread *t);
int nytp_gate_wants(nytp_lua *g, lua_State *L, int *count);
void nytp_gate_call(nytp_lua *g, lua_State *L, lua_Debug *ar);
void nytp_gate_count_lost(nytp_lua *g, lua_State *L);
void nytp_gate_say_lost(nytp_lua *g);

nytp_thread *nytp_stack_thread(nytp_lua *g, lua_State *L); /* L's record; NULL when memory is short */
nytp_thread *nytp_stack_known(const nytp_lua *g, lua_State *L); /* the same; NULL if it has none yet */

/* stack.c: makes the record of L current, as L runs now. 0 when memory is short. */
int nytp_stack_switch(nytp_lua *g, lua_State *L, int64_t now);

/* Makes the call of ci the top one of the current thread, after missed events. level is where Lua has it now. */
int nytp_stack_find(nytp_lua *g, lua_State *L, const void *ci, int level, int64_t now);

/* The thread begins anew: the host or a coroutine.resume calls into it. */
void nytp_stack_begin(nytp_lua *g, int64_t now);

/* Fills in the call of ar, which runs in L, made by `caller`; a call that is new there gets a context, but is not
 * counted. 0 when memory is short. */
int nytp_stack_stand(nytp_lua *g, lua_State *L, lua_Debug *ar, const nytp_call *caller, nytp_call *c);

int nytp_stack_grow(nytp_lua *g, nytp_thread *t); /* makes room behind the top; 0 when memory is short */
void nytp_stack_forget(nytp_lua *g); /* the stacks are unknown after a pause */
void nytp_stack_free(nytp_lua *g);

/* A call in the recorder's current node, made where the one below it is. */
static inline int nytp_stack_push(nytp_lua *g, const void *ci, nytp_function *f, nytp_live_place *place) {
    nytp_thread *t = g->thread;
    if (NYTP_UNLIKELY(t->top == t->last) && !nytp_stack_grow(g, t)) return 0;
    nytp_call *c = ++t->top;
    c->ci = ci;
    c->node = nytp_current_node(&g->r);
    c->place = place;
    c->function = f;
    return 1;
}

/* Whether ar, with what belongs to "S", is the code in the variable LUA_INIT. */
static inline int nytp_is_init(const lua_Debug *ar) {
    return *ar->what == 'm' && strncmp(ar->source, "=LUA_INIT", 9) == 0;
}

/* The pointer at that address. */
static inline const char *nytp_layout_load(const char *at) {
    const char *p;
    memcpy(&p, at, sizeof p);
    return p;
}

/* function.c: the function that ar, of lua_getstack or a hook, is about. A right guess, which may be NULL, is faster.
 * NULL when memory is short. */
nytp_function *nytp_function_of(nytp_lua *g, lua_State *L, lua_Debug *ar, nytp_function *guess);
nytp_live_place *nytp_function_place(nytp_lua *g, nytp_function *f, int line);

/* The line's place if it has one; else some other. */
static inline nytp_live_place *nytp_function_guess_place(const nytp_function *f, int line) {
    return f->lines[((uint32_t)line - f->first) & f->mask];
}

/* NULL: none yet. */
static inline nytp_live_place *nytp_function_known_place(const nytp_function *f, int line) {
    nytp_live_place *p = nytp_function_guess_place(f, line);
    return p->line == (uint32_t)line && p->id ? p : NULL;
}

/* A hash of the code, equal for equal functions. The function is on top of L's stack. */
uint64_t nytp_function_print(lua_State *L);

void nytp_function_begin(nytp_lua *g); /* before any other */
void nytp_function_roles(nytp_lua *g, lua_State *L); /* finds the functions that have one */
void nytp_function_free(nytp_lua *g);

/* lines.c: marks the lines of the code of a function that is new; frees what that needs. */
void nytp_lua_lines_mark(nytp_lua *g, lua_State *L, lua_Debug *ar, nytp_live_file *file);
void nytp_lua_lines_free(nytp_lua *g);

/* name.c: the sub of a function that is called for the first time. ar as above. */
nytp_live_sub *nytp_lua_name_sub(nytp_lua *g, lua_State *L, lua_Debug *ar, nytp_function *f);
int nytp_lua_name_may_wait(nytp_str name); /* of a function in C */
static inline nytp_function *nytp_lua_name_function(const nytp_live_sub *s) { return (nytp_function *)s->key.body; }

/* chunk.c: the chunk for the string at ar->source, of a main chunk if is_main. */
nytp_alias *nytp_lua_chunk_of(nytp_lua *g, const lua_Debug *ar, int is_main);

void nytp_lua_chunk_doubt(nytp_lua *g); /* aliases may be outdated after a pause */
void nytp_lua_chunk_doubt_texts(nytp_lua *g); /* those of loaded texts */

/* load has returned the function on top of L's stack: its chunk was loaded at the current place. */
void nytp_lua_chunk_loaded(nytp_lua *g, lua_State *L);

/* Code of the chunk may have been loaded again at an address of earlier code. */
void nytp_lua_chunk_reloaded(nytp_chunk *c);

uint64_t nytp_lua_chunk_hash(const lua_Debug *ar);

/* layout.c: before any hook is set */
void nytp_layout_find(nytp_layout *y, lua_State *L);

/* calibrate.c: fills in the prices of g's events. */
void nytp_lua_calibrate(nytp_lua *g);
void nytp_lua_calibrate_again(nytp_lua *g); /* refines them later, between two events */
void nytp_lua_calibrate_end(nytp_lua *g);

/* counted.c: the counters of memory.c and, from BLOCKED on, of sample/blocked.h, as the recorder is given them. */
enum { NYTP_LUA_ALLOCATIONS, NYTP_LUA_BYTES, NYTP_LUA_BLOCKED };
extern const nytp_counter nytp_lua_counters[];

/* memory.c */
void nytp_memory_watch(nytp_lua *g, lua_State *L);
void nytp_memory_leave(const nytp_lua *g, lua_State *L);

/* timed.c: mark, count and span of the module */
int nytp_lua_timed_mark(lua_State *L);
int nytp_lua_timed_count(lua_State *L);
int nytp_lua_timed_span(lua_State *L);

/* check.c: compares after an event; reports the result */
void nytp_check(nytp_lua *g, lua_State *L, const lua_Debug *ar);
void nytp_check_say(const nytp_lua *g);

/* debug.c: debug.sethook and gethook of the program. install and remove call Lua. */
void nytp_debug_install(nytp_lua *g, lua_State *L);
void nytp_debug_remove(lua_State *L);
void nytp_debug_call(nytp_lua *g, lua_State *L, const lua_Debug *ar); /* the program's hook for that event, if any */
/* The program's mask for thread T, asked from L. */
int nytp_debug_mask(nytp_lua *g, lua_State *L, lua_State *T, int *count);

/* life.c */
nytp_lua *nytp_lua_life_of(lua_State *L); /* NULL: not profiled */
int nytp_lua_life_is_alone(void);         /* 1: there has been one Lua only */
int nytp_lua_life_start(lua_State *L, nytp_options *options, nytp_error *e); /* owns the options; an nytp_code */
void nytp_lua_life_stop(lua_State *L);
void nytp_lua_life_pause(lua_State *L);

void nytp_lua_life_end_by_signal(nytp_lua *g); /* of option sigexit, at g's first event after it; does not return */
int nytp_lua_life_is_any(void);    /* 1: a Lua is being profiled */

/* A record without output for L, a Lua of ours; NULL on failure. To be returned before L is closed. */
nytp_lua *nytp_lua_life_borrow(lua_State *L, const nytp_lua *like);
void nytp_lua_life_give_back(lua_State *L, nytp_lua *borrowed);
int nytp_lua_life_resume(lua_State *L, nytp_error *e);

/* settings.c: options from a table at that index, as record/settings.h has them from texts. */
int nytp_lua_settings_table(nytp_options *o, lua_State *L, int index, nytp_error *e);

#endif
