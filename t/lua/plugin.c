/* SPDX-License-Identifier: MIT */
/* plugin.c - a host that has Lua in a plug-in only, and so knows neither of Lua nor of profilers when it starts.
 * Compiled WITH_LUA it is the plug-in: run() is called twice, by what was handed to dlopen. With "again" the plug-in is
 * unloaded between the calls, and what is mapped then keeps it from being loaded at its old addresses. */
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
#include <sys/mman.h>

static void fill_gaps(void) {
    for (int i = 0; i < 4096; i++) mmap(NULL, 4096, PROT_NONE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
}

/* plugin LIBRARY local|global|again SCRIPT */
int main(int argc, char **argv) {
    int (*run)(const char *);
    if (argc != 4) return 1;
    for (int i = 0; i < 2; i++) {
        void *library = dlopen(argv[1], RTLD_NOW | (*argv[2] == 'g' ? RTLD_GLOBAL : RTLD_LOCAL));
        void *found = library ? dlsym(library, "run") : NULL;
        if (!found) {
            puts(library ? "no function run" : dlerror());
            return 1;
        }
        memcpy(&run, &found, sizeof run);
        printf("%d\n", run(argv[3]));
        if (*argv[2] != 'a') continue;
        dlclose(library);
        fill_gaps();
    }
    return 0;
}

#endif
