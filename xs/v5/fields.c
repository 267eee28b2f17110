/* SPDX-License-Identifier: MIT */
/* fields.c - the table of format 5's events. */
#include "v5/fields.h"

#include <assert.h>
#include <stddef.h>

#define U(member, name) {#name, 'u', offsetof(nytp_v5_event, u.member.name) - offsetof(nytp_v5_event, u)}
#define I(member, name) {#name, 'i', offsetof(nytp_v5_event, u.member.name) - offsetof(nytp_v5_event, u)}
#define G(member, name) {#name, 'g', offsetof(nytp_v5_event, u.member.name) - offsetof(nytp_v5_event, u)}
#define T(member, name) {#name, 't', offsetof(nytp_v5_event, u.member.name) - offsetof(nytp_v5_event, u)}
#define O(member, name) {#name, 'o', offsetof(nytp_v5_event, u.member.name) - offsetof(nytp_v5_event, u)}
#define S(member, name) {#name, 's', offsetof(nytp_v5_event, u.member.name) - offsetof(nytp_v5_event, u)}

static const nytp_v5_row rows[] = {
    {NYTP_V5_VERSION, "VERSION", {U(version, major), U(version, minor)}},
    {NYTP_V5_ATTRIBUTE, "ATTRIBUTE", {S(pair, key), O(pair, value)}},
    {NYTP_V5_OPTION, "OPTION", {S(pair, key), O(pair, value)}},
    {NYTP_V5_COMMENT, "COMMENT", {{"text", 's', 0}}},
    {NYTP_V5_START_DEFLATE, "START_DEFLATE", {{0}}},
    {NYTP_V5_PID_START, "PID_START", {U(pid, pid), U(pid, parent), T(pid, time)}},
    {NYTP_V5_PID_END, "PID_END", {U(pid, pid), T(pid, time)}},
    {NYTP_V5_NEW_FID, "NEW_FID",
     {U(fid, fid), U(fid, eval_fid), U(fid, eval_line), U(fid, flags), U(fid, size), U(fid, mtime), S(fid, name)}},
    {NYTP_V5_TIME_LINE, "TIME_LINE", {I(time, ticks), U(time, fid), U(time, line)}},
    {NYTP_V5_TIME_BLOCK, "TIME_BLOCK",
     {I(time, ticks), U(time, fid), U(time, line), U(time, block_line), U(time, sub_line)}},
    {NYTP_V5_DISCOUNT, "DISCOUNT", {{0}}},
    {NYTP_V5_SUB_ENTRY, "SUB_ENTRY", {U(time, fid), U(time, line)}},
    {NYTP_V5_SUB_RETURN, "SUB_RETURN", {U(ret, depth), G(ret, inclusive), G(ret, exclusive), S(ret, name)}},
    {NYTP_V5_SUB_INFO, "SUB_INFO", {U(sub, fid), U(sub, first_line), U(sub, last_line), S(sub, name)}},
    {NYTP_V5_SUB_CALLERS, "SUB_CALLERS",
     {U(callers, fid), U(callers, line), U(callers, count), G(callers, inclusive), G(callers, exclusive),
      G(callers, recursive), U(callers, depth), S(callers, caller), S(callers, name)}},
    {NYTP_V5_SRC_LINE, "SRC_LINE", {U(line, fid), U(line, line), S(line, text)}},
};

const nytp_v5_row *nytp_v5_fields_of(enum nytp_v5_tag tag) {
    const nytp_v5_row *row = rows;
    while (row->tag != tag) {
        row++;
        assert(row < rows + sizeof rows / sizeof *rows);
    }
    return row;
}
