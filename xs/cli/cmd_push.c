/* SPDX-License-Identifier: MIT */
/* cmd_push.c - `nytprof push`: a profile to a server of profiles, whole or as it grows. */
#include <stdio.h>
#include <string.h>

#include "cli/cli.h"
#include "cli/follow.h"
#include "cli/print.h"
#include "cli/send.h"

enum { FOLLOW, EVERY, WHILE, TO, SERVICE, LABEL, HEADER, TIMEOUT, EXPERIMENTAL };

static const nytp_arg args[] = {
    [FOLLOW] = {.name = "follow", .help = "send what is new again and again, until FILE and FILE.PID have ended"},
    [EVERY] = {.name = "every", .kind = NYTP_ARG_SECONDS, .value = "SECONDS", .fallback = "10", .least = 0.1,
               .most = 86400, .help = "with --follow how often; no longer before another try"},
    [WHILE] = {.name = "while", .kind = NYTP_ARG_NUMBER, .value = "PID", .least = 1, .most = 4194304,
               .help = "with --follow also wait for captures of processes that this one starts, until it ends"},
    [TO] = {.name = "to", .kind = NYTP_ARG_WORD, .value = "KIND", .words = NYTP_RECEIVERS_NAMES,
            .help = "what the server is, if the path of URL does not tell"},
    [SERVICE] = {.name = "service", .kind = NYTP_ARG_TEXT, .value = "NAME",
                 .help = "what the server calls it [the program's name]"},
    [LABEL] = {.name = "label", .kind = NYTP_ARG_TEXT, .value = "NAME=VALUE:...",
               .help = "labels, as env=production:region=eu"},
    [HEADER] = {.name = "header", .kind = NYTP_ARG_TEXT, .value = "LINE",
                .help = "one more line of each request, as 'X-Scope-OrgID: team'"},
    [TIMEOUT] = {.name = "timeout", .kind = NYTP_ARG_SECONDS, .value = "SECONDS", .fallback = "10", .least = 0.1,
                 .most = 3600, .help = "how long a request may take"},
    [EXPERIMENTAL] = {.name = "experimental", .help = "allow --to otlp, whose format is not final"},
    {0},
};

static int is_header(const char *line) {
    size_t n = strcspn(line, ":");
    for (const char *p = line; *p; p++)
        if ((unsigned char)*p < ' ' || *p == 127) return 0;
    return n && line[n] == ':' && !memchr(line, ' ', n);
}

/* Returns an exit code. */
static int take_options(const nytp_call *call, nytp_send *s, nytp_named *named) {
    const nytp_arg_value *v = call->values;
    nytp_error e = {0};
    *s = (nytp_send){.text = call->argv[call->argc - 1], .header = v[HEADER].text, .seconds = v[TIMEOUT].number};
    if (nytp_http_parse(&s->url, s->text, &e)) return nytp_cli_usage("push: %s", e.text);
    s->to = nytp_receivers_find(v[TO].text, s->url.target);
    if (!s->to)
        return nytp_cli_usage("push: %s does not tell what the server is, expected --to with one of %s", s->text,
                              NYTP_RECEIVERS_NAMES);
    if (s->to->is_experimental && !v[EXPERIMENTAL].given)
        return nytp_cli_usage("push: the format of %s is not final: expected --experimental", s->to->name);
    if (s->header && !is_header(s->header))
        return nytp_cli_usage("push: --header: expected NAME: VALUE, got '%s'", s->header);
    named->service = v[SERVICE].text;
    if (named->service && !*named->service) return nytp_cli_usage("push: --service: expected a name, got an empty one");
    if (v[LABEL].given && nytp_delta_labels(named, v[LABEL].text, &e))
        return e.code == NYTP_USAGE ? nytp_cli_usage("push: %s", e.text) : nytp_cli_failure(&e);
    return NYTP_CLI_FINE;
}

static int push_once(const nytp_follow *f) {
    nytp_delta d;
    nytp_error e = {0};
    enum nytp_sent sent = NYTP_SENT_REFUSED;
    if (!nytp_delta_make(&d, f->paths, f->paths_n, f->named, NULL, NULL, &e) && d.is_empty)
        nytp_error_set(&e, NYTP_FORMAT, "%s: nothing was measured", f->paths[0]);
    for (uint32_t i = 0; !e.code && sent != NYTP_SENT; i++) {
        sent = nytp_send_delta(f->send, &d, &e);
        if (sent == NYTP_SENT_LATER && e.code != NYTP_NOMEM && i < NYTP_FOLLOW_TRIES) {
            nytp_follow_sleep(nytp_follow_pause(f, i));
            e = (nytp_error){0};
        }
    }
    if (!e.code)
        nytp_print_line(stdout, "Sent a profile of %.2f s to %s", (double)(d.end - d.begin) * 1e-9, f->send->text);
    nytp_delta_free(&d);
    return e.code ? nytp_cli_failure(&e) : NYTP_CLI_FINE;
}

static int run_push(const nytp_call *call) {
    nytp_send send;
    nytp_named named = {0};
    if (call->argc < 2) return nytp_cli_usage("push: expected FILE... URL");
    int status = take_options(call, &send, &named);
    nytp_follow f = {.paths = (const char *const *)call->argv, .paths_n = (uint32_t)call->argc - 1, .send = &send,
                     .named = &named, .every = call->values[EVERY].number,
                     .process = (uint32_t)call->values[WHILE].number};
    if (!status) status = call->values[FOLLOW].given ? nytp_follow_run(&f) : push_once(&f);
    nytp_delta_labels_free(&named);
    return status;
}

const nytp_verb nytp_push_verb = {
    .name = "push",
    .task = NYTP_TASK_EXPORT,
    .arguments = "[OPTIONS] FILE... URL",
    .summary = "sends a profile to a server of profiles",
    .args = args,
    .run = run_push,
};
