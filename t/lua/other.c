/* SPDX-License-Identifier: MIT */
/* other.c - as a library (-DLIBRARY) what another Lua looks like from outside, and a plug-in that has it in it
 * (plugin.c); else a program that needs it, and loads something if it is given an argument. */
typedef struct lua_State lua_State;
int luaL_loadstring(lua_State *L, const char *text);
int lua_callk(void);

#ifdef LIBRARY
int luaL_loadstring(lua_State *L, const char *text) { return L != 0 || *text == 'y'; }
int lua_callk(void) { return 0; }
int run(const char *text);
int run(const char *text) { return luaL_loadstring(0, text); }
#else
int main(int argc, char **argv) { return argc > 1 ? luaL_loadstring(0, argv[1]) + lua_callk() : 0; }
#endif
