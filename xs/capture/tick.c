/* SPDX-License-Identifier: MIT */
/* tick.c - the thread that ticks, and readings while it does not.
 *
 * The mark of a word (tick.h) makes each change of it a decision of one side: the thread changes what is READ or
 * UNREAD, a reading changes UNREAD to READ, and what is PARKED or STOPPED belongs to readings alone. */
#include "capture/tick.h"

#include <pthread.h>
#include <semaphore.h>
#include <stdlib.h>

#include "base/worker.h"

#define PATIENCE 10 /* ticks without a reading, before the thread waits for one */

/* The first of a list; the others are CPU times of threads. */
nytp_tick nytp_tick_elapsed = {.word = NYTP_TICK_STOPPED, .clock = CLOCK_MONOTONIC};

/* State of the process, as all recorders have one thread, and a handler of fork has no argument. */
static struct {
    pthread_mutex_t lock;
    uint32_t era;          /* the number of this process since the first, by forks */
    uint32_t holders;      /* of this era */
    atomic_uint runs;      /* threads begun and ended: a thread runs while its number is this one, which is odd */
    pthread_t thread;
    sem_t wanted;          /* by readings, while the thread waits */
    pthread_key_t ends;    /* of a thread with a CPU clock */
} process = {.lock = PTHREAD_MUTEX_INITIALIZER, .era = 1};

static _Thread_local __attribute__((tls_model("initial-exec"))) nytp_tick *here; /* CPU time of this thread */

static int64_t clock_ns(clockid_t clock) {
    struct timespec t = {0, 0};
    clock_gettime(clock, &t);
    return (int64_t)t.tv_sec * INT64_C(1000000000) + t.tv_nsec;
}

static int64_t mark_of(int64_t word) { return word & NYTP_TICK_MARKS; }
static int64_t time_of(int64_t word) { return word - mark_of(word); }
static int is_ticking(int64_t word) { return mark_of(word) == NYTP_TICK_READ || mark_of(word) == NYTP_TICK_UNREAD; }

static int64_t load(const nytp_tick *t) { return atomic_load_explicit(&t->word, memory_order_relaxed); }

/* Where that fails *word is what the word is. */
static int change(nytp_tick *t, int64_t *word, int64_t to) {
    return atomic_compare_exchange_strong_explicit(&t->word, word, to, memory_order_relaxed, memory_order_relaxed);
}

/* ---- readings ---- */

/* Of the latest tick, and not before that of the word. CPU time at the tick is that of now, less what the thread has
 * used since: all that passed, if it has run. */
static int64_t time_at_tick(const nytp_tick *t, int64_t word, int64_t now) {
    int64_t clock = t == &nytp_tick_elapsed ? now : clock_ns(t->clock), time = time_of(clock - now % NYTP_TICK_NS);
    return time > time_of(word) ? time : time_of(word);
}

/* Two readings in one tick are many: the thread goes on. */
static int64_t ask(nytp_tick *t, int64_t word) {
    int64_t now = clock_ns(CLOCK_MONOTONIC), at = now - now % NYTP_TICK_NS;
    int is_wanted = atomic_exchange_explicit(&t->asked, at, memory_order_relaxed) == at;
    do {
        if (is_ticking(word)) return time_of(word);
        int64_t time = time_at_tick(t, word, now);
        int goes_on = is_wanted && mark_of(word) == NYTP_TICK_PARKED;
        if (!change(t, &word, time + (goes_on ? NYTP_TICK_READ : mark_of(word)))) continue;
        if (goes_on) sem_post(&process.wanted);
        return time;
    } while (1);
}

int64_t nytp_tick_read(nytp_tick *t, int64_t word) {
    if (!is_ticking(word)) return ask(t, word);
    int64_t time = time_of(word);
    change(t, &word, time);
    return time;
}

/* ---- the thread ---- */

/* Its work at a tick. A word that a reading has changed meanwhile is looked at once more. */
static void tick(nytp_tick *t, int64_t now) {
    int64_t word = load(t), to;
    do {
        if (!is_ticking(word)) return;
        t->unread = mark_of(word) == NYTP_TICK_UNREAD ? t->unread + 1 : 0;
        if (t->unread < PATIENCE) to = time_at_tick(t, word, now) + NYTP_TICK_UNREAD;
        else to = time_of(word) + NYTP_TICK_PARKED;
    } while (!change(t, &word, to));
}

static int is_any_ticking(void) {
    int is_any = 0;
    for (const nytp_tick *t = &nytp_tick_elapsed; t; t = t->next) is_any |= is_ticking(load(t));
    return is_any;
}

