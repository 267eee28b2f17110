/* SPDX-License-Identifier: MIT */
/* format.c - the table of records: their names, and their fields in the order of the file. */
#include "capture/format.h"

#include <string.h>

/* What only writes has no use of names. A table without addresses is the same for all programs that load it, and takes
 * none of their time. */
#ifdef NYTP_FORMAT_NAMELESS
#define NAME(text) NULL
#else
#define NAME(text) text
#endif

/* Does not compile if the member's type is not the one that the letter stands for. */
#define MEMBER(record, field) ((nytp_rec_##record *)0)->field
#define AT(record, field) offsetof(nytp_rec_##record, field)
#define U(record, field) {NAME(#field), _Generic(MEMBER(record, field), uint64_t: 'u'), AT(record, field)}
#define D(record, field) {NAME(#field), _Generic(MEMBER(record, field), uint64_t: 'd'), AT(record, field)}
#define I(record, field) {NAME(#field), _Generic(MEMBER(record, field), int64_t: 'i'), AT(record, field)}
#define S(record, field) {NAME(#field), _Generic(MEMBER(record, field), nytp_str: 's'), AT(record, field)}
#define EVENTS(name, event) {NAME(#name), 'i', AT(delta, events[NYTP_EVENT_##event])}
#define PAIR {S(pair, key), S(pair, value)}
#define OLD_DELTA {U(delta, id), I(delta, count), I(delta, ticks)}
#define MEMORY {U(memory, id), I(memory, count), I(memory, bytes)}
#define ONCE 0, 0
#define REPEATS 1, 0
#define TODAY(kind) 1, NYTP_REC_##kind

static const nytp_row rows[NYTP_REC_KINDS] = {
    [NYTP_REC_DAMAGE] = {NAME("damage"), ONCE, {U(damage, offset), U(damage, length), S(damage, reason)}},
    [NYTP_REC_PROCESS_START] =
        {NAME("process_start"), ONCE,
         {U(process_start, parent_pid), U(process_start, parent_start), U(process_start, start),
          I(process_start, start_ticks), U(process_start, ticks_per_second), U(process_start, resolution),
          I(process_start, clock_id), S(process_start, clock_name), S(process_start, program),
          S(process_start, interpreter)}},
    [NYTP_REC_PROCESS_END] =
        {NAME("process_end"), ONCE,
         {U(process_end, end), I(process_end, end_ticks), U(process_end, user_us), U(process_end, system_us),
          U(process_end, max_rss_kb), U(process_end, minor_faults), U(process_end, major_faults),
          U(process_end, blocks_in), U(process_end, blocks_out), U(process_end, switches),
          U(process_end, forced_switches), U(process_end, thread_us)}},
    [NYTP_REC_ATTRIBUTE] = {NAME("attribute"), ONCE, PAIR},
    [NYTP_REC_OPTION] = {NAME("option"), ONCE, PAIR},
    [NYTP_REC_PROPERTY] = {NAME("property"), ONCE, PAIR},
    [NYTP_REC_NOTE] = {NAME("note"), ONCE, {S(note, text)}},
    [NYTP_REC_FILE] =
        {NAME("file"), ONCE,
         {U(file, id), U(file, flags), U(file, parent), U(file, parent_line), U(file, size), U(file, mtime),
          S(file, name)}},
    [NYTP_REC_SOURCE] = {NAME("source"), ONCE, {U(source, file), U(source, first_line), S(source, text)}},
    [NYTP_REC_CARRIED] = {NAME("carried"), REPEATS, {U(carried, file), U(carried, line), U(carried, carrier)}},
    [NYTP_REC_SUB] =
        {NAME("sub"), ONCE,
         {U(sub, id), U(sub, flags), U(sub, file), U(sub, first_line), U(sub, last_line), U(sub, ordinal),
          S(sub, name), S(sub, alias)}},
    [NYTP_REC_OLD_PLACE] =
        {NAME("place"), TODAY(PLACE),
         {U(place, id), U(place, file), U(place, line), U(place, block_line), U(place, sub_line)}},
    [NYTP_REC_OLD_NODE] =
        {NAME("node"), TODAY(NODE), {U(node, id), U(node, parent), U(node, place), U(node, sub)}},
    [NYTP_REC_OLD_PLACE_DELTA] = {NAME("place_delta"), TODAY(PLACE_DELTA), OLD_DELTA},
    [NYTP_REC_OLD_NODE_DELTA] = {NAME("node_delta"), TODAY(NODE_DELTA), OLD_DELTA},
    [NYTP_REC_WINDOW] =
        {NAME("window"), ONCE,
         {I(window, subtracted), I(window, flush), I(window, off), I(window, anchor_ticks), U(window, anchor_ns),
          I(window, waited), I(window, cold), U(window, threads)}},
    [NYTP_REC_COST] = {NAME("cost"), REPEATS, {U(cost, event), U(cost, count), I(cost, cost)}},
    [NYTP_REC_CALL_ENTRY] = {NAME("call_entry"), REPEATS, {I(call_entry, ticks), U(call_entry, node)}},
    [NYTP_REC_CALL_RETURN] =
        {NAME("call_return"), REPEATS, {I(call_return, ticks), U(call_return, node), I(call_return, exclusive)}},
    [NYTP_REC_END] = {NAME("end"), ONCE, {U(end, how), U(end, chunks)}},
    [NYTP_REC_OLD_PLACE_MEMORY] = {NAME("place_memory"), REPEATS, MEMORY},
    [NYTP_REC_OLD_NODE_MEMORY] = {NAME("node_memory"), REPEATS, MEMORY},
    [NYTP_REC_TAIL] = {NAME("tail"), REPEATS, {U(tail, node)}},
    [NYTP_REC_PLACE] =
        {NAME("place"), REPEATS,
         {D(place, id), D(place, file), D(place, line), D(place, block_line), D(place, sub_line)}},
    [NYTP_REC_NODE] = {NAME("node"), REPEATS, {D(node, id), D(node, parent), D(node, place), D(node, sub)}},
    [NYTP_REC_PRICE] =
        {NAME("price"), ONCE,
         {U(price, event), I(price, ticks), U(price, spread), U(price, measured), I(price, parts)}},
    [NYTP_REC_PLACE_DELTA] =
        {NAME("place_delta"), REPEATS,
         {D(delta, id), I(delta, count), I(delta, ticks), EVENTS(switches, SWITCH), EVENTS(enters, ENTER),
          EVENTS(exits, EXIT), EVENTS(leaf_calls, LEAF_ENTER)}},
    [NYTP_REC_NODE_DELTA] =
        {NAME("node_delta"), REPEATS,
         {D(delta, id), I(delta, count), I(delta, ticks), EVENTS(statements, STATEMENT), EVENTS(switches, SWITCH),
          EVENTS(enters, ENTER), EVENTS(exits, EXIT), EVENTS(leaf_enters, LEAF_ENTER),
          EVENTS(leaf_exits, LEAF_EXIT)}},
    [NYTP_REC_TEXT] = {NAME("text"), ONCE, {S(text, key), S(text, text)}},
    [NYTP_REC_STORED] = {NAME("stored"), ONCE, {U(stored, file), S(stored, key)}},
    [NYTP_REC_METRIC] =
        {NAME("metric"), ONCE,
         {U(metric, id), U(metric, of), U(metric, adds), S(metric, name), S(metric, unit), S(metric, title)}},
    [NYTP_REC_VALUES] =
        {NAME("values"), REPEATS, {D(value, metric), D(value, of), D(value, id), I(value, value)}},
    [NYTP_REC_CODE] = {NAME("code"), REPEATS, {D(code, file), D(code, line)}},
    [NYTP_REC_PROCESS] =
        {NAME("process"), ONCE,
         {U(process, pid), U(process, start), U(process, parent), U(process, level), U(process, words),
          U(process, cut), S(process, directory), S(process, target), S(process, command)}},
    [NYTP_REC_EXIT] =
        {NAME("exit"), ONCE,
         {U(exit, pid), U(exit, start), U(exit, end), U(exit, status), U(exit, user_us), U(exit, system_us),
          U(exit, max_rss_kb), U(exit, minor_faults), U(exit, major_faults), U(exit, blocks_in), U(exit, blocks_out),
          U(exit, switches), U(exit, forced_switches)}},
    [NYTP_REC_MARK] = {NAME("mark"), ONCE, {I(mark, ticks), S(mark, name)}},
    [NYTP_REC_LABEL] =
        {NAME("label"), ONCE, {U(label, id), U(label, of), S(label, name), U(label, sub), U(label, node)}},
    [NYTP_REC_TALLY] =
        {NAME("tally"), ONCE,
         {U(tally, label), I(tally, count), I(tally, sum), I(tally, longest), I(tally, began)}},
    [NYTP_REC_BUCKETS] = {NAME("buckets"), REPEATS, {D(bucket, label), D(bucket, bucket), I(bucket, count)}},
    [NYTP_REC_SEEN] =
        {NAME("seen"), REPEATS, {D(seen, node), D(seen, place), I(seen, samples), I(seen, ns)}},
};

