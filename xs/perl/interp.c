/* SPDX-License-Identifier: MIT */
/* interp.c - the states of the process's interpreters, by their addresses. */
#include "perl/pool.h"

#include <pthread.h>
#include <stdlib.h>
#include <string.h>

#include "record/handlers.h"
#include "sample/lookout.h"

#ifdef PERL_IMPLICIT_CONTEXT

/* State of the process. A perl without a state asks at each event, and the generation, which a new state changes, saves
 * it the lock. */
static struct {
    pthread_mutex_t lock;    /* of the lists */
    pthread_mutex_t outputs; /* taken first */
    nytp_glue *all, *unused, *resting;
    uint32_t clones;
    atomic_uint generation;
} process = {.lock = PTHREAD_MUTEX_INITIALIZER, .outputs = PTHREAD_MUTEX_INITIALIZER};

/* The latest perl without a state that asked in this thread. */
static _Thread_local __attribute__((tls_model("initial-exec"))) struct {
    const void *perl;
    uint32_t generation;
} stranger;

static void lock(void) { pthread_mutex_lock(&process.lock); }

static void unlock(void) { pthread_mutex_unlock(&process.lock); }

void nytp_interp_lock(void) { pthread_mutex_lock(&process.outputs); }

void nytp_interp_unlock(void) { pthread_mutex_unlock(&process.outputs); }

/* A child that forks while another thread has a lock would wait for it for ever. Recorders join the list of
 * record/handlers.h with the outputs' lock, so it is taken before that list's; the other lock is the last. */
static void attend_forks(void) {
    nytp_lookout_attend_forks(); /* its lock is taken with any of the others */
    pthread_atfork(lock, unlock, unlock);
    nytp_handlers_install();
    pthread_atfork(nytp_interp_lock, nytp_interp_unlock, nytp_interp_unlock);
}

/* With the lock. */
static nytp_glue *find(const void *perl) {
    nytp_glue *g = process.all;
    while (g && g->perl != perl) g = g->next;
    return g;
}

nytp_glue *nytp_interp_seek(const void *perl) {
    uint32_t generation = atomic_load(&process.generation);
    if (stranger.perl == perl && stranger.generation == generation) return &nytp_glue_nobody;
    lock();
    nytp_glue *g = find(perl);
    unlock();
    if (g) return nytp_perl_here_state = g;
    stranger.perl = perl;
    stranger.generation = generation;
    return &nytp_glue_nobody;
}

/* With the lock. */
static void give_to(nytp_glue *g, const void *perl) {
    g->next = process.all;
    process.all = g;
    g->perl = perl;
    process.generation++;
}

nytp_glue *nytp_interp_make(const void *perl) {
    static pthread_once_t once = PTHREAD_ONCE_INIT;
    pthread_once(&once, attend_forks);
    lock();
    nytp_glue *g = process.unused ? process.unused : (nytp_glue *)calloc(1, sizeof *g);
    if (g) {
        if (g == process.unused) process.unused = g->next;
        give_to(g, perl);
    }
    unlock();
    return g;
}

/* With the lock. */
static void take_off(const nytp_glue *g) {
    nytp_glue **at = &process.all;
    while (*at && *at != g) at = &(*at)->next;
    if (*at) *at = g->next;
}

void nytp_interp_release(nytp_glue *g) {
    lock();
    take_off(g);
    g->perl = NULL;
    g->stack = NULL;
    memset((char *)g + offsetof(nytp_glue, cops), 0, sizeof *g - offsetof(nytp_glue, cops));
    g->next = process.unused;
    process.unused = g;
    unlock();
}

void nytp_interp_rest(nytp_glue *g) {
    lock();
    take_off(g);
    g->perl = NULL;
    g->next = process.resting;
    process.resting = g;
    unlock();
}

nytp_glue *nytp_interp_again(const void *perl) {
    lock();
    nytp_glue *g = process.resting;
    if (g) {
        process.resting = g->next;
        give_to(g, perl);
    }
    unlock();
    return g;
}

int nytp_interp_is_alone(void) {
    lock();
    int is_alone = process.all && !process.all->next;
    unlock();
    return is_alone;
}

void nytp_interp_drop(nytp_glue *g) {
    take_off(g);
    g->perl = NULL;
    g->stack = NULL;
}

uint32_t nytp_interp_count_clone(void) {
    lock();
    uint32_t number = ++process.clones;
    unlock();
    return number;
}

#else

nytp_glue *nytp_interp_seek(const void *perl) {
    return perl == nytp_perl_here_only.perl ? &nytp_perl_here_only : &nytp_glue_nobody;
}

nytp_glue *nytp_interp_make(const void *perl) {
    nytp_perl_here_only.perl = perl;
    return &nytp_perl_here_only;
}

void nytp_interp_release(nytp_glue *g) { memset((void *)g, 0, sizeof *g); }

int nytp_interp_is_alone(void) { return 1; }

void nytp_interp_drop(nytp_glue *g) { g->stack = NULL; }

void nytp_interp_rest(nytp_glue *g) { g->stack = NULL; }

nytp_glue *nytp_interp_again(const void *perl) {
    PERL_UNUSED_VAR(perl);
    return NULL;
}

uint32_t nytp_interp_count_clone(void) { return 0; }

void nytp_interp_lock(void) {}

void nytp_interp_unlock(void) {}

#endif
