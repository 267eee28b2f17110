/* SPDX-License-Identifier: MIT */
/* unhook.c - a host that takes away the hook that its program has set. Says how many lines that hook has seen. */
#include <lauxlib.h>
#include <lualib.h>
#include <stdio.h>

int main(void) {
    lua_State *L = luaL_newstate();
    luaL_openlibs(L);
    if (luaL_dostring(L, "seen = 0\ndebug.sethook(function() seen = seen + 1 end, 'l')\nlocal x = 1\n")) return 1;
    lua_sethook(L, NULL, 0, 0);
    if (luaL_dostring(L, "for i = 1, 10 do\n  local x = i\nend\nprint(seen)\n")) return 1;
    lua_close(L);
    return 0;
}
