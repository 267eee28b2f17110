/* SPDX-License-Identifier: MIT */
/* counted.c - the rows of Lua's counters. */
#include "lua/glue.h"
#include "sample/blocked.h"

#define BY_LINE_AND_CALL (NYTP_OF_PLACE | NYTP_OF_NODE)

const nytp_counter nytp_lua_counters[] = {
    [NYTP_LUA_ALLOCATIONS] = {"allocations", "Allocations", "", BY_LINE_AND_CALL, NYTP_ADDS_SUM},
    [NYTP_LUA_BYTES] = {"bytes", "Bytes allocated", "B", BY_LINE_AND_CALL, NYTP_ADDS_SUM},
    NYTP_BLOCKED_ROWS(NYTP_LUA_BLOCKED, "files of other kinds", "lua", "Lua"),
    {0},
};
