/* SPDX-License-Identifier: MIT */
/* gecko.c - the tables of a profile for Firefox's profiler. */
#include "export/gecko.h"

#include <string.h>

#include "base/grow.h"
#include "model/language.h"
#include "model/metrics.h"
#include "model/source.h"
#include "report/kinds.h"
#include "report/page.h"
#include "report/text.h"

/* ---- numbers ---- */

static int is_string(const void *of, uint32_t number, const void *like) {
    return nytp_str_eq(((const nytp_gecko *)of)->string[number - 1], *(const nytp_str *)like);
}

/* The index of a string; UINT32_MAX when memory is short, as in the next ones. */
static uint32_t string_of(nytp_gecko *g, nytp_str text) {
    uint32_t *number = nytp_table_at(&g->strings, nytp_str_hash(text), is_string, g, &text);
    if (number && *number) return *number - 1;
    nytp_str *made = number ? nytp_grow(&g->arena, &g->string, g->strings_n, &g->strings_room, sizeof *made) : NULL;
    if (!made) return UINT32_MAX;
    *made = text;
    *number = ++g->strings_n;
    return *number - 1;
}

static enum nytp_gecko_category language_of(const nytp_profile *p, const nytp_sub *sub) {
    const nytp_process *process = nytp_language_process(p, sub->process ? sub->process : p->processes_n != 0);
    if (!process) return NYTP_GECKO_OTHER;
    if (process->id.front_end == NYTP_FRONT_PERL) return NYTP_GECKO_PERL;
    if (process->id.front_end == NYTP_FRONT_LUA) return NYTP_GECKO_LUA;
    return nytp_str_starts(process->interpreter, NYTP_LIT("Ruby ")) ? NYTP_GECKO_RUBY : NYTP_GECKO_OTHER;
}

static enum nytp_gecko_category category_of(const nytp_profile *p, const nytp_sub *sub) {
    if (nytp_kinds_is_loading(sub)) return NYTP_GECKO_COMPILE;
    if (sub->flags & NYTP_SUB_XSUB) return NYTP_GECKO_C;
    return sub->flags & NYTP_SUB_OPCODE ? NYTP_GECKO_OPCODE : language_of(p, sub);
}

static uint32_t function_at(nytp_gecko *g, const nytp_spot *spot) {
    const nytp_sub *sub = &g->p->subs[spot->sub];
    uint32_t *number = &g->of_function[spot->function];
    if (*number) return *number - 1;
    uint32_t name = string_of(g, sub->name);
    if (name == UINT32_MAX) return name;
    g->function[g->functions_n] = (nytp_gecko_function){spot->sub, spot->file, name, category_of(g->p, sub)};
    *number = ++g->functions_n;
    if (spot->file && !g->source[spot->file]) {
        g->of_source[g->sources_n] = spot->file;
        g->source[spot->file] = ++g->sources_n;
    }
    return *number - 1;
}

static uint32_t frame_at(nytp_gecko *g, uint32_t number) {
    const nytp_spot *spot = &g->spots.at[number];
    if (g->of_spot[number]) return g->of_spot[number] - 1;
    uint32_t function = function_at(g, spot);
    if (function == UINT32_MAX) return function;
    g->frame[g->frames_n] = (nytp_gecko_frame){function, spot->line};
    g->of_spot[number] = ++g->frames_n;
    return g->frames_n - 1;
}

/* Makes frames and stacks of the nodes. Paths without time are none. */
static int number_nodes(nytp_gecko *g) {
    const nytp_calltree *t = &g->spots.tree;
    uint32_t path[NYTP_CALLTREE_DEEPEST + 1] = {0}; /* by depth: 1 + index of the stack of the node above; 0: none */
    for (uint32_t i = nytp_calltree_next(t, 0); i; i = nytp_calltree_next(t, i)) {
        const nytp_calltree_node *node = &t->at[i];
        path[node->depth] = 0;
        if (node->depth == NYTP_SPOTS_PROCESS) g->threads_n++;
        else if (node->total > 0) {
            uint32_t frame = frame_at(g, node->callee), caller = path[node->depth - 1];
            if (frame == UINT32_MAX) return NYTP_NOMEM;
            g->stack[g->stacks_n] = (nytp_gecko_stack){node->self, g->has_cpu && g->cpu[i] > 0 ? g->cpu[i] : 0, frame,
                                                       caller ? g->stacks_n + 1 - caller : 0};
            path[node->depth] = ++g->stacks_n;
        }
        g->ends[g->threads_n - 1] = g->stacks_n;
    }
    return NYTP_OK;
}

