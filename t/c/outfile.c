/* SPDX-License-Identifier: MIT */
/* The output file: files that are replaced, left alone, or kept under another name. */
#include "tap.h"

#include <errno.h>
#include <sys/file.h>
#include <sys/wait.h>

#include "capture/clock.h"
#include "capture/outfile.h"
#include "sample.h"

#define PROCESSES 8

static char path[500], other[520];
static nytp_buf used;
static nytp_error error;
static struct stat st;

static int open_it(const char *name, int flags) {
    error = (nytp_error){0};
    return nytp_outfile_open(name, flags, &used, &error);
}

static int used_is(const char *name) {
    return strcmp((char *)used.p, name) == 0 && used.n == strlen(name);
}

static void new_and_old(void) {
    mode_t mask = umask(0777);
    int fd = open_it(path, 0);
    ino_t old;

    umask(mask);
    ok(fd >= 100 && used_is(path) && fstat(fd, &st) == 0, "a new file, at a descriptor out of the program's way");
    is(st.st_mode & 07777, 0600, "is the owner's alone, whatever the umask");
    is(fcntl(fd, F_GETFD) & FD_CLOEXEC, FD_CLOEXEC, "and closed on exec");
    old = st.st_ino;
    is(link(path, other), 0, "it gets another link");
    close(fd);

    errno = 77;
    fd = open_it(path, 0);
    ok(fd >= 0 && fstat(fd, &st) == 0 && st.st_ino != old && errno == 77, "a finished file of that name is replaced");
    ok(stat(other, &st) == 0 && st.st_ino == old, "not written over: another link to it keeps its bytes");
    close(fd);
    unlink(other);
}

static void left_alone(const char *dir) {
    int fd;

    sample_spew(other, "precious", 8);
    unlink(path);
    is(symlink(other, path), 0, "the wanted name is a symbolic link");
    ok(open_it(path, 0) == -1 && strstr(error.text, "symbolic link"), "a symbolic link is an error");
    ok(stat(other, &st) == 0 && st.st_size == 8 && lstat(path, &st) == 0 && S_ISLNK(st.st_mode), "both stay");
    unlink(path);
    ok(symlink("/nonexistent", path) == 0 && open_it(path, 0) == -1, "also one that leads nowhere");
    unlink(path);
    unlink(other);

    mkfifo(path, 0600);
    ok(open_it(path, 0) == -1 && strstr(error.text, "no regular file"), "a fifo is an error, and does not block");
    unlink(path);
    ok(open_it(dir, 0) == -1 && strstr(error.text, "directory"), "a directory is an error");
    ok(open_it("/nonexistent/x", 0) == -1 && error.sys == ENOENT, "a path that does not exist is an error");
    fd = open_it("/dev/null", 0);
    ok(fd >= 0 && used_is("/dev/null") && stat("/dev/null", &st) == 0 && S_ISCHR(st.st_mode), "/dev/null is used");
    close(fd);
}

/* All users may write to /dev/shm; only root can make another user's link there. */
static void links_below_dev(void) {
    char name[64];
    int fd;

    snprintf(name, sizeof name, "/dev/shm/nytprof-test-%ld", (long)getpid());
    if (geteuid() != 0 || symlink(path, name) != 0 || lchown(name, 65534, 65534) != 0) {
        printf("# NOT SHOWN, for want of root or /dev/shm: what another user's link below /dev does\n");
        unlink(name);
        return;
    }
    sample_spew(path, "precious", 8);
    ok(open_it(name, 0) == -1 && strstr(error.text, "symbolic link"), "another user's link below /dev is an error");
    ok(stat(path, &st) == 0 && st.st_size == 8, "and what it leads to stays");
    is(lchown(name, 0, 0), 0, "a link of root's ...");
    fd = open_it(name, 0);
    ok(fd >= 0 && fstat(fd, &st) == 0 && st.st_size == 8, "is followed, and what is there is kept");
    close(fd);
    unlink(name);
    unlink(path);
}

static void live_ones(void) {
    char with_pid[540], again[560];
    int first = open_it(path, 0), second, third;

    snprintf(with_pid, sizeof with_pid, "%s.%ld", path, (long)getpid());
    snprintf(again, sizeof again, "%s.1", with_pid);
    second = open_it(path, 0);
    ok(second >= 0 && used_is(with_pid), "a live file of that name is left alone for NAME.PID");
    third = open_it(path, 0);
    ok(third >= 0 && used_is(again), "and if that lives too, for NAME.PID.1");
    close(first);
    close(second);
    first = open_it(path, 0);
    ok(first >= 0 && used_is(path), "a file whose writer has gone is free");
    close(first);
    close(third);
    unlink(with_pid);
    unlink(again);
}

/* Replaces libc's. Counts files that another process could have made under the new name in time, and would lose. */
static int renamed, others_lost;

int rename(const char *from, const char *to) {
    int fd = open(to, O_WRONLY | O_CREAT | O_EXCL, 0600);
    if (fd >= 0) close(fd);
    others_lost += fd >= 0;
    renamed++;
    return renameat(AT_FDCWD, from, AT_FDCWD, to);
}

