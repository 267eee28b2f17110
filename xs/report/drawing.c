/* SPDX-License-Identifier: MIT */
/* drawing.c - the processes of a build as a drawing. */
#include "report/drawing.h"

#include <assert.h>
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

#include "base/grow.h"
#include "base/utf8.h"
#include "report/text.h"

#define BLOCK 14   /* columns of a head or foot */
#define RAIL 2     /* columns of a process beside one that it started */
#define LETTERS 11 /* of a class that runs down a column */
#define PENDING 32 /* most lines that are not complete: two events, with the lines of a time */
#define MARGIN 7   /* columns for times */
#define PARTS 4    /* of a time: year, day, minute, second */
#define TIME 16    /* bytes of a part; six, but for odd years */

/* A process that runs. */
typedef struct rail {
    const nytp_built *process; /* NULL: its end is not known */
    int64_t began;             /* ns since the epoch */
    uint64_t from;             /* the first line below the head */
    uint32_t column;
    int32_t is_above; /* 1: the process that begins is below it */
    char class[LETTERS];
} rail;

typedef struct line {
    nytp_buf cells; /* of 1 byte, ASCII */
    char margin[TIME];
} line;

struct nytp_drawing {
    uint32_t width;
    rail *rails; /* by column */
    uint32_t n, room;
    line lines[PENDING]; /* line L is in slot L % PENDING */
    uint64_t first;      /* the first one that is not printed */
    uint64_t latest;     /* that of the latest event */
    nytp_buf below;      /* of uint64_t, for each column: the first line behind all texts */
    char now[PARTS][TIME]; /* the latest time */
    int64_t end;           /* of processes that have none, ns since the epoch */
    int32_t has_events, has_box;
};

/* ---- lines ---- */

static line *line_at(nytp_drawing *t, uint64_t number) {
    assert(number >= t->first && number < t->first + PENDING);
    return &t->lines[number % PENDING];
}

static int is_blank(const line *l, size_t column) { return column >= l->cells.n || l->cells.p[column] == ' '; }

static void put(nytp_drawing *t, uint64_t number, size_t column, char c) {
    nytp_buf *cells = &line_at(t, number)->cells;
    while (cells->n <= column && !cells->failed) nytp_buf_byte(cells, ' ');
    if (!cells->failed) cells->p[column] = (unsigned char)c;
}

/* At most n columns; a character that is not ASCII is a question mark. */
static void put_text(nytp_drawing *t, uint64_t number, size_t column, const char *text, size_t n) {
    const char *end = text + strlen(text);
    for (uint32_t code; n && text < end; n--) {
        size_t length = nytp_utf8_decode(text, (size_t)(end - text), &code);
        put(t, number, column++, (char)(length == 1 && code >= ' ' && code <= '~' ? code : '?'));
        text += length ? length : 1;
    }
}

/* Rails are drawn where no text is, and classes beside them where no process is. */
static void draw_rails(nytp_drawing *t, uint64_t number) {
    for (size_t i = 0; i < t->n; i++)
        if (number >= t->rails[i].from && is_blank(line_at(t, number), t->rails[i].column))
            put(t, number, t->rails[i].column, '|');
    for (size_t i = 0; i < t->n; i++) {
        const rail *r = &t->rails[i];
        if (number < r->from || !is_blank(line_at(t, number), r->column + RAIL)) continue;
        char letter = r->class[(number - r->from) % LETTERS];
        if (letter != ' ') put(t, number, r->column + RAIL, letter);
    }
}

static void print(nytp_drawing *t, line *l, nytp_buf *out) {
    size_t n = l->cells.n, most = t->width > MARGIN ? t->width - MARGIN : 0;
    while (n && l->cells.p[n - 1] == ' ') n--;
    nytp_text_format(out, n ? "%*s" : "%*.6s", n ? -MARGIN : 0, l->margin);
    nytp_buf_bytes(out, l->cells.p, most && n > most ? most - 1 : n);
    if (most && n > most) nytp_buf_byte(out, '>');
    nytp_buf_byte(out, '\n');
    if (l->cells.failed) out->failed = 1;
    nytp_buf_clear(&l->cells);
    l->margin[0] = 0;
}

static int is_empty(const line *l) { return !l->cells.n && !l->cells.failed; }

/* Completes the lines above this one. */
static void advance(nytp_drawing *t, uint64_t number, nytp_buf *out) {
    for (; t->first < number; t->first++) {
        draw_rails(t, t->first);
        print(t, line_at(t, t->first), out);
    }
}

/* ---- places ---- */

static uint64_t below(const nytp_drawing *t, size_t column) {
    size_t n = t->below.n / sizeof(uint64_t);
    return column < n ? ((const uint64_t *)(const void *)t->below.p)[column] : 0;
}

