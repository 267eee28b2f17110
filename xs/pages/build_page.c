/* SPDX-License-Identifier: MIT */
/* build_page.c - the HTML page of a build, with style, scripts and data in it. */
#include "pages/build_page.h"

#include <inttypes.h>
#include <stdlib.h>
#include <time.h>

#include "base/ticks.h"
#include "model/levels.h"
#include "pages/inline.h"
#include "report/escape.h"
#include "report/page.h"
#include "report/text.h"
#include "report/units.h"

static double seconds_of(const nytp_build *b) { return 1e-9 * (double)(uint64_t)nytp_ticks_minus(b->last, b->first); }

/* ---- the head ---- */

static void put_run(nytp_buf *out, const nytp_build *b) {
    char text[64];
    const nytp_build_process *first = &b->processes[0];
    time_t t = (time_t)(b->first / 1000000000);
    struct tm tm;
    size_t n = localtime_r(&t, &tm) ? strftime(text, sizeof text, "%Y-%m-%d %H:%M:%S %z", &tm) : 0;
    nytp_text_put(out, "Started ");
    nytp_buf_bytes(out, text, n);
    if (b->texts[first->host].n) nytp_text_put(out, " on ");
    nytp_build_parts_text(out, b->texts[first->host]);
    nytp_text_put(out, " in <code>");
    nytp_build_parts_text(out, b->texts[first->directory]);
    nytp_text_put(out, "</code>. Seen by ");
    nytp_units_count(out, (int64_t)b->counts.streams[NYTP_PROCESSES_PRELOAD]);
    nytp_text_put(out, " make or ninja and ");
    nytp_units_count(out, (int64_t)b->counts.streams[NYTP_PROCESSES_WRAPPER]);
    nytp_text_put(out, " wrappers.");
}

static void begin_figure(nytp_buf *out) { nytp_text_put(out, "<li><b>"); }

static void end_figure(nytp_buf *out, const char *what) {
    nytp_text_put(out, "</b>");
    nytp_text_put(out, what);
    nytp_text_put(out, "\n");
}

static void put_count(nytp_buf *out, uint64_t n, const char *what) {
    begin_figure(out);
    nytp_units_count(out, (int64_t)n);
    end_figure(out, what);
}

static void put_figures(nytp_buf *out, const nytp_build_page *page) {
    const nytp_build *b = page->b;
    begin_figure(out);
    nytp_units_time(out, seconds_of(b));
    end_figure(out, "from begin to end");
    begin_figure(out);
    nytp_units_time(out, 1e-6 * ((double)b->own_user_us + (double)b->own_system_us));
    end_figure(out, "CPU time");
    put_count(out, b->n, b->n == 1 ? "process" : "processes");
    put_count(out, b->failed + b->killed, "failed");
    begin_figure(out);
    nytp_text_format(out, "%.2f", page->jobs.mean);
    nytp_text_format(out, "</b>jobs at a time, at most %" PRIu32, page->jobs.most);
    if (page->jobs.limit) nytp_text_format(out, " of -j%" PRIu32, page->jobs.limit);
    nytp_text_put(out, "\n");
}

static void put_notes(nytp_buf *out, const nytp_build *b) {
    if (!b->notes_n) return;
    nytp_text_put(out, "<div class=notes role=note>");
    for (uint32_t i = 0; i < b->notes_n; i++) {
        nytp_text_put(out, "<p>");
        nytp_escape_html(out, b->notes[i]);
        nytp_text_put(out, ".</p>");
    }
    nytp_text_put(out, "</div>");
}

/* Seconds of the longest recipe. */
static double longest_of(const nytp_build_page *page) {
    uint64_t longest = 0;
    for (uint32_t i = 0; i < page->recipes_n; i++)
        if (page->recipes[i].real > longest) longest = page->recipes[i].real;
    return 1e-9 * (double)longest;
}

/* What twice as many jobs at a time can bring, as `nytprof build` has it. */
static void put_bound(nytp_buf *out, const nytp_build_page *page) {
    const nytp_jobs *jobs = &page->jobs;
    nytp_levels levels = {.longest = longest_of(page)};
    uint64_t twice = 2 * (uint64_t)jobs->most;
    for (uint32_t i = 0; i + 1 < jobs->n; i++)
        nytp_levels_add(&levels, jobs->steps[i].running,
                        1e-9 * (double)(uint64_t)nytp_ticks_minus(jobs->steps[i + 1].at, jobs->steps[i].at));
    if (!jobs->most) return;
    nytp_text_around(out, " With ", twice, " at a time the build would take ");
    nytp_units_time(out, nytp_levels_bound(&levels, twice));
    nytp_text_format(out, " at least, if there was more to run only while %" PRIu32 " ran.", jobs->most);
}

static void put_summary(nytp_buf *out, const nytp_build_page *page) {
    nytp_text_put(out, "All jobs together took ");
    nytp_units_time(out, 1e-9 * (double)page->jobs.work);
    nytp_text_put(out, ", and the <a href=\"#chain\">chain to the end</a> ");
    nytp_units_time(out, 1e-9 * (double)page->critical.length);
    nytp_text_put(out, ".");
    put_bound(out, page);
}

