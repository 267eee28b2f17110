/* settings.c - options from the variable NYTPROF, which Perl programs are profiled with, too, and from a table. */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "lua/glue.h"

/* What only Perl has, done there in Perl. */
static int is_for_perl(const char *name) { return strcmp(name, "posix_exit") == 0; }

static int set(nytp_options *o, const char *name, const char *value, int unknown_is_error, nytp_error *e) {
    char line[320];
    int known = nytp_options_set(o, name, value, e);
    if (known < 0) return e->code;
    if (known || is_for_perl(name)) return NYTP_OK;
    if (unknown_is_error) return nytp_error_set(e, NYTP_USAGE, "there is no option '%.200s'", name);
    snprintf(line, sizeof line, "Unknown NYTProf option: '%.200s'", name);
    nytp_log_line(o, line);
    return NYTP_OK;
}

/* Copies up to an end, one of ends, without the backslashes; returns where that is. */
static const char *take(const char *p, const char *ends, nytp_buf *to) {
    for (; *p && !strchr(ends, *p); p++) {
        if (*p == '\\' && p[1]) p++;
        nytp_buf_byte(to, (unsigned char)*p);
    }
    nytp_buf_byte(to, 0);
    return p;
}

static int set_piece(nytp_options *o, const char **p, nytp_error *e) {
    nytp_buf name = {0}, value = {0};
    const char *from = *p;
    *p = take(from, ":=", &name);
    if (**p == '=') *p = take(*p + 1, ":", &value);
    if (name.failed || value.failed) nytp_error_set(e, NYTP_NOMEM, "out of memory");
    else if (name.n < 2 || value.n < 2)
        nytp_error_set(e, NYTP_USAGE, "invalid option '%.*s', expected NAME=VALUE", (int)(*p - from), from);
    else set(o, (const char *)name.p, (const char *)value.p, 0, e);
    nytp_buf_free(&name);
    nytp_buf_free(&value);
    return e->code;
}

int nytp_settings_text(nytp_options *o, const char *text, nytp_error *e) {
    for (const char *p = text; *p && !e->code;) {
        if (*p == ':') p++;
        else set_piece(o, &p, e);
    }
    return e->code;
}

int nytp_settings_begin(nytp_options *o, nytp_error *e) {
    const char *text = getenv("NYTPROF");
    if (nytp_options_init(o)) return nytp_error_set(e, NYTP_NOMEM, "out of memory");
    return text ? nytp_settings_text(o, text, e) : NYTP_OK;
}

static int set_pair(nytp_options *o, lua_State *L, nytp_error *e) {
    const char *name = lua_type(L, -2) == LUA_TSTRING ? lua_tostring(L, -2) : NULL;
    const char *value = NULL;
    if (!name) return nytp_error_set(e, NYTP_USAGE, "an option's name is a string, not a %s", luaL_typename(L, -2));
    if (lua_isboolean(L, -1)) value = lua_toboolean(L, -1) ? "1" : "0";
    if (lua_isstring(L, -1)) {
        lua_pushvalue(L, -1); /* a number's text would take its place, and lua_next lose its way */
        value = lua_tostring(L, -1);
        lua_replace(L, -2);
    }
    if (!value)
        return nytp_error_set(e, NYTP_USAGE, "option %.200s cannot be a %s, expected a string, a number or a boolean",
                              name, luaL_typename(L, -1));
    return set(o, name, value, 1, e);
}

int nytp_settings_table(nytp_options *o, lua_State *L, int index, nytp_error *e) {
    lua_pushvalue(L, index);
    lua_pushnil(L);
    while (!e->code && lua_next(L, -2)) {
        set_pair(o, L, e);
        lua_pop(L, 1);
    }
    lua_pop(L, e->code ? 2 : 1);
    return e->code;
}