static void own_ones(void) {
    char kept[540];

    for (int i = 1; i <= 3; i++) {
        int fd;
        ino_t ino;

        stat(path, &st);
        ino = st.st_ino;
        fd = open_it(path, NYTP_OUTFILE_OWN);
        snprintf(kept, sizeof kept, "%s.%d", path, i);
        ok(fd >= 0 && used_is(path) && stat(kept, &st) == 0 && st.st_ino == ino, "our earlier one is kept as .%d", i);
        close(fd);
    }
    is(renamed, 3, "by renaming");
    is(others_lost, 0, "and nobody could come between finding the name free and taking it");
    for (int i = 1; i <= 3; i++) {
        snprintf(kept, sizeof kept, "%s.%d", path, i);
        unlink(kept);
    }
}

/* A capture with text that names its writer, process pid of the group, and a time. */
static void somebody_wrote(long pid, long group, unsigned long long when) {
    char text[200];
    int n = snprintf(text, sizeof text, "NYTProf capture 1\n:program=x\n:process=%ld of group %ld, begun %llu\n", pid,
                     group, when);
    unlink(path);
    sample_spew(path, text, (size_t)n);
}

static void relatives(void) {
    unsigned long long now = nytp_clock_epoch_ns(), long_ago = 1000000000;
    long own = (long)getpid(), group = (long)getpgrp();
    char elsewhere[540], kept[540];
    struct {
        long pid, group;
        unsigned long long when;
        int flags;
        const char *where;
        int is_kept;
        const char *what;
    } rules[] = {
        {own + 1, group, now, 0, path, 0, "a finished one of this job is replaced"},
        {own + 1, group, now, NYTP_OUTFILE_SHARED, elsewhere, 0, "but not if all were told that name"},
        {own + 1, group, long_ago, NYTP_OUTFILE_SHARED, path, 0, "unless it is older than the job"},
        {own + 1, group + 1, now, NYTP_OUTFILE_SHARED, path, 0, "or of another job"},
        {own, group, now, 0, path, 1, "what this process wrote before an exec is kept aside"},
        {own, group, long_ago, 0, path, 0, "what an earlier one of that pid wrote is not"},
    };
    snprintf(elsewhere, sizeof elsewhere, "%s.%ld", path, own);
    snprintf(kept, sizeof kept, "%s.1", path);
    for (size_t i = 0; i < sizeof rules / sizeof *rules; i++) {
        somebody_wrote(rules[i].pid, rules[i].group, rules[i].when);
        int fd = open_it(path, rules[i].flags);
        ok(fd >= 0 && used_is(rules[i].where) && (stat(kept, &st) == 0) == rules[i].is_kept, "%s",
           rules[i].what);
        close(fd);
        unlink(elsewhere);
        unlink(kept);
    }
}

/* Whether a finished capture of this age, in ns, counts as one of a job whose members live on without their group's
 * leader. */
static int is_relative_without_leader(unsigned long long age) {
    int gone[2], told[2];
    char answer = 0, byte;
    pid_t leader;

    if (pipe(gone) || pipe(told)) abort();
    leader = fork();
    if (leader == 0) {
        setpgid(0, 0);
        if (fork()) _exit(0);
        close(gone[1]);
        if (read(gone[0], &byte, 1) < 0) _exit(2);
        somebody_wrote((long)getpid() + 1, (long)getpgrp(), nytp_clock_epoch_ns() - age);
        int fd = open_it(path, NYTP_OUTFILE_SHARED);
        answer = fd < 0 ? 'f' : used_is(path) ? 's' : 'r';
        if (answer == 'r') unlink((char *)used.p);
        _exit(write(told[1], &answer, 1) != 1);
    }
    close(told[1]);
    waitpid(leader, NULL, 0);
    close(gone[0]);
    close(gone[1]);
    if (read(told[0], &answer, 1) < 0) abort();
    close(told[0]);
    return answer;
}

static void without_leader(void) {
    is(is_relative_without_leader(0), 'r', "a job goes on when its first process has ended");
    is(is_relative_without_leader(3600000000000u), 's', "but what is older is none of its");
}

/* Each of many processes that start at once gets a file. */
static void at_once(void) {
    pid_t children[PROCESSES];
    int go[2], status, fine = 1;

    if (pipe(go)) abort();
    for (int i = 0; i < PROCESSES; i++) {
        children[i] = fork();
        if (children[i] == 0) {
            char byte;
            int fd;

            close(go[1]);
            if (read(go[0], &byte, 1) < 0) _exit(2);
            fd = open_it(path, 0);
            if (fd < 0 || fstat(fd, &st)) _exit(3);
            usleep(300000);
            if (stat((char *)used.p, &st) || write(fd, "x", 1) != 1) _exit(4);
            fine = fstat(fd, &st) == 0 && st.st_nlink == 1 && st.st_size == 1;
            if (!used_is(path)) unlink((char *)used.p);
            _exit(!fine);
        }
    }
    close(go[0]);
    close(go[1]);
    for (int i = 0; i < PROCESSES; i++) fine &= waitpid(children[i], &status, 0) == children[i] && status == 0;
    ok(fine, "eight processes at once have eight files");
}

int main(void) {
    char *dir = sample_directory();

    snprintf(path, sizeof path, "%s/path", dir);
    snprintf(other, sizeof other, "%s/other", dir);
    new_and_old();
    left_alone(dir);
    links_below_dev();
    live_ones();
    own_ones();
    relatives();
    without_leader();
    at_once();
    unlink(path);
    rmdir(dir);
    nytp_buf_free(&used);
    return done();
}
