/* SPDX-License-Identifier: MIT */
/* repeats.c - commands of a build that ran more than once. */
#include "report/repeats.h"

#include <inttypes.h>
#include <stdlib.h>

#include "base/grow.h"
#include "base/map.h"
#include "report/command.h"
#include "report/text.h"

#define COMMANDS (1u << 18)
#define LISTED 10u

typedef struct command {
    uint32_t n;    /* processes */
    float seconds; /* of all but the first one */
} command;

typedef struct line {
    uint32_t number; /* of the command, from 1 */
    nytp_command_label label;
} line;

struct nytp_repeats {
    nytp_map numbers; /* of commands, by their hash */
    command *commands;
    uint32_t n, room;
    line lines[LISTED]; /* by seconds, the most first */
    uint32_t lines_n;
    uint64_t repeated;  /* commands */
    int32_t failed;
};

nytp_repeats *nytp_repeats_make(void) { return calloc(1, sizeof(nytp_repeats)); }

static uint64_t hash_of(const nytp_built *process) {
    uint64_t hash = nytp_str_hash(process->command) ^ nytp_str_hash(process->directory) * 0x9E3779B97F4A7C15u;
    return hash ^ nytp_str_hash(process->host) << 1;
}

/* Its number; 0 of one that is not looked at. */
static uint32_t number_of(nytp_repeats *r, uint64_t hash) {
    uint32_t known = nytp_map_get(&r->numbers, hash);
    if (known || r->n == COMMANDS) return known;
    uint32_t *number = nytp_map_at(&r->numbers, hash);
    if (!number || !nytp_grow_owned(&r->commands, r->n, &r->room, sizeof *r->commands)) return r->failed = 1, 0;
    return *number = ++r->n;
}

/* Sums only grow, so a command that the list has lost comes back in time. */
static void list(nytp_repeats *r, uint32_t number, const nytp_built *process) {
    float seconds = r->commands[number - 1].seconds;
    uint32_t at = 0;
    while (at < r->lines_n && r->lines[at].number != number) at++;
    if (at == LISTED && r->commands[r->lines[at - 1].number - 1].seconds >= seconds) return;
    if (at == LISTED) at--;
    else if (at == r->lines_n) r->lines_n++;
    line new = {.number = number};
    nytp_command_describe(&new.label, process);
    for (; at && r->commands[r->lines[at - 1].number - 1].seconds < seconds; at--) r->lines[at] = r->lines[at - 1];
    r->lines[at] = new;
}

void nytp_repeats_add(nytp_repeats *r, const nytp_built *process) {
    uint32_t number = number_of(r, hash_of(process));
    if (!number) return;
    command *c = &r->commands[number - 1];
    if (++c->n == 1) return;
    r->repeated += c->n == 2;
    c->seconds += (float)nytp_command_seconds(process);
    list(r, number, process);
}

void nytp_repeats_put(nytp_buf *out, const nytp_repeats *r) {
    out->failed |= r->failed;
    if (!r->repeated) return;
    nytp_text_around(out, "\nMORE THAN ONCE, the same command in the same directory (", r->repeated, "):\n\n");
    for (uint32_t i = 0; i < r->lines_n; i++) {
        const command *c = &r->commands[r->lines[i].number - 1];
        nytp_text_format(out, "%10.3f s behind the first of %" PRIu32 "  ", (double)c->seconds, c->n);
        nytp_command_put(out, &r->lines[i].label);
    }
    if (r->repeated > r->lines_n) nytp_text_around(out, "           ... and ", r->repeated - r->lines_n, " more\n");
}

void nytp_repeats_free(nytp_repeats *r) {
    if (!r) return;
    nytp_map_free(&r->numbers);
    free(r->commands);
    free(r);
}
