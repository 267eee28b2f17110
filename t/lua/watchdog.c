/* SPDX-License-Identifier: MIT */
/* watchdog.c - a host that watches over its scripts by a C hook: coroutines that it resumes in turns, each with a hook
 * that counts instructions, makes it yield now and then, and at last stops one that does not end. It knows nothing of
 * profilers unless it is given one (WITH_PROFILER). Says what its hooks have seen. */
#include <lauxlib.h>
#include <lualib.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>

#ifdef WITH_PROFILER
#include "nytprof.h"
#endif

static int counts, lines, calls;

static void watch(lua_State *L, lua_Debug *ar) {
    if (ar->event == LUA_HOOKCOUNT) counts++;
    if (ar->event == LUA_HOOKCOUNT && counts % 10 == 0 && lua_isyieldable(L)) lua_yield(L, 0);
}

static void stop(lua_State *L, lua_Debug *ar) {
    (void)ar;
    luaL_error(L, "stopped");
}

static void see(lua_State *L, lua_Debug *ar) {
    (void)L;
    if (ar->event == LUA_HOOKLINE && lua_getinfo(L, "l", ar) && ar->currentline > 0) lines++;
    if (ar->event == LUA_HOOKCALL) calls++;
}

static int resume(lua_State *T, lua_State *from) {
#if LUA_VERSION_NUM >= 504
    int results;
    return lua_resume(T, from, 0, &results);
#else
    return lua_resume(T, from, 0);
#endif
}

static lua_State *script(lua_State *L, const char *text, const char *name, lua_Hook hook, int mask, int count) {
    lua_State *T = lua_newthread(L);
    lua_sethook(T, hook, mask, count);
    if (luaL_loadbuffer(T, text, __builtin_strlen(text), name)) puts(lua_tostring(T, -1));
    return T;
}

static const char work[] = "local function step(n) return n + 1 end\nlocal n = 0\n"
                           "for i = 1, 20000 do\n  n = step(n)\nend\n"
                           "print(n, debug.gethook())\n";

int main(void) {
    lua_State *L = luaL_newstate();
    luaL_openlibs(L);
#ifdef WITH_PROFILER
    nytprof_attach(L, NULL, NULL, 0);
#endif
    if (luaL_dostring(L, "function main() return 1 end main()")) puts(lua_tostring(L, -1));
    lua_State *T[3] = {script(L, work, "@one.lua", watch, LUA_MASKCOUNT, 1000),
                       script(L, work, "@two.lua", watch, LUA_MASKCOUNT, 1000),
                       script(L, "while true do\n  local x = 1\nend", "@endless.lua", stop, LUA_MASKCOUNT, 5000)};
    int turns = 0;
    for (int running = 3; running > 0;) {
        running = 0;
        for (int i = 0; i < 3; i++)
            if (T[i] && resume(T[i], L) == LUA_YIELD) running++, turns++;
            else if (T[i]) {
                if (lua_status(T[i]) != LUA_OK) puts(lua_tostring(T[i], -1));
                T[i] = NULL;
            }
    }
    printf("%d instructions, %d turns\n", counts * 1000, turns);
    lua_sethook(L, see, LUA_MASKLINE | LUA_MASKCALL, 0);
    if (luaL_dostring(L, "local function f() return 1 end\nf()\nf()\n"
                         "local g = coroutine.wrap(function()\n  f()\nend)\ng()\n"
                         "print(debug.gethook())\n"))
        puts(lua_tostring(L, -1));
    printf("%d lines, %d calls; %s %d %d\n", lines, calls, lua_gethook(L) == see ? "ours" : "another's",
           lua_gethookmask(L), lua_gethookcount(L));
    lua_sethook(L, NULL, 0, 0);
    if (luaL_dostring(L, "main()")) puts(lua_tostring(L, -1));
    printf("%d lines, %s\n", lines, lua_gethook(L) ? "a hook" : "no hook");
    fflush(stdout);
    if (getenv("KILLED")) raise(SIGKILL);
#ifdef WITH_PROFILER
    nytprof_detach(L);
#endif
    lua_close(L);
    return 0;
}