static void sleep_until(int64_t ns) {
    const struct timespec until = {.tv_sec = ns / INT64_C(1000000000), .tv_nsec = ns % INT64_C(1000000000)};
    clock_nanosleep(CLOCK_MONOTONIC, TIMER_ABSTIME, &until, NULL);
}

/* The lock is held by a thread that arrives or ends, for a moment, or by the thread that waits for the end of this. */
static int tick_all(void) {
    if (pthread_mutex_trylock(&process.lock)) return 1;
    int64_t now = clock_ns(CLOCK_MONOTONIC);
    for (nytp_tick *t = &nytp_tick_elapsed; t; t = t->next) tick(t, now);
    int is_any = is_any_ticking();
    pthread_mutex_unlock(&process.lock);
    return is_any;
}

static void *run(void *number) {
    while (process.runs == (uint32_t)(uintptr_t)number) {
        if (!tick_all()) sem_wait(&process.wanted);
        else sleep_until(clock_ns(CLOCK_MONOTONIC) / NYTP_TICK_NS * NYTP_TICK_NS + NYTP_TICK_NS);
    }
    return NULL;
}

/* ---- its life, with the lock ---- */

static void mark(nytp_tick *t, int64_t as) {
    int64_t word = load(t);
    while (!change(t, &word, time_of(word) + as)) {}
}

static void mark_all(int64_t as) {
    for (nytp_tick *t = &nytp_tick_elapsed; t; t = t->next) mark(t, as);
}

static int is_running(void) { return process.runs % 2 != 0; }

static void start(void) {
    process.runs++;
    if (nytp_worker_start(&process.thread, run, (void *)(uintptr_t)process.runs)) process.runs++;
    else mark_all(NYTP_TICK_PARKED);
}

static void stop(void) {
    mark_all(NYTP_TICK_STOPPED);
    process.runs++;
    sem_post(&process.wanted);
    pthread_join(process.thread, NULL);
}

/* ---- threads and forks ---- */

/* A CPU clock that cannot be had is read as the thread's own. */
static void find_clock(nytp_tick *t) {
    if (pthread_getcpuclockid(pthread_self(), &t->clock)) t->clock = CLOCK_THREAD_CPUTIME_ID;
}

/* The thread that has forked is alone in the child, and its CPU time begins afresh. */
static void in_child(void) {
    pthread_mutex_init(&process.lock, NULL);
    sem_init(&process.wanted, 0, 0);
    process.era++;
    process.holders = 0;
    process.runs += process.runs % 2;
    nytp_tick_elapsed.next = here;
    mark(&nytp_tick_elapsed, NYTP_TICK_STOPPED);
    if (!here) return;
    find_clock(here);
    here->next = NULL;
    here->word = NYTP_TICK_STOPPED;
}

static void at_end_of_thread(void *of) {
    nytp_tick *at = &nytp_tick_elapsed;
    pthread_mutex_lock(&process.lock);
    while (at->next && at->next != of) at = at->next;
    if (at->next) at->next = at->next->next;
    pthread_mutex_unlock(&process.lock);
    free(of);
    here = NULL;
}

static void install(void) {
    sem_init(&process.wanted, 0, 0);
    pthread_key_create(&process.ends, at_end_of_thread);
    pthread_atfork(NULL, NULL, in_child);
}

static void install_once(void) {
    static pthread_once_t once = PTHREAD_ONCE_INIT;
    pthread_once(&once, install);
}

static nytp_tick *arrive(void) {
    nytp_tick *t = calloc(1, sizeof *t);
    if (!t) return NULL;
    install_once();
    find_clock(t);
    pthread_setspecific(process.ends, t);
    pthread_mutex_lock(&process.lock);
    t->word = is_running() ? NYTP_TICK_PARKED : NYTP_TICK_STOPPED;
    t->next = nytp_tick_elapsed.next;
    nytp_tick_elapsed.next = t;
    pthread_mutex_unlock(&process.lock);
    return here = t;
}

/* ---- for recorders ---- */

int64_t nytp_tick_cpu(void) {
    nytp_tick *t = here ? here : arrive();
    if (!t) return clock_ns(CLOCK_THREAD_CPUTIME_ID);
    int64_t word = load(t);
    return mark_of(word) ? nytp_tick_read(t, word) : word;
}

void nytp_tick_hold(uint32_t *held) {
    install_once();
    pthread_mutex_lock(&process.lock);
    if (*held != process.era) process.holders++;
    *held = process.era;
    if (!is_running()) start();
    pthread_mutex_unlock(&process.lock);
}

void nytp_tick_release(uint32_t *held) {
    pthread_mutex_lock(&process.lock);
    if (*held == process.era && !--process.holders && is_running()) stop();
    *held = 0;
    pthread_mutex_unlock(&process.lock);
}
