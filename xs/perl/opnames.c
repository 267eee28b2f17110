/* SPDX-License-Identifier: MIT */
/* opnames.c - slow built-ins, which are shown as subs, by what they may wait for. */
#include "perl/opnames.h"

const char *const nytp_opnames_slow[] = {
    "bind", "binmode", "chdir", "chmod", "chown", "chroot", "closedir", "crypt", "dbmclose", "dbmopen", "dump",
    "egrent", "ehostent", "enetent", "enterwrite", "eof", "eprotoent", "epwent", "eservent", "formline", "ftatime",
    "ftbinary", "ftblk", "ftchr", "ftctime", "ftdir", "fteexec", "fteowned", "fteread", "ftewrite", "ftfile", "ftis",
    "ftlink", "ftmtime", "ftpipe", "ftrexec", "ftrowned", "ftrread", "ftrwrite", "ftsgid", "ftsize", "ftsock", "ftsuid",
    "ftsvtx", "fttext", "fttty", "ftzero", "getlogin", "getpeername", "getsockname", "ggrent", "ggrgid", "ggrnam",
    "ghostent", "glob", "gnbyaddr", "gnbyname", "gnetent", "gpbyname", "gpbynumber", "gprotoent", "gpwent", "gpwnam",
    "gpwuid", "gsbyname", "gsbyport", "gservent", "gsockopt", "ioctl", "leavewrite", "link", "listen", "lstat", "match",
    "mkdir", "msgctl", "msgget", "open", "open_dir", "pack", "print", "prtf", "qr", "rcatline", "readdir", "readlink",
    "regcomp", "rename", "rewinddir", "rmdir", "say", "seek", "seekdir", "semctl", "semget", "send", "sgrent", "shmctl",
    "shmget", "shmread", "shmwrite", "shostent", "shutdown", "snetent", "socket", "sort", "sprotoent", "spwent",
    "sservent", "ssockopt", "stat", "subst", "substcont", "symlink", "sysopen", "sysseek", "syswrite", "tell",
    "telldir", "truncate", "umask", "unlink", "unpack", "utime", NULL};

const char *const nytp_opnames_blocking[] = {
    "backtick", "connect", "fcntl", "flock", "ghbyaddr", "ghbyname", "lock", "msgrcv", "msgsnd", "recv", "select",
    "semop", "sleep", "sselect", "syscall", "system", NULL};
const char *const nytp_opnames_waiting[] = {"wait", "waitpid", NULL};
const char *const nytp_opnames_closing[] = {"close", NULL};
const char *const nytp_opnames_accepting[] = {"accept", NULL};
const char *const nytp_opnames_reading[] = {"getc", "read", "readline", "sysread", NULL};

void nytp_opnames_all(pTHX_ const char *names[MAXO]) {
    const char *const *const lists[] = {nytp_opnames_slow, nytp_opnames_blocking, nytp_opnames_waiting,
                                        nytp_opnames_closing, nytp_opnames_reading, nytp_opnames_accepting};
    for (size_t i = 0; i < sizeof lists / sizeof *lists; i++)
        for (const char *const *name = lists[i]; *name; name++)
            for (int type = 0; type < MAXO; type++)
                if (strEQ(PL_op_name[type], *name)) names[type] = PL_op_name[type];
}
