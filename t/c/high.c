/* SPDX-License-Identifier: MIT */
/* Descriptors above those of the host process, as far as it may have any there; and source that is read by one. */
#include <errno.h>
#include <fcntl.h>
#include <string.h>
#include <sys/resource.h>
#include <unistd.h>

#include "base/high.h"
#include "record/contents.h"
#include "tap.h"

static void limit_to(rlim_t most) {
    struct rlimit limit;
    getrlimit(RLIMIT_NOFILE, &limit);
    limit.rlim_cur = most;
    setrlimit(RLIMIT_NOFILE, &limit);
}

int main(void) {
    struct rlimit before;
    getrlimit(RLIMIT_NOFILE, &before);
    int first = open("/dev/null", O_RDONLY), high = nytp_high_move(first);
    ok(high >= NYTP_HIGH_LEAST && fcntl(high, F_GETFD) == FD_CLOEXEC, "it is high, and ends with exec: %d", high);
    is(open("/dev/null", O_RDONLY), first, "the low number is the host's again");
    errno = ENOTDIR;
    is(nytp_high_move(-1), -1, "none stays none");
    is(errno, ENOTDIR, "with the reason");
    close(high);
    limit_to(NYTP_HIGH_LEAST / 2);
    is(nytp_high_move(first), first, "it stays low where none may be high");
    is(errno, ENOTDIR, "which is no error");
    nytp_live_file file = {.name = NYTP_LIT("xs/base/high.h")};
    nytp_buf text = {0};
    nytp_contents_read(&file, &text);
    ok(text.n > 20 && memcmp(text.p, "/* SPDX", 7) == 0, "source is read all the same");
    is(open("/dev/null", O_RDONLY), first + 1, "and its file closed");
    setrlimit(RLIMIT_NOFILE, &before);
    nytp_buf_free(&text);
    return done();
}