/* ---- the page ---- */

enum { PROGRAM, RUN, FIGURES, SUMMARY, NOTES, PROCESSES, RECIPES, FAILED, WAITED, CHAIN, REPEATED, CLASSES, DIRECTORIES,
       TARGETS, JOBS, PROFILES, MEASURED, HOLES };

static const char *const names[HOLES] = {"program", "run", "figures", "summary", "notes", "processes", "recipes",
                                         "failed", "waited", "chain", "repeated", "classes", "directories", "targets",
                                         "jobs", "profiles", "measured"};

static void put_pieces(nytp_buf pieces[HOLES], const nytp_build_page *page, const char *version) {
    const nytp_build *b = page->b;
    nytp_build_parts_command(&pieces[PROGRAM], b, b->processes[0].command);
    put_run(&pieces[RUN], b);
    put_figures(&pieces[FIGURES], page);
    put_summary(&pieces[SUMMARY], page);
    put_notes(&pieces[NOTES], b);
    nytp_build_tables_processes(&pieces[PROCESSES], page);
    nytp_build_groups_recipes(&pieces[RECIPES], page);
    nytp_build_tables_failed(&pieces[FAILED], page);
    nytp_build_tables_waited(&pieces[WAITED], page);
    nytp_build_tables_critical(&pieces[CHAIN], page);
    nytp_build_groups_repeated(&pieces[REPEATED], page);
    nytp_build_groups_classes(&pieces[CLASSES], page);
    nytp_build_groups_directories(&pieces[DIRECTORIES], page);
    nytp_build_groups_targets(&pieces[TARGETS], page);
    nytp_build_groups_jobs(&pieces[JOBS], page);
    nytp_build_tables_profiles(&pieces[PROFILES], page);
    nytp_text_put(&pieces[MEASURED], "Made by Devel::NYTProf ");
    nytp_escape_html(&pieces[MEASURED], nytp_str_c(version));
    nytp_text_put(&pieces[MEASURED], ".");
}

static void put_scripts(nytp_inline *in, const nytp_build_page *page) {
    static const char *const scripts[] = {"theme.js", "report.js", "build.js"};
    nytp_buf data = {0};
    nytp_inline_styles(in);
    nytp_inline_style(in, "build.css");
    for (size_t i = 0; i < sizeof scripts / sizeof *scripts; i++) nytp_inline_script(in, nytp_page_asset(scripts[i]));
    nytp_build_data_put(&data, page);
    nytp_inline_script(in, nytp_page_bytes(&data));
    nytp_buf_done(&data, &in->tail);
}

static int compose(nytp_buf *out, const nytp_build_page *page, const char *version) {
    nytp_buf pieces[HOLES] = {{0}};
    nytp_inline in = {{0}, {0}, {0}};
    put_pieces(pieces, page, version);
    put_scripts(&in, page);
    nytp_hole holes[HOLES + 3] = {{"head", nytp_page_bytes(&in.head)}, {"tail", nytp_page_bytes(&in.tail)},
                                  {"policy", nytp_page_bytes(&in.policy)}};
    for (int i = 0; i < HOLES; i++) holes[i + 3] = (nytp_hole){names[i], nytp_page_bytes(&pieces[i])};
    int code = nytp_page_fill(out, nytp_page_asset("build.html"), holes, HOLES + 3);
    for (int i = 0; i < HOLES; i++) nytp_buf_done(&pieces[i], out);
    if (in.head.failed || in.tail.failed || in.policy.failed) out->failed = 1;
    nytp_inline_free(&in);
    return out->failed ? NYTP_NOMEM : code;
}

static int find_recipes(nytp_build_page *page) {
    uint32_t keys, *of = nytp_groups_recipes(page->b, &keys);
    if (of) page->recipes = nytp_groups_make(page->b, of, keys, NYTP_BUILD_NONE, &page->recipes_n);
    free(of);
    return page->recipes ? NYTP_OK : NYTP_NOMEM;
}

int nytp_build_page_write(const nytp_build_request *r, nytp_sink *sink, int no_compress) {
    nytp_build_page page = {.b = r->builds, .classes = r->classes, .no_compress = no_compress};
    nytp_buf out = {0};
    page.captures = nytp_captured_find(page.b->path.p);
    int code = NYTP_NOMEM;
    if (page.captures) code = nytp_jobs_count(&page.jobs, page.b);
    if (!code) code = nytp_critical_find(&page.critical, page.b);
    if (!code) code = find_recipes(&page);
    if (!code) code = compose(&out, &page, r->version);
    if (!code) code = nytp_sink_put(sink, NYTP_LIT("index.html"), out.p, out.n);
    nytp_buf_free(&out);
    free(page.recipes);
    nytp_jobs_free(&page.jobs);
    nytp_critical_free(&page.critical);
    nytp_captured_free(page.captures);
    return code;
}
