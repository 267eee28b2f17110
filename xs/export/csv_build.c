/* SPDX-License-Identifier: MIT */
/* csv_build.c - the processes of a build as rows of separated values, with a row of names above them. */
#include "export/csv_build.h"

#include <stdlib.h>
#include <string.h>

#include "model/alone.h"
#include "report/command.h"
#include "report/escape.h"
#include "report/page.h"
#include "report/text.h"

static const char titles[] =
    "process,parent,pid,serial,host,depth,level,class,directory,target,command,began_ns,real_ns,own_real_ns,user_us,"
    "system_us,own_user_us,own_system_us,max_rss_kb,minor_faults,major_faults,blocks_in,blocks_out,switches,"
    "forced_switches,status,signal,has_end\n";

/* Visible text in one line, in quotes, of which those inside are doubled, and no formula for a spreadsheet. */
static void put_text(nytp_buf *out, nytp_buf *scratch, nytp_str text) {
    nytp_buf_rewind(scratch);
    nytp_escape_text(scratch, text);
    nytp_str visible = nytp_page_bytes(scratch);
    nytp_text_put(out, visible.n && memchr("=+-@'", visible.p[0], 5) ? "\"'" : "\"");
    for (size_t i = 0; i < visible.n; i++) {
        if (visible.p[i] == '"') nytp_buf_byte(out, '"');
        nytp_buf_byte(out, (unsigned char)visible.p[i]);
    }
    nytp_text_put(out, "\",");
}

static void put_texts(nytp_buf *out, nytp_buf *scratch, const nytp_build *b, const nytp_build_process *p,
                      nytp_str class) {
    nytp_buf command = {0};
    put_text(out, scratch, class);
    put_text(out, scratch, b->texts[p->directory]);
    put_text(out, scratch, b->texts[p->target]);
    nytp_command_text(&command, b->texts[p->command]);
    put_text(out, scratch, nytp_page_bytes(&command));
    nytp_buf_done(&command, out);
}

static void put_numbers(nytp_buf *out, const uint64_t *numbers, size_t n) {
    for (size_t i = 0; i < n; i++) nytp_text_around(out, "", numbers[i], ",");
}

static void put_used(nytp_buf *out, const nytp_build_process *p) {
    const uint64_t used[] = {p->user_us, p->system_us, p->own_user_us, p->own_system_us, p->max_rss_kb,
                             p->minor_faults, p->major_faults, p->blocks_in, p->blocks_out, p->switches,
                             p->forced_switches};
    int is_killed = p->status >= NYTP_STATUS_SIGNAL;
    put_numbers(out, used, sizeof used / sizeof *used);
    nytp_text_around(out, "", is_killed ? 0 : p->status, ",");
    nytp_text_around(out, "", is_killed ? p->status & 255u : 0, p->has_end ? ",1\n" : ",0\n");
}

static void put_row(nytp_buf *out, nytp_buf *scratch, const nytp_build *b, uint32_t i, int64_t alone, nytp_str class) {
    const nytp_build_process *p = &b->processes[i];
    const uint64_t ids[] = {i + UINT64_C(1), p->parent == NYTP_BUILD_NONE ? 0 : p->parent + UINT64_C(1), p->pid,
                            p->serial};
    put_numbers(out, ids, sizeof ids / sizeof *ids);
    put_text(out, scratch, b->texts[p->host]);
    put_numbers(out, (const uint64_t[]){p->depth, p->level}, 2);
    put_texts(out, scratch, b, p, class);
    nytp_text_signed(out, p->began - b->first);
    nytp_text_put(out, ",");
    nytp_text_signed(out, p->ended - p->began);
    nytp_text_put(out, ",");
    nytp_text_signed(out, alone);
    nytp_text_put(out, ",");
    put_used(out, p);
}

int nytp_csv_build_write(const nytp_build_request *r, nytp_sink *sink) {
    const nytp_build *b = r->builds;
    const nytp_class_list *classes = &r->classes->lists[0];
    nytp_buf out = {0}, scratch = {0};
    int64_t *alone = nytp_alone_times(b);
    nytp_sink_begin(sink, NYTP_LIT("processes.csv"));
    nytp_text_put(&out, titles);
    for (uint32_t i = 0; alone && i < b->n && !out.failed; i++) {
        put_row(&out, &scratch, b, i, alone[i], classes->classes[classes->of[i]]);
        if (nytp_sink_drain(sink, &out, NYTP_SINK_PIECE)) break;
    }
    nytp_buf_done(&scratch, &out);
    int code = alone ? NYTP_OK : NYTP_NOMEM;
    free(alone);
    return nytp_sink_finish(sink, &out, code);
}
