/* SPDX-License-Identifier: MIT */
/* weight.c - clocks of the sampled thread, and the recorder's counters. */
#include "sample/weight.h"

#include <stdio.h>
#include <sys/stat.h>
#include <unistd.h>

#include "record/counters.h"
#include "record/output.h"
#include "record/state.h"
#include "sample/schedstat.h"

#define SECOND 1000000000

enum { SAMPLES, CPU, WAITING, READY };

#define BY_LINE_AND_CALL (NYTP_OF_PLACE | NYTP_OF_NODE)

const nytp_counter nytp_weight_counters[] = {
    [SAMPLES] = {"samples", "Samples", "samples", BY_LINE_AND_CALL, NYTP_ADDS_SUM},
    [CPU] = {"cpu", "CPU time", "ns", BY_LINE_AND_CALL, NYTP_ADDS_SUM},
    [WAITING] = {"waiting", "Waiting", "ns", BY_LINE_AND_CALL, NYTP_ADDS_SUM},
    [READY] = {"ready", "Ready, without a CPU", "ns", BY_LINE_AND_CALL, NYTP_ADDS_SUM},
    {0},
};

/* ---- clocks ---- */

static int count_of(nytp_weight *w, long long *ran, long long *delayed) {
    return nytp_schedstat_read(&w->counted, w->pid, w->tid, ran, delayed);
}

static int64_t delayed_of(nytp_weight *w) {
    long long ran, delayed;
    return count_of(w, &ran, &delayed) ? delayed : 0;
}

/* Each thread is a directory in it. */
static int has_threads(pid_t pid) {
    char path[32];
    struct stat st;
    snprintf(path, sizeof path, "/proc/%ld/task", (long)pid);
    return stat(path, &st) == 0 && st.st_nlink > 3;
}

/* The kernel lets other processes read the clock of a process only, which is precise, but counts all threads. So the
 * scheduler's count goes on from where the clock is when there is a second thread. */
static void leave_clock(nytp_weight *w, int64_t cpu) {
    long long ran, delayed;
    if (w->clock_is != NYTP_CLOCK_OF_PROCESS || !has_threads(w->pid) || !count_of(w, &ran, &delayed)) return;
    w->clock_is = NYTP_CLOCK_COUNTED;
    w->ahead_ns = cpu - ran;
}

int64_t nytp_weight_cpu(nytp_weight *w) {
    struct timespec t;
    long long ran, delayed;
    if (!w->tid) return 0;
    if (w->clock_is == NYTP_CLOCK_COUNTED) {
        if (count_of(w, &ran, &delayed)) return ran + w->ahead_ns;
    } else if (clock_gettime(w->cpu, &t) == 0) {
        int64_t cpu = (int64_t)t.tv_sec * SECOND + t.tv_nsec;
        leave_clock(w, cpu);
        return cpu;
    }
    w->tid = 0; /* the thread has ended */
    return w->cpu_ns;
}

void nytp_weight_begin(nytp_weight *w) {
    w->cpu_ns = nytp_weight_cpu(w);
    w->delayed_ns = w->tid ? delayed_of(w) : 0;
}

void nytp_weight_end(nytp_weight *w) { nytp_kept_close(&w->counted); }

/* ---- samples ---- */

int64_t nytp_weight_ready(nytp_weight *w, int64_t most) {
    int64_t ready = delayed_of(w) - w->delayed_ns;
    if (ready > most) ready = most;
    if (ready < 0) ready = 0;
    w->delayed_ns += ready;
    return ready;
}

nytp_weighed nytp_weight_of(nytp_weight *w, int64_t wall, int64_t cpu) {
    nytp_weighed time = {.used = cpu - w->cpu_ns};
    int64_t rest = wall > time.used ? wall - time.used : 0;
    if (time.used && rest > wall / 10) time.ready = nytp_weight_ready(w, rest);
    time.waiting = rest - time.ready;
    w->cpu_ns = cpu;
    return time;
}

void nytp_weight_count(const nytp_weight *w, nytp_recorder *r, const nytp_weighed *time) {
    if (!w->tid) return;
    nytp_counters_count(r, CPU, time->used);
    nytp_counters_count(r, WAITING, time->waiting);
    nytp_counters_count(r, READY, time->ready);
}

void nytp_weight_sampled(nytp_recorder *r, int samples) {
    if (samples) nytp_counters_count(r, SAMPLES, samples);
}

/* ---- the capture ---- */

static void property(nytp_writer *to, const char *key, int64_t value) {
    char text[32];
    snprintf(text, sizeof text, "%lld", (long long)value);
    nytp_writer_pair(to, NYTP_REC_PROPERTY, nytp_str_c(key), nytp_str_c(text));
}

void nytp_weight_describe(nytp_weight *w, const nytp_recorder *r, nytp_writer *to) {
    nytp_writer_pair(to, NYTP_REC_PROPERTY, NYTP_LIT("sampling"), nytp_str_c(w->manner));
    property(to, "sample_hz", nytp_options_of(r)->sample);
    w->samples = w->lost = 0;
    w->begun_ns = nytp_clock_monotonic_ns();
}

/* What is known at the end only. */
void nytp_weight_complete(const nytp_weight *w, nytp_recorder *r) {
    char text[32];
    double seconds = (double)(nytp_clock_monotonic_ns() - w->begun_ns) / SECOND;
    snprintf(text, sizeof text, "%.1f", seconds > 0 ? (double)w->samples / seconds : 0.0);
    nytp_output_property(r, NYTP_LIT("sample_got"), nytp_str_c(text));
    snprintf(text, sizeof text, "%lld", (long long)w->lost);
    nytp_output_property(r, NYTP_LIT("samples_lost"), nytp_str_c(text));
}