static void occupy(nytp_drawing *t, size_t from, size_t until, uint64_t number) {
    const uint64_t none = 0;
    while (t->below.n < until * sizeof none && !t->below.failed) nytp_buf_bytes(&t->below, &none, sizeof none);
    for (size_t i = from; i < until && !t->below.failed; i++) ((uint64_t *)(void *)t->below.p)[i] = number;
}

static void spell_time(char parts[PARTS][TIME], int64_t ns) {
    time_t seconds = (time_t)(ns / 1000000000);
    struct tm tm;
    memset(parts, 0, PARTS * sizeof *parts);
    if (!localtime_r(&seconds, &tm)) return;
    size_t n = strftime(parts[0], sizeof parts[0], "*%Y*", &tm);
    if (!n) parts[0][0] = 0; /* five digits */
    strftime(parts[1], sizeof parts[1], " %b%d", &tm);
    strftime(parts[2], sizeof parts[2], " %H:%M", &tm);
    snprintf(parts[3], sizeof parts[3], ":%02d.%02d", tm.tm_sec % 100, (int)(ns / 10000000 % 100));
}

/* The line for an event at that time, with texts in columns from `from` on: as high as there is room. The lines above
 * it are completed, and the parts of the time that have changed are put into the margin. */
static uint64_t begin_event(nytp_drawing *t, int64_t ns, size_t from, size_t until, uint64_t earliest, nytp_buf *out) {
    char parts[PARTS][TIME];
    spell_time(parts, ns);
    uint64_t more = 0, number = t->latest;
    for (int i = 0; i < PARTS - 1; i++) more += strcmp(parts[i], t->now[i]) != 0;
    int is_new = more || strcmp(parts[PARTS - 1], t->now[PARTS - 1]) != 0;
    number += more + (uint64_t)(t->has_events && is_new);
    if (number < earliest) number = earliest;
    for (size_t i = from; i < until; i++)
        if (below(t, i) > number) number = below(t, i);
    advance(t, number - more, out);
    uint64_t at = number - more;
    for (int i = 0; i < PARTS; i++)
        if (is_new && (i == PARTS - 1 || strcmp(parts[i], t->now[i]) != 0))
            memcpy(line_at(t, at++)->margin, parts[i], sizeof parts[i]);
    advance(t, number, out);
    memcpy(t->now, parts, sizeof parts);
    t->has_events = 1;
    return t->latest = number;
}

/* ---- processes ---- */

static rail *rail_of(const nytp_drawing *t, const nytp_built *process) {
    size_t i = 0;
    while (i < t->n && t->rails[i].process != process) i++;
    return i < t->n ? &t->rails[i] : NULL;
}

/* Marks the processes above this one, whose columns are further left the higher they are. */
static void mark_above(nytp_drawing *t, const nytp_built *process) {
    const nytp_built *above = process->parent;
    for (size_t i = t->n; i-- > 0;) {
        rail *r = &t->rails[i];
        r->is_above = above && r->process == above;
        if (r->is_above) above = above->parent;
    }
}

/* Right of the processes above it, and a block's width from all others. */
static uint32_t find_column(nytp_drawing *t, const nytp_built *process) {
    uint32_t column = 0;
    mark_above(t, process);
    for (size_t i = 0; i < t->n; i++)
        if (t->rails[i].is_above) column = t->rails[i].column + RAIL;
    for (size_t i = 0; i < t->n; i++) {
        uint32_t other = t->rails[i].column, apart = other < column ? column - other : other - column;
        if (apart < BLOCK && !t->rails[i].is_above) column = other + BLOCK;
    }
    return column;
}

/* The letters of a class that run down; none of one that says nothing. */
static void spell_class(rail *r, const char *class) {
    const char *end = class + strlen(class);
    uint32_t code;
    memset(r->class, ' ', sizeof r->class);
    if (strcmp(class, "UNKNOWN") == 0) return;
    for (size_t i = 0, length; i < LETTERS && class < end; i++, class += length ? length : 1) {
        length = nytp_utf8_decode(class, (size_t)(end - class), &code);
        r->class[i] = (char)(length == 1 && code >= ' ' && code <= '~' ? code : '?');
    }
}

static void add_rail(nytp_drawing *t, const rail *new) {
    size_t i = t->n;
    if (!nytp_grow_owned(&t->rails, t->n, &t->room, sizeof *t->rails)) {
        t->below.failed = 1;
        return;
    }
    for (; i && t->rails[i - 1].column > new->column; i--) t->rails[i] = t->rails[i - 1];
    t->rails[i] = *new;
    t->n++;
}

