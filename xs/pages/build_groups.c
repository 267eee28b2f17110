/* SPDX-License-Identifier: MIT */
/* build_groups.c - tables of what the processes of a build have used: by class, directory, target, command and
 * recipe; and of how many ran at a time. */
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>

#include "pages/build_page.h"
#include "report/escape.h"
#include "report/text.h"
#include "report/units.h"

#define MOST 100 /* rows */

/* Appends the name of a group. */
typedef void put_name(nytp_buf *out, const nytp_build_page *page, const void *context, const nytp_group_sum *g);

#define COLUMNS "Processes|Failed|*CPU|%|User|System|Real|Longest|Memory|Blocks|Switches|"
#define MEANING \
    "User and system time are without children, so that each second counts once; real time is the sum of that of the " \
    "processes, memory the largest resident size."

static void put_group(nytp_buf *out, const nytp_build *b, const nytp_group_sum *g) {
    nytp_text_put(out, "<tr>");
    nytp_build_parts_count(out, g->n);
    nytp_build_parts_count(out, g->failed);
    nytp_build_parts_time(out, 1000 * (g->user_us + g->system_us));
    nytp_build_parts_share(out, (double)g->user_us + (double)g->system_us,
                           (double)b->own_user_us + (double)b->own_system_us);
    nytp_build_parts_time(out, 1000 * g->user_us);
    nytp_build_parts_time(out, 1000 * g->system_us);
    nytp_build_parts_time(out, g->real);
    nytp_build_parts_time(out, g->longest);
    nytp_build_parts_bytes(out, g->max_rss_kb);
    nytp_build_parts_count(out, g->blocks);
    nytp_build_parts_count(out, g->switches);
    nytp_text_put(out, "<td class=name>");
}

static void put_groups(nytp_buf *out, const nytp_build_page *page, const nytp_build_section *section,
                       const nytp_group_sum *groups, uint32_t n, put_name *name, const void *context) {
    if (!groups) out->failed = 1;
    if (!groups || !n) return;
    nytp_build_parts_begin(out, section, n);
    for (uint32_t i = 0; i < n && i < MOST; i++) {
        put_group(out, page->b, &groups[i]);
        name(out, page, context, &groups[i]);
        nytp_text_put(out, "</tr>\n");
    }
    nytp_build_parts_end(out, n < MOST ? n : MOST, n);
}

/* ---- by class ---- */

static void put_class(nytp_buf *out, const nytp_build_page *page, const void *context, const nytp_group_sum *g) {
    (void)page;
    nytp_build_parts_text(out, ((const nytp_class_list *)context)->classes[g->key]);
}

void nytp_build_groups_classes(nytp_buf *out, const nytp_build_page *page) {
    for (uint32_t i = 0; i < page->classes->n; i++) {
        const nytp_class_list *l = &page->classes->lists[i];
        nytp_buf heading = {0};
        char id[32];
        snprintf(id, sizeof id, "class-%" PRIu32, i);
        nytp_text_put(&heading, "By class: ");
        nytp_build_parts_text(&heading, l->name);
        nytp_buf_byte(&heading, 0);
        nytp_build_section section = {id, heading.failed ? "" : (const char *)heading.p, MEANING, COLUMNS "Class",
                                      "Filter classes"};
        uint32_t n;
        nytp_group_sum *groups = nytp_groups_make(page->b, l->of, l->n, 0, &n);
        put_groups(out, page, &section, groups, n, put_class, l);
        free(groups);
        nytp_buf_done(&heading, out);
    }
}

/* ---- by directory and target ---- */

static void put_text(nytp_buf *out, const nytp_build_page *page, const void *context, const nytp_group_sum *g) {
    (void)context;
    nytp_build_parts_text(out, page->b->texts[g->key]);
}

static void put_by_text(nytp_buf *out, const nytp_build_page *page, const nytp_build_section *section,
                        uint32_t (*text_of)(const nytp_build_process *p)) {
    const nytp_build *b = page->b;
    uint32_t n = 0, *of = malloc((b->n + 1u) * sizeof *of);
    for (uint32_t i = 0; of && i < b->n; i++) of[i] = text_of(&b->processes[i]);
    nytp_group_sum *groups = of ? nytp_groups_make(b, of, b->texts_n, 0, &n) : NULL;
    put_groups(out, page, section, groups, n, put_text, NULL);
    free(groups);
    free(of);
}

