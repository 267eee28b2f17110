/* work.c - what Lua does for a line's event besides calling the hook.
 *
 * While lines are traced, each instruction makes Lua look whether its line is another: 4 ns. For the number of a line
 * that begins Lua 5.4 goes through up to 128 instructions before it, 0.4 ns each. So long lines cost twice as much as
 * plain ones, and the last lines of a long function three times as much (t/bench/lua-events.pl). Both are counted in
 * units of one price, as kind "switch", which Lua has no other use for: the instructions of a line with the line, the
 * way to its number with the line before, since that has the time.
 *
 * Which instruction a line begins with is where layout.c has seen it. Lines that begin with several are looked at anew
 * whenever it is another. */
#include "lua/glue.h"

#define MOST 64 /* instructions: a line that long is left by a jump before its end */

/* In eighths of a unit. */
#define WAY(n) ((2 * (n) + 1) / 3)
#define OWN(n) (7 * (n))

/* Kinds of instructions. Some are done along with those before: jumps behind a test, the slow case of arithmetic, ...
 * Behind others a line of one line's functions and loops does not go on: the end of a round, returns. */
#if LUA_VERSION_NUM >= 504
#define KIND 0x7F
static const uint8_t along[] = {46, 47, 48, 56, 77, 82}, last[] = {69, 70, 71, 72, 73, 77};
#else
#define KIND 0x3F
static const uint8_t along[] = {30, 42, 46}, last[] = {37, 38, 39, 42};
#endif

static const char *load(const char *at) {
    const char *p;
    memcpy(&p, at, sizeof p);
    return p;
}

#if LUA_VERSION_NUM >= 504

#define NO_DIFFERENCE INT8_MIN /* the line is in a table, where the way begins */

static int is_same_line(const char *infos, uint32_t pc, uint32_t next) {
    (void)pc;
    return infos[next] == 0;
}

static uint32_t way_to(const char *infos, uint32_t pc) {
    uint32_t way = 0;
    while (way < pc && (int8_t)infos[pc - way] != NO_DIFFERENCE) way++;
    return way;
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

static uint32_t way_to(const char *infos, uint32_t pc) {
    (void)infos, (void)pc;
    return 0;
}

#endif

static int kind_of(const char *code, uint32_t pc) {
    uint32_t instruction;
    memcpy(&instruction, code + pc * sizeof instruction, sizeof instruction);
    return (int)(instruction & KIND);
}

/* How many instructions of the line that begins there Lua looks at. */
static uint32_t length_of_line(const char *infos, const char *code, uint32_t pc, uint32_t size) {
    uint32_t length = 1;
    for (uint32_t at = pc; length < MOST && !memchr(last, kind_of(code, at), sizeof last); length++) {
        do at++;
        while (at < size && is_same_line(infos, pc, at) && memchr(along, kind_of(code, at), sizeof along));
        if (at >= size || !is_same_line(infos, pc, at)) break;
    }
    return length;
}

/* Nothing where the instruction is none of the function's, or its lines have been stripped. */
void nytp_work_look(const nytp_layout *y, const lua_Debug *ar, nytp_place *p) {
    const char *proto = load(load(load((const char *)ar->i_ci)) + NYTP_LAYOUT_CODE);
    const char *infos = load(proto + y->infos), *code = load(proto + y->code);
    uint64_t next = nytp_work_next(y, ar), pc = (next - (uintptr_t)code) / sizeof(uint32_t) - 1;
    uint32_t size;
    memcpy(&size, proto + y->size, sizeof size);
    p->front[NYTP_WORK_NEXT] = next;
    p->front[NYTP_WORK_UNITS] = 0;
    if (!infos || pc >= size) return;
    p->front[NYTP_WORK_UNITS] = WAY((uint64_t)way_to(infos, (uint32_t)pc)) |
                                OWN((uint64_t)length_of_line(infos, code, (uint32_t)pc, size)) << 32;
}
