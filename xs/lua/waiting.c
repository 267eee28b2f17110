/* SPDX-License-Identifier: MIT */
/* waiting.c - the time of functions in C, which may wait, and kinds of things that they wait for, by names and files.
 *
 * A function that returns still has its arguments, so the file that it has read is asked for when that is known to have
 * taken long; only close is asked before it runs. */
#include "lua/waiting.h"

#include <stdio.h>
#include <stdlib.h>

/* ---- kinds ---- */

/* Functions of Lua's own libraries, LuaSocket, LuaSec, LuaFileSystem, luaposix and the like, with a blank on either
 * side, without the names of their modules. */
static const struct kind {
    enum nytp_blocked_counter kind;
    const char *functions;
} kinds[] = {
    {NYTP_BLOCKED_CLIENT, " accept "},
    {NYTP_BLOCKED_CHILD, " execute popen waitpid "},
    {NYTP_BLOCKED_DISK,
     " attributes chdir chmod dir dofile fdatasync fstat fsync link loadfile lstat mkdir open opendir readdir readlink "
     "remove rename rmdir searchers[2] searchers[3] searchers[4] stat symlink symlinkattributes tmpfile tmpname touch "
     "unlink "},
    {NYTP_BLOCKED_LOCK, " fcntl flock lock lock_dir lockf "},
    {NYTP_BLOCKED_SELECT, " poll rpoll select "},
    {NYTP_BLOCKED_SLEEP, " msleep nanosleep pause sleep usleep "},
    {NYTP_BLOCKED_SOCKET,
     " connect dohandshake getaddrinfo receive receivefrom recv recvfrom send sendto shutdown tohostname toip "},
};

/* The descriptor of Lua's file on top of the stack, which is taken off; -1: it is none, or closed. */
static int pop_file(lua_State *L) {
    const luaL_Stream *file = luaL_testudata(L, -1, LUA_FILEHANDLE);
    int fd = file && file->closef ? fileno(file->f) : -1;
    lua_pop(L, 1);
    return fd;
}

/* Of io.read and io.write. */
static int default_file(lua_State *L, const char *key) {
    lua_pushstring(L, key);
    lua_rawget(L, LUA_REGISTRYINDEX);
    return pop_file(L);
}

static int first_argument(lua_State *L, lua_Debug *ar) { return lua_getlocal(L, ar, 1) ? pop_file(L) : -1; }

/* Of luaposix's read and write. */
static int first_number(lua_State *L, lua_Debug *ar) {
    if (!lua_getlocal(L, ar, 1)) return -1;
    int fd = lua_type(L, -1) == LUA_TNUMBER ? (int)lua_tointegerx(L, -1, NULL) : -1;
    lua_pop(L, 1);
    return fd;
}

/* The file that a function returned by lines reads. */
static int first_upvalue(lua_State *L, lua_Debug *ar) {
    lua_getinfo(L, "f", ar);
    int fd = lua_getupvalue(L, -1, 1) ? pop_file(L) : -1;
    lua_pop(L, 1);
    return fd;
}

/* The name without its module or class. */
static nytp_str last_word(nytp_str name) {
    size_t at = name.n;
    while (at && name.p[at - 1] != '.' && name.p[at - 1] != ':') at--;
    return (nytp_str){name.p + at, name.n - at};
}

static int file_of(lua_State *L, lua_Debug *ar, nytp_str name) {
    if (nytp_str_eq(name, NYTP_LIT("print"))) return fileno(stdout);
    if (nytp_str_eq(name, NYTP_LIT("io.read"))) return default_file(L, "_IO_input");
    if (nytp_str_eq(name, NYTP_LIT("io.write"))) return default_file(L, "_IO_output");
    int fd = first_argument(L, ar);
    if (fd < 0 && nytp_blocked_has_word(" read write ", last_word(name))) fd = first_number(L, ar);
    return fd >= 0 ? fd : first_upvalue(L, ar);
}

static int is_close(nytp_str name) { return nytp_str_eq(last_word(name), NYTP_LIT("close")); }

