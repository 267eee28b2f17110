/* other.c - as a library (-DLIBRARY) what another Lua looks like from outside; else a program that needs it, and loads
 * something if it is given an argument. */
typedef struct lua_State lua_State;
int luaL_loadstring(lua_State *L, const char *text);
int lua_callk(void);

#ifdef LIBRARY
int luaL_loadstring(lua_State *L, const char *text) { return L != 0 || *text == 'y'; }
int lua_callk(void) { return 0; }
#else
int main(int argc, char **argv) { return argc > 1 ? luaL_loadstring(0, argv[1]) + lua_callk() : 0; }
#endif