static void begins(nytp_drawing *t, const nytp_built *process, const char *class, nytp_buf *out) {
    const rail *parent = process->parent ? rail_of(t, process->parent) : NULL;
    rail new = {.process = process, .began = process->began, .column = find_column(t, process)};
    size_t column = new.column, from = parent ? parent->column : column;
    char head[80], host[BLOCK - RAIL + 1];
    uint64_t at = begin_event(t, process->began, from, column + BLOCK, parent ? parent->from + 1 : 0, out);
    snprintf(head, sizeof head, "%c=%" PRIu64 ":%" PRIu64, parent ? '<' : '>', process->pid, process->serial);
    snprintf(host, sizeof host, "%.*s", (int)(process->host.n < BLOCK ? process->host.n : BLOCK), process->host.p);
    for (size_t i = from; i < column; i++) put(t, at, i, i == from ? '+' : '-');
    put_text(t, at, column, head, BLOCK);
    put_text(t, at + 1, column, "| ", RAIL);
    put_text(t, at + 1, column + RAIL, host, BLOCK - RAIL);
    occupy(t, from, column, at + 1);
    occupy(t, column, column + BLOCK, at + 2);
    new.from = at + 2;
    spell_class(&new, class);
    add_rail(t, &new);
}

/* Columns of a foot: those of a block, or up to a process that still runs. */
static size_t foot_room(const nytp_drawing *t, const rail *r) {
    const rail *next = r + 1;
    size_t room = next < t->rails + t->n ? next->column - r->column : BLOCK;
    return room < BLOCK ? room : BLOCK;
}

typedef char row[64];

static void remove_with_foot(nytp_drawing *t, rail *r, int64_t ns, row *rows, int n, nytp_buf *out) {
    size_t column = r->column, room = foot_room(t, r);
    uint64_t at = begin_event(t, ns, column, column + room, r->from, out);
    for (int i = 0; i < n; i++) put_text(t, at + (uint64_t)i, column, rows[i], room);
    occupy(t, column, column + room, at + (uint64_t)n);
    memmove(r, r + 1, (size_t)(t->rails + t->n - r - 1) * sizeof *r);
    t->n--;
}

static void ends(nytp_drawing *t, const nytp_built *process, const char *class, nytp_buf *out) {
    rail *r = rail_of(t, process);
    row rows[4];
    snprintf(rows[0], sizeof rows[0], "| %.40s", class);
    snprintf(rows[1], sizeof rows[1], "| %#.5gu", 1e-6 * (double)process->used.user_us);
    snprintf(rows[2], sizeof rows[2], "| %#.5gs", 1e-6 * (double)process->used.system_us);
    if (process->early) snprintf(rows[3], sizeof rows[3], "\\=%#.5gr?", -1e-9 * (double)process->early);
    else snprintf(rows[3], sizeof rows[3], "\\=%#.5gr", nytp_seconds_between(process->began, process->ended));
    if (r) remove_with_foot(t, r, process->ended, rows, 4, out);
}

void nytp_drawing_take(nytp_drawing *t, int event, const nytp_built *process, const char *class, nytp_buf *out) {
    if (event == NYTP_PROCESSES_BEGAN) begins(t, process, class, out);
    if (event == NYTP_PROCESSES_ENDED) ends(t, process, class, out);
    if (event == NYTP_PROCESSES_LEFT) {
        rail *r = rail_of(t, process);
        if (r) r->process = NULL;
        t->end = process->ended;
    }
    if (t->below.failed) out->failed = 1;
}

static void put_box(nytp_drawing *t, nytp_buf *out) {
    static const row box[] = {"****************", "* interrupted! *", "****************"};
    size_t until = t->rails[t->n - 1].column + BLOCK;
    if (until < strlen(box[0])) until = strlen(box[0]);
    uint64_t at = begin_event(t, t->end, 0, until, t->latest + 1, out);
    for (uint64_t i = 0; i < 3; i++) put_text(t, at + i, 0, box[i], until);
    occupy(t, 0, until, at + 3);
    t->has_box = 1;
}

static void interrupt_last(nytp_drawing *t, nytp_buf *out) {
    rail *r = &t->rails[t->n - 1];
    row foot;
    snprintf(foot, sizeof foot, "\\>=%#.5gr", nytp_seconds_between(r->began, t->end));
    remove_with_foot(t, r, t->end, &foot, 1, out);
}

int nytp_drawing_end(nytp_drawing *t, nytp_buf *out) {
    if (t->below.failed) out->failed = 1;
    if (t->n && !t->has_box) put_box(t, out);
    if (t->n) interrupt_last(t, out);
    if (t->n && !out->failed) return 1;
    uint64_t last = t->latest + PENDING / 4;
    while (last > t->first && is_empty(&t->lines[(last - 1) % PENDING])) last--;
    advance(t, last, out);
    if (t->below.failed) out->failed = 1;
    return 0;
}

nytp_drawing *nytp_drawing_make(uint32_t width) {
    nytp_drawing *t = calloc(1, sizeof *t);
    if (t) t->width = width;
    return t;
}

void nytp_drawing_free(nytp_drawing *t) {
    if (!t) return;
    for (int i = 0; i < PENDING; i++) nytp_buf_free(&t->lines[i].cells);
    nytp_buf_free(&t->below);
    free(t->rails);
    free(t);
}
