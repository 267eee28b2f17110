/* SPDX-License-Identifier: MIT */
/* work.c - Lua's own work for a line event, besides the call of the hook.
 *
 * While lines are traced Lua checks at each instruction whether the line changes: 4 ns. To find a new line's number Lua
 * 5.4 walks up to 128 instructions, 0.4 ns each. So long lines cost twice as much as plain ones, and the last lines of
 * a long function three times as much (t/bench/lua-events.pl). Both are counted in units of one price, as events of
 * kind "switch", which is unused in Lua otherwise: the instructions of a line with the line, the walk with the line
 * before, which is charged for that time. Up to Lua 5.4.2 it walks three times if the line is further on than the one
 * before, once if that has jumped back. Instructions that depend on a test in the line count half, as it is unknown
 * how often they run.
 *
 * The instruction at which a line begins is read by the layout that layout.c has found. A line that begins at two, as a
 * loop's does, is examined once for each; one that begins at more is examined again at each change. */
#include "lua/work.h"

#define MOST 128 /* instructions; a longer line is left by a jump before its end */

/* Instructions in which a jump back is looked for: this bounds the work for each new line of a long function. A longer
 * loop takes microseconds a round, of which walks that are not there are a small part. */
#define LOOP 512

/* In eighths of a unit; n: of instructions walked. */
#define WAY(n) ((2 * (n) + 1) / 3)
#define OWN(halves) (7 * (halves) / 2)

/* Kinds of instructions. Some run together with the one before: jumps behind a test, the slow case of arithmetic, one
 * of two that load the result of a comparison, ... Behind others a line of one line's functions and loops does not go
 * on: the end of a round, returns. */
#if LUA_VERSION_NUM >= 504
#define KIND 0x7F
#define JUMP 56
#define JUMP_SHIFT 7
#define JUMP_NONE 0xFFFFFF /* a jump to the next instruction */
#define LOOP_SHIFT 15
static const uint8_t loops[] = {73, 77};
static const uint8_t along[] = {6, 46, 47, 48, JUMP, 82}, last[] = {69, 70, 71, 72, 73, 77};
static const uint8_t tests[] = {57, 58, 59, 60, 61, 62, 63, 64, 65, 66, 67};
#else
#define KIND 0x3F
#define JUMP 30
#define JUMP_SHIFT 14
#define JUMP_NONE 0x1FFFF
static const uint8_t along[] = {JUMP, 42, 46}, last[] = {37, 38, 39, 42};
static const uint8_t tests[] = {31, 32, 33, 34, 35};
#endif

static const char *load(const char *at) {
    const char *p;
    memcpy(&p, at, sizeof p);
    return p;
}

static uint32_t instruction_at(const char *code, uint32_t pc) {
    uint32_t instruction;
    memcpy(&instruction, code + pc * sizeof instruction, sizeof instruction);
    return instruction;
}

static int is_one_of(const char *code, uint32_t pc, const uint8_t *kinds, size_t n) {
    return memchr(kinds, (int)(instruction_at(code, pc) & KIND), n) != NULL;
}

#define IS(kinds, code, pc) is_one_of(code, pc, kinds, sizeof(kinds))

#if LUA_VERSION_NUM >= 504

#define NO_DIFFERENCE INT8_MIN /* the line is in a table, where the walk begins */

static int is_same_line(const char *infos, uint32_t pc, uint32_t next) {
    (void)pc;
    return infos[next] == 0;
}

/* 1 if the instruction at `at` jumps back to that at pc. */
static int jumps_back_to(const char *code, uint32_t at, uint32_t pc) {
    uint32_t instruction = instruction_at(code, at);
    if ((instruction & KIND) == JUMP) return at + 1 + (instruction >> JUMP_SHIFT) - JUMP_NONE == pc;
    return IS(loops, code, at) && at + 1 - (instruction >> LOOP_SHIFT) == pc;
}

/* 1 if the line is mostly reached from further on in the function, or is its first. */
static int is_reached_back(const char *code, uint32_t pc, uint32_t size) {
    uint32_t end = size - pc > LOOP ? pc + LOOP : size;
    for (uint32_t at = pc; at < end; at++)
        if (jumps_back_to(code, at, pc)) return 1;
    return pc <= 1;
}

