/* SPDX-License-Identifier: MIT */
/* plugin.c - a host that has Lua in a plug-in only, and so knows neither of Lua nor of profilers when it starts.
 * Compiled WITH_LUA it is the plug-in: run() is called twice, by what was handed to dlopen. */
#ifdef WITH_LUA

#include <lauxlib.h>
#include <lualib.h>

int run(const char *file);

int run(const char *file) {
    lua_State *L = luaL_newstate();
    luaL_openlibs(L);
    int failed = luaL_dofile(L, file);
    int answer = failed ? -1 : (int)lua_tointeger(L, -1);
    lua_close(L);
    return answer;
}

#else

#include <dlfcn.h>
#include <stdio.h>
#include <string.h>

/* plugin LIBRARY local|global SCRIPT */
int main(int argc, char **argv) {
    int (*run)(const char *);
    void *library = argc == 4 ? dlopen(argv[1], RTLD_NOW | (*argv[2] == 'g' ? RTLD_GLOBAL : RTLD_LOCAL)) : NULL;
    void *found = library ? dlsym(library, "run") : NULL;
    if (!found) {
        puts(library ? "no function run" : dlerror());
        return 1;
    }
    memcpy(&run, &found, sizeof run);
    for (int i = 0; i < 2; i++) printf("%d\n", run(argv[3]));
    return 0;
}

#endif
