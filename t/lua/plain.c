/* SPDX-License-Identifier: MIT */
/* plain.c - a program with Lua in it that knows nothing of profilers. */
#include <lauxlib.h>
#include <lualib.h>

#define TEXT \
    "function answer(n)\n" \
    "  return n * 2\n" \
    "end\n" \
    "local last\n" \
    "if os.getenv('ASK') then require('nytprof').pause() end\n" \
    "for i = 1, 21 do last = answer(i) end\n" \
    "print(last)\n"

int main(void) {
    lua_State *L = luaL_newstate();
    luaL_openlibs(L);
    int failed = luaL_loadbuffer(L, TEXT, sizeof TEXT - 1, "@plain.lua") || lua_pcall(L, 0, 0, 0);
    lua_close(L);
    return failed;
}