static uint32_t directory_of(const nytp_build_process *p) { return p->directory; }

static uint32_t target_of(const nytp_build_process *p) { return p->target; }

void nytp_build_groups_directories(nytp_buf *out, const nytp_build_page *page) {
    static const nytp_build_section section = {"directories", "By directory", MEANING, COLUMNS "Directory",
                                               "Filter directories"};
    put_by_text(out, page, &section, directory_of);
}

void nytp_build_groups_targets(nytp_buf *out, const nytp_build_page *page) {
    static const nytp_build_section section = {"targets", "By target", MEANING, COLUMNS "Target", "Filter targets"};
    put_by_text(out, page, &section, target_of);
}

/* ---- recipes ---- */

static void put_recipe(nytp_buf *out, const nytp_build_page *page, const void *context, const nytp_group_sum *g) {
    const nytp_build_process *p = &page->b->processes[g->first];
    (void)context;
    if (p->target) nytp_build_parts_text(out, page->b->texts[p->target]);
    else nytp_build_parts_command(out, page->b, p->command);
    nytp_text_put(out, "<span class=hint>");
    nytp_build_parts_text(out, page->b->texts[p->directory]);
    nytp_text_put(out, "</span>");
}

void nytp_build_groups_recipes(nytp_buf *out, const nytp_build_page *page) {
    static const nytp_build_section section = {
        "recipes", "Recipes", "The lines for a target, as far as one make has started them: a process each, without "
        "others below it. Real time is the sum of that of the lines.",
        "Lines|Failed|*CPU|%|User|System|Real|Longest|Memory|Blocks|Switches|Target", "Filter recipes"};
    put_groups(out, page, &section, page->recipes, page->recipes_n, put_recipe, NULL);
}

/* ---- repeated commands ---- */

static void put_command(nytp_buf *out, const nytp_build_page *page, const void *context, const nytp_group_sum *g) {
    const nytp_build_process *p = &page->b->processes[g->first];
    (void)context;
    nytp_build_parts_command(out, page->b, p->command);
    nytp_text_put(out, "<span class=hint>");
    nytp_build_parts_text(out, page->b->texts[p->directory]);
    nytp_text_put(out, "</span>");
}

void nytp_build_groups_repeated(nytp_buf *out, const nytp_build_page *page) {
    static const nytp_build_section section = {
        "repeated", "Repeated", "The same arguments in the same directory, more than once. Real time is the sum of "
        "that of the processes.", COLUMNS "Command", "Filter repeated commands"};
    uint32_t keys, n = 0, kept = 0, *of = nytp_groups_commands(page->b, &keys);
    nytp_group_sum *groups = of ? nytp_groups_make(page->b, of, keys, NYTP_BUILD_NONE, &n) : NULL;
    for (uint32_t i = 0; groups && i < n; i++)
        if (groups[i].n > 1) groups[kept++] = groups[i];
    put_groups(out, page, &section, groups, kept, put_command, NULL);
    free(groups);
    free(of);
}

/* ---- jobs ---- */

void nytp_build_groups_jobs(nytp_buf *out, const nytp_build_page *page) {
    static const nytp_build_section section = {
        "running", "Jobs at a time", "A job is a process below another one while none below itself runs. Work is the "
        "time of all jobs: what the build had taken with one at a time.", "Time|%|Work|Jobs", "Filter numbers of jobs"};
    const nytp_jobs *jobs = &page->jobs;
    uint64_t all = 0;
    for (uint32_t i = 0; i <= jobs->most; i++) all += jobs->time[i];
    nytp_build_parts_begin(out, &section, 0);
    for (uint32_t i = 0; i <= jobs->most; i++) {
        if (!jobs->time[i]) continue;
        nytp_text_put(out, "<tr>");
        nytp_build_parts_time(out, jobs->time[i]);
        nytp_build_parts_share(out, (double)jobs->time[i], (double)all);
        nytp_build_parts_time(out, i * jobs->time[i]);
        nytp_text_put(out, "<td class=name>");
        nytp_text_number(out, i);
        nytp_text_put(out, "</tr>\n");
    }
    nytp_build_parts_end(out, 0, 0);
}