static int number_all(nytp_gecko *g) {
    int code = number_nodes(g);
    for (uint32_t i = 0; i < g->sources_n && !code; i++)
        if (string_of(g, g->p->files[g->of_source[i]].name) == UINT32_MAX) code = NYTP_NOMEM;
    return code;
}

static uint32_t count_threads(const nytp_calltree *t) {
    uint32_t n = 0;
    for (uint32_t i = t->n ? t->at[0].child : 0; i; i = t->at[i].next) n++;
    return n;
}

int nytp_gecko_prepare(nytp_gecko *g, const nytp_selection *selection) {
    uint32_t cpu = nytp_metrics_find(g->p, NYTP_LIT("cpu"));
    g->has_cpu = g->p->is_uncounted && cpu < g->p->metrics_n;
    if (nytp_spots_make(&g->spots, g->p, selection, g->has_cpu ? NYTP_SPOTS_PARTS : 0)) return NYTP_NOMEM;
    const struct {
        void *array;
        uint32_t n;
        size_t size;
    } rows[] = {{&g->of_spot, g->spots.n, sizeof *g->of_spot}, {&g->frame, g->spots.n, sizeof *g->frame},
                {&g->of_function, g->spots.functions_n, sizeof *g->of_function},
                {&g->function, g->spots.functions_n, sizeof *g->function},
                {&g->stack, g->spots.tree.n, sizeof *g->stack}, {&g->sample, g->spots.tree.n, sizeof *g->sample},
                {&g->cpu, g->has_cpu ? g->spots.tree.n : 0, sizeof *g->cpu},
                {&g->ends, count_threads(&g->spots.tree), sizeof *g->ends},
                {&g->source, g->p->files_n, sizeof *g->source}, {&g->of_source, g->p->files_n, sizeof *g->of_source}};
    for (size_t i = 0; i < sizeof rows / sizeof *rows; i++) {
        void *room = nytp_arena_get(&g->arena, (rows[i].n + (size_t)1) * rows[i].size);
        if (!room) return NYTP_NOMEM;
        memcpy(rows[i].array, &room, sizeof room);
    }
    if (g->has_cpu) nytp_spots_values(&g->spots, g->p, cpu, g->cpu);
    return number_all(g);
}

/* ---- columns ---- */

static void put_number(nytp_gecko *g, uint64_t n) { nytp_json_number(&g->json, NULL, n); }

static void zero(nytp_gecko *g, uint32_t i) { (void)i, put_number(g, 0); }
static void one(nytp_gecko *g, uint32_t i) { (void)i, put_number(g, 1); }
static void none(nytp_gecko *g, uint32_t i) { (void)i, nytp_json_signed(&g->json, NULL, -1); }
static void null(nytp_gecko *g, uint32_t i) { (void)i, nytp_json_null(&g->json, NULL); }
static void no(nytp_gecko *g, uint32_t i) { (void)i, nytp_json_bool(&g->json, NULL, 0); }

/* Lines are counted from 1; an unknown one is null. */
static void put_line(nytp_gecko *g, uint32_t line) {
    if (line) put_number(g, line);
    else nytp_json_null(&g->json, NULL);
}

void nytp_gecko_columns(nytp_gecko *g, const char *name, const nytp_gecko_column *columns, uint32_t n) {
    nytp_json_object(&g->json, name);
    for (; columns->key; columns++) {
        nytp_json_array(&g->json, columns->key);
        for (uint32_t i = 0; i < n; i++) columns->put(g, i);
        nytp_json_end(&g->json);
    }
    nytp_json_number(&g->json, "length", n);
}

void nytp_gecko_table(nytp_gecko *g, const char *name, const nytp_gecko_column *columns, uint32_t n) {
    nytp_gecko_columns(g, name, columns, n);
    nytp_json_end(&g->json);
}

/* ---- the shared tables ---- */

static void source_name(nytp_gecko *g, uint32_t i) { put_number(g, string_of(g, g->p->files[g->of_source[i]].name)); }

