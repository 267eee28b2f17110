/* SPDX-License-Identifier: MIT */
/* render.c - runs graphviz between two temporary files, so that neither side waits for the other, and what is written
 * is a whole picture. */
#include "cli/render.h"

#include <errno.h>
#include <limits.h>
#include <stdio.h>
#include <string.h>
#include <sys/wait.h>
#include <unistd.h>

#include "base/buf.h"
#include "cli/print.h"
#include "report/sink.h"

#define ABSENT 127 /* the exit status of a program that is not there, as the shell has it */

static void be_dot(int in, int out, const char *format) {
    char type[32];
    snprintf(type, sizeof type, "-T%s", format);
    if (dup2(in, STDIN_FILENO) >= 0 && dup2(out, STDOUT_FILENO) >= 0) execlp("dot", "dot", type, (char *)NULL);
    _exit(errno == ENOENT ? ABSENT : 1);
}

/* dot's exit status, or -1. */
static int run_dot(int in, int out, const char *format) {
    int status;
    pid_t pid = fork();
    if (!pid) be_dot(in, out, format);
    while (pid > 0 && waitpid(pid, &status, 0) < 0)
        if (errno != EINTR) return -1;
    return pid > 0 && WIFEXITED(status) ? WEXITSTATUS(status) : -1;
}

static enum nytp_code put_file(const char *path, uint32_t mode, const void *bytes, size_t n, nytp_error *e) {
    nytp_sink *sink = nytp_sink_file(path, mode, e);
    if (!sink) return e->code;
    nytp_sink_put(sink, NYTP_LIT("picture"), bytes, n);
    return nytp_sink_close(sink, e) ? e->code : NYTP_OK;
}

static enum nytp_code put_text(nytp_str graph, const char *format, const char *out, uint32_t mode,
                              nytp_error *e) {
    char path[PATH_MAX];
    size_t n = strlen(out), suffix = strlen(format) + 1;
    if (n > suffix && out[n - suffix] == '.' && strcmp(out + n - suffix + 1, format) == 0) n -= suffix;
    int length = snprintf(path, sizeof path, strcmp(out, "-") == 0 ? "-" : "%.*s.dot", (int)n, out);
    if (length < 0 || length >= (int)sizeof path) return nytp_error_set(e, NYTP_IO, "the name of the file is too long");
    nytp_print_message("dot: graphviz is not installed, so its text is %s%s",
                       strcmp(path, "-") == 0 ? "on standard output" : "in ", strcmp(path, "-") == 0 ? "" : path);
    return put_file(path, mode, graph.p, graph.n, e);
}

static enum nytp_code put_picture(FILE *picture, const char *out, uint32_t mode, nytp_error *e) {
    nytp_buf bytes = {0};
    size_t n = 1;
    rewind(picture);
    while (n) {
        unsigned char *room = nytp_buf_room(&bytes, NYTP_SINK_PIECE);
        n = room ? fread(room, 1, NYTP_SINK_PIECE, picture) : 0;
        bytes.n += n;
    }
    enum nytp_code code = bytes.failed ? nytp_error_set(e, NYTP_NOMEM, "out of memory while reading graphviz's picture")
                                       : put_file(out, mode, bytes.p, bytes.n, e);
    nytp_buf_free(&bytes);
    return code;
}

enum nytp_code nytp_cli_render(nytp_str graph, const char *format, const char *out, uint32_t mode, nytp_error *e) {
    FILE *text = tmpfile(), *picture = tmpfile();
    enum nytp_code code = NYTP_OK;
    if (!text || !picture || fwrite(graph.p, 1, graph.n, text) != graph.n || fflush(text))
        code = nytp_error_set(e, NYTP_IO, "cannot write a temporary file: %s", strerror(errno));
    else {
        rewind(text);
        int status = run_dot(fileno(text), fileno(picture), format);
        if (status == ABSENT) code = put_text(graph, format, out, mode, e);
        else if (status) code = nytp_error_set(e, NYTP_IO, "graphviz's dot fails, so there is no picture");
        else code = put_picture(picture, out, mode, e);
    }
    if (text) fclose(text);
    if (picture) fclose(picture);
    return code;
}