/* The number of instructions walked to find the number of the line at pc. */
static uint32_t way_to(const nytp_layout *y, const char *infos, const char *code, uint32_t pc, uint32_t size) {
    uint32_t way = 0;
    while (way < pc && (int8_t)infos[pc - way] != NO_DIFFERENCE) way++;
    return y->walks == 1 || is_reached_back(code, pc, size) ? way : y->walks * way;
}

#else

static int line_of(const char *infos, uint32_t pc) {
    int line;
    memcpy(&line, infos + pc * sizeof line, sizeof line);
    return line;
}

static int is_same_line(const char *infos, uint32_t pc, uint32_t next) {
    return line_of(infos, next) == line_of(infos, pc);
}

static uint32_t way_to(const nytp_layout *y, const char *infos, const char *code, uint32_t pc, uint32_t size) {
    (void)y, (void)infos, (void)code, (void)pc, (void)size;
    return 0;
}

#endif

static uint32_t end_of_line(const char *infos, uint32_t pc, uint32_t size) {
    uint32_t end = pc + 1;
    while (end < size && end - pc < MOST && is_same_line(infos, pc, end)) end++;
    return end;
}

/* 1: a test whose jump leaves the line from..end. */
static int may_leave(const char *code, uint32_t pc, uint32_t from, uint32_t end) {
    if (pc + 1 >= end || !IS(tests, code, pc) || (instruction_at(code, pc + 1) & KIND) != JUMP) return 0;
    uint32_t target = pc + 2 + (instruction_at(code, pc + 1) >> JUMP_SHIFT) - JUMP_NONE;
    return target < from || target >= end;
}

/* The beginning of the instructions that depend on the line's last test that may leave the line; the end if there is
 * none. */
static uint32_t body_of_line(const char *code, uint32_t from, uint32_t end) {
    for (uint32_t pc = end; pc-- > from;)
        if (may_leave(code, pc, from, end)) return pc + 2;
    return end;
}

/* The number of instructions of the line that run, in halves: those that depend on a test count half. */
static uint32_t halves_of_line(const char *code, uint32_t from, uint32_t end) {
    uint32_t halves = 2, body = body_of_line(code, from, end);
    for (uint32_t pc = from; pc < end && !IS(last, code, pc);) {
        do pc++;
        while (pc < end && IS(along, code, pc));
        if (pc < end) halves += pc < body ? 2 : 1;
    }
    return halves;
}

/* The units of a line that begins before the instruction at next; 0 if that is not in the function, or its lines were
 * stripped. */
static uint32_t units_of_line(const nytp_layout *y, const lua_Debug *ar, uint64_t next) {
    const char *proto = load(load(load((const char *)ar->i_ci)) + NYTP_LAYOUT_CODE);
    const char *infos = load(proto + y->infos), *code = load(proto + y->code);
    uint64_t pc = (next - (uintptr_t)code) / sizeof(uint32_t) - 1;
    uint32_t size;
    memcpy(&size, proto + y->size, sizeof size);
    if (!infos || pc >= size) return 0;
    uint32_t end = end_of_line(infos, (uint32_t)pc, size);
    return WAY(way_to(y, infos, code, (uint32_t)pc, size)) | OWN(halves_of_line(code, (uint32_t)pc, end)) << 16;
}

void nytp_work_look(const nytp_layout *y, const lua_Debug *ar, nytp_live_place *p) {
    uint64_t next = y->is_traced ? nytp_work_next(y, ar) : NYTP_WORK_UNSEEN, units = p->front[NYTP_WORK_UNITS];
    uint32_t of_other = (uint32_t)(units >> 32);
    if (p->front[NYTP_WORK_OTHER] != next) of_other = y->is_traced ? units_of_line(y, ar, next) : 0;
    p->front[NYTP_WORK_OTHER] = p->front[NYTP_WORK_NEXT];
    p->front[NYTP_WORK_NEXT] = next;
    p->front[NYTP_WORK_UNITS] = units << 32 | of_other;
}