/* wait is of a process in a module, and of any of several handles as a method. */
static enum nytp_blocked_counter kind_of_name(nytp_str name) {
    nytp_str word = last_word(name);
    if (nytp_str_eq(word, NYTP_LIT("wait"))) return word.n < name.n ? NYTP_BLOCKED_CHILD : NYTP_BLOCKED_SELECT;
    for (size_t i = 0; i < sizeof kinds / sizeof *kinds; i++)
        if (nytp_blocked_has_word(kinds[i].functions, word)) return kinds[i].kind;
    return NYTP_BLOCKED_C;
}

static enum nytp_blocked_counter kind_of(void *self, const nytp_live_sub *sub) {
    const nytp_lua_waiting *w = ((nytp_lua *)self)->waiting;
    if (is_close(sub->name)) return w->closed;
    enum nytp_blocked_counter kind = kind_of_name(sub->name);
    if (kind != NYTP_BLOCKED_C || !w->L) return kind;
    int fd = file_of(w->L, w->ar, sub->name);
    return fd >= 0 ? nytp_blocked_by_handle(fd) : kind;
}

/* At the end of a pipe there is a child, for which close waits. */
static enum nytp_blocked_counter kind_of_close(lua_State *L, lua_Debug *ar) {
    int fd = first_argument(L, ar);
    enum nytp_blocked_counter kind = fd >= 0 ? nytp_blocked_by_handle(fd) : NYTP_BLOCKED_C;
    return kind == NYTP_BLOCKED_PIPE ? NYTP_BLOCKED_CHILD : kind;
}

/* ---- events ---- */

void nytp_lua_waiting_before(nytp_lua *g) {
    nytp_lua_waiting *w = g->waiting;
    w->node = nytp_current_node(&g->r);
    w->place = nytp_current_place(&g->r);
    w->since = nytp_node_since(&g->r);
    w->is_in_c = g->thread && nytp_is_on(&g->r) && g->thread->top->function->sub && !g->thread->top->function->chunk;
}

/* A look is of the node and place before the event, whose interval has just ended. */
static void look(nytp_lua *g, lua_State *L, lua_Debug *ar) {
    nytp_recorder *r = &g->r;
    nytp_lua_waiting *w = g->waiting;
    nytp_live_node *node = nytp_current_node(r);
    nytp_live_place *place = nytp_current_place(r);
    w->L = ar->event == LUA_HOOKRET ? L : NULL;
    w->ar = ar;
    nytp_replace_node(r, w->node);
    nytp_replace_place(r, w->place);
    nytp_blocked_look(&w->blocked, r, nytp_node_since(r));
    nytp_replace_node(r, node);
    nytp_replace_place(r, place);
}

static void count(nytp_lua *g) {
    nytp_lua_waiting *w = g->waiting;
    if (w->is_in_c) w->blocked.in_c += nytp_node_since(&g->r) - w->since;
    w->is_in_c = 0;
}

void nytp_lua_waiting_after(nytp_lua *g, lua_State *L, lua_Debug *ar) {
    nytp_lua_waiting *w = g->waiting;
    const nytp_function *f = g->thread->top->function;
    count(g);
    if (NYTP_UNLIKELY(w->blocked.in_c >= w->blocked.enough)) look(g, L, ar);
    if (ar->event != LUA_HOOKCALL || f->chunk || !f->sub) return;
    nytp_blocked_before(&w->blocked, &g->r, nytp_node_since(&g->r));
    if (f->role == NYTP_ROLE_WAIT && is_close(f->sub->name)) w->closed = kind_of_close(L, ar);
}

/* ---- life ---- */

void nytp_lua_waiting_begin(nytp_lua *g) {
    if (!g->options.waiting || !g->is_timed) return;
    if (!g->waiting) g->waiting = calloc(1, sizeof *g->waiting);
    if (!g->waiting) return;
    g->waiting->blocked.first = NYTP_LUA_BLOCKED;
    g->waiting->blocked.kind_of = kind_of;
    g->waiting->blocked.self = g;
    nytp_blocked_begin(&g->waiting->blocked, &g->r);
}

/* An event ends with a window: the time before it is that of the node before. */
void nytp_lua_waiting_writes(nytp_lua *g, int begins) {
    if (!g->waiting) return;
    if (begins) count(g);
    nytp_blocked_writes(&g->waiting->blocked, &g->r, begins);
}

void nytp_lua_waiting_free(nytp_lua *g) {
    free(g->waiting);
    g->waiting = NULL;
}