const nytp_row *nytp_format_row(uint64_t kind) {
    return kind < NYTP_REC_KINDS && rows[kind].fields[0].type ? &rows[kind] : NULL;
}

int nytp_format_same_stream(const nytp_stream_id *a, const nytp_stream_id *b) {
    return a->pid == b->pid && a->thread == b->thread && a->front_end == b->front_end &&
           a->process_start == b->process_start && memcmp(a->run, b->run, sizeof a->run) == 0;
}

uint64_t nytp_format_hash_stream(const nytp_stream_id *s) {
    uint64_t h = nytp_str_hash((nytp_str){(const char *)s->run, sizeof s->run});

    return h ^ s->process_start ^ (uint64_t)s->pid << 32 ^ (uint64_t)s->thread << 8 ^ s->front_end;
}

static int is_word(char c) {
    return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || c == '_';
}

/* Of string.format, of Account:deposit: up to the last dot or colon. Anything else a name may be has other characters
 * in it, or ends in a line's number. */
static size_t table_of(nytp_str name) {
    size_t cut = 0;

    for (size_t i = 0; i < name.n; i++) {
        if (name.p[i] == '.' || name.p[i] == ':') cut = i;
        else if (!is_word(name.p[i]) && (name.p[i] < '0' || name.p[i] > '9')) return 0;
    }
    return cut && cut + 1 < name.n && is_word(name.p[cut + 1]) ? cut : 0;
}

nytp_str nytp_format_package(nytp_str name) {
    size_t end = name.n, cut = 0;

    for (size_t i = 0; i < name.n && i < end; i++)
        if (name.p[i] == '[') end = i;
    for (size_t i = 0; i + 1 < end; i++)
        if (name.p[i] == ':' && name.p[i + 1] == ':') cut = i;
    return (nytp_str){name.p, cut ? cut : table_of(name)};
}
