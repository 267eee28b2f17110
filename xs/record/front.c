/* SPDX-License-Identifier: MIT */
/* front.c - functions of the front end, and what stands for those it does not have. */
#include "record/front.h"

#include "record/contents.h"
#include "record/handlers.h"
#include "record/log.h"

void nytp_front_describe(nytp_recorder *r) {
    nytp_writer *w = r->output.writer;
    if (r->front.describe) r->front.describe(r->front.self, w);
    else nytp_writer_pair(w, NYTP_REC_ATTRIBUTE, NYTP_LIT("application"), r->front.program);
}

static int is_command(const nytp_live_file *f) { return nytp_str_eq(f->name, NYTP_LIT("-e")); }

/* Perl's code that is in no file counts as an eval. A text of its own is that of an eval, too, whatever its name is. */
static int is_eval(const nytp_live_file *f) {
    return f->text.n || (f->flags & NYTP_FILE_EVAL && !is_command(f) && !nytp_str_eq(f->name, NYTP_LIT("-")));
}

/* An eval in -e is part of the command. */
static int is_redacted(const nytp_recorder *r, const nytp_live_file *f) {
    int64_t redact = r->options->redact;
    if (redact & NYTP_REDACT_EVALS && is_eval(f)) return 1;
    while (redact & NYTP_REDACT_COMMANDS && f->parent && !is_command(f)) f = r->files.list[f->parent];
    return redact & NYTP_REDACT_COMMANDS && is_command(f);
}

uint32_t nytp_front_source(const nytp_recorder *r, const nytp_live_file *file, nytp_buf *text) {
    if (is_redacted(r, file)) return 0;
    if (r->front.source) return r->front.source(r->front.self, file, text);
    return r->options->savesrc ? nytp_contents_of(file, text) : 0;
}

void nytp_front_say(const nytp_recorder *r, const char *line) {
    if (r->front.say) r->front.say(r->front.self, line);
    else nytp_log_line(r->options, line);
}

void nytp_front_stopped(const nytp_recorder *r) {
    if (r->front.stopped) r->front.stopped(r->front.self);
}

void nytp_front_writes(nytp_recorder *r) {
    if (r->front.writes && nytp_handlers_is_here(r) && !r->output.writing++) r->front.writes(r->front.self, 1);
}

void nytp_front_has_written(nytp_recorder *r) {
    if (r->output.writing && !--r->output.writing) r->front.writes(r->front.self, 0);
}

int nytp_front_forked(nytp_recorder *r) {
    if (r->options->forkdepth == 0) {
        nytp_front_stopped(r);
        return 0;
    }
    if (r->options->forkdepth > 0) r->options->forkdepth--;
    if (r->front.forked) r->front.forked(r->front.self);
    return 1;
}

int nytp_front_completes_brief(nytp_recorder *r) {
    int is_brief = nytp_recorder_is_brief(r);
    return r->front.complete ? r->front.complete(r->front.self, is_brief) : is_brief;
}