static void source_text(nytp_gecko *g, uint32_t i) {
    const nytp_file *f = &g->p->files[g->of_source[i]];
    nytp_buf text = {0};
    if (!g->has_source || !f->source_lines) {
        nytp_json_null(&g->json, NULL);
        return;
    }
    for (uint32_t line = 1; line <= f->source_lines; line++) {
        nytp_str s = nytp_source_line(g->p, f, line);
        if (s.p) nytp_text_str(&text, s);
        if (!nytp_str_ends(s, NYTP_LIT("\n"))) nytp_buf_byte(&text, '\n');
    }
    nytp_json_string(&g->json, NULL, nytp_page_bytes(&text));
    nytp_buf_done(&text, g->json.out);
}

static const nytp_gecko_column source_columns[] = {{"id", null}, {"filename", source_name}, {"startLine", one},
    {"startColumn", one}, {"sourceMapURL", null}, {"content", source_text}, {0}};

static void function_name(nytp_gecko *g, uint32_t i) { put_number(g, g->function[i].name); }

static void function_source(nytp_gecko *g, uint32_t i) {
    uint32_t source = g->source[g->function[i].file];
    if (source) put_number(g, source - 1);
    else nytp_json_null(&g->json, NULL);
}

static void function_line(nytp_gecko *g, uint32_t i) {
    const nytp_sub *sub = &g->p->subs[g->function[i].sub];
    put_line(g, sub->file == g->function[i].file ? sub->first_line : 0);
}

static const nytp_gecko_column function_columns[] = {{"name", function_name}, {"isJS", no}, {"relevantForJS", no},
    {"resource", none}, {"source", function_source}, {"lineNumber", function_line}, {"columnNumber", null},
    {"originalLocation", null}, {0}};

static void frame_category(nytp_gecko *g, uint32_t i) { put_number(g, g->function[g->frame[i].function].category); }

static void frame_function(nytp_gecko *g, uint32_t i) { put_number(g, g->frame[i].function); }

static void frame_line(nytp_gecko *g, uint32_t i) { put_line(g, g->frame[i].line); }

static const nytp_gecko_column frame_columns[] = {{"address", none}, {"lib", none}, {"inlineDepth", zero},
    {"category", frame_category}, {"subcategory", zero}, {"func", frame_function}, {"nativeSymbol", null},
    {"innerWindowID", zero}, {"line", frame_line}, {"column", null}, {"originalLocation", null}, {0}};

static void stack_frame(nytp_gecko *g, uint32_t i) { put_number(g, g->stack[i].frame); }

static void stack_caller(nytp_gecko *g, uint32_t i) { put_number(g, g->stack[i].ahead); }

static const nytp_gecko_column stack_columns[] = {{"frame", stack_frame}, {"prefixOffset", stack_caller}, {0}};

static const nytp_gecko_column location_columns[] = {{"source", NULL}, {"line", NULL}, {"column", NULL}, {0}};
static const nytp_gecko_column resource_columns[] = {{"name", NULL}, {"host", NULL}, {"type", NULL}, {0}};
static const nytp_gecko_column symbol_columns[] = {
    {"libIndex", NULL}, {"address", NULL}, {"name", NULL}, {"functionSize", NULL}, {0}};

void nytp_gecko_shared(nytp_gecko *g) {
    nytp_json_object(&g->json, "shared");
    nytp_json_array(&g->json, "stringArray");
    for (uint32_t i = 0; i < g->strings_n; i++) nytp_json_name(&g->json, NULL, g->string[i]);
    nytp_json_end(&g->json);
    nytp_gecko_table(g, "sources", source_columns, g->sources_n);
    nytp_gecko_table(g, "sourceLocationTable", location_columns, 0);
    nytp_gecko_table(g, "funcTable", function_columns, g->functions_n);
    nytp_gecko_table(g, "frameTable", frame_columns, g->frames_n);
    nytp_gecko_table(g, "stackTable", stack_columns, g->stacks_n);
    nytp_gecko_table(g, "resourceTable", resource_columns, 0);
    nytp_gecko_table(g, "nativeSymbols", symbol_columns, 0);
    nytp_json_end(&g->json);
}

void nytp_gecko_free(nytp_gecko *g) {
    nytp_spots_free(&g->spots);
    nytp_table_free(&g->strings);
    nytp_arena_free(&g->arena);
}
