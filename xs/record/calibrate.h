/* SPDX-License-Identifier: MIT */
/* calibrate.h - measures the prices of events on this machine, also while it is busy.
 *
 * A front end has loops of typical work, one for each kind of event; the first has only the events common to all. Loops
 * are run bare and hooked in turns, so that a slow phase of the machine affects both, and the medians of the
 * differences count. A long run is measured again now and then: its prices are medians over all of it. */
#ifndef NYTP_RECORD_CALIBRATE_H
#define NYTP_RECORD_CALIBRATE_H

#include "record/recorder.h"

/* The loops, by the event they measure. */
enum nytp_loop { NYTP_LOOP_BASE, NYTP_LOOP_STATEMENT, NYTP_LOOP_SWITCH, NYTP_LOOP_CALL, NYTP_LOOP_LEAF, NYTP_LOOPS };

#define NYTP_CALIBRATE_KEPT 64 /* pairs; of more pairs a random choice */

typedef struct nytp_calibration {
    void *self;
    const nytp_recorder *recorder; /* counts the events of hooked loops; has no output */
    int64_t (*run)(void *self, int loop); /* the loop's ticks; -1: there is no such loop */
    void (*hook)(void *self, int on);     /* switches hooks on or off for the next loops */
    uint32_t exit_share;                  /* percentage of a call's price charged at its end; likewise for leaves: */
    uint32_t leaf_exit_share;
    uint32_t rarely; /* after a measurement there is none for so many times as long as it took; 0: see ..._is_due */
    int64_t next;    /* no measurement before this time */
    int64_t events[NYTP_LOOPS][NYTP_EVENTS];         /* of one run */
    int64_t added[NYTP_LOOPS][NYTP_CALIBRATE_KEPT]; /* ticks that hooks added, of each pair kept */
    uint64_t measured, dice;
} nytp_calibration; /* all zero but the members up to `rarely`, which the front end sets */

/* What a front end does first: 1 if there are prices to be measured. Else option overhead=raw wants none, the clock is
 * too coarse to time a loop, or it is the fake one, whose prices are set here. */
int nytp_calibrate_is_wanted(nytp_recorder *r);

/* The time of loops, for `run`: that of r's clock, read at once where r counts ticks. */
int64_t nytp_calibrate_now(nytp_recorder *r);

/* Runs each loop that many times bare and hooked. Afterwards hooks are off. */
void nytp_calibrate_measure(nytp_calibration *c, int pairs);

/* The prices by the measurements so far. */
void nytp_calibrate_prices(const nytp_calibration *c, nytp_rec_price prices[NYTP_EVENTS]);

/* For front ends with prices of their own reckoning: the median, of an array that is sorted by it; a price as a number
 * of NYTP_PRICE_PARTS of a tick. */
int64_t nytp_calibrate_median(int64_t *v, uint32_t n);
int64_t nytp_calibrate_parts(const nytp_rec_price *p);
void nytp_calibrate_set_parts(nytp_rec_price *p, int64_t parts);

/* While the program runs: 1 if r is on and the latest measurement is a tenth of a second ago, and more if it was a long
 * one (`rarely`). */
int nytp_calibrate_is_due(const nytp_calibration *c, const nytp_recorder *r, int64_t now);

/* Behind a measurement that began at that time: sets the program's prices; the time is not the program's. */
void nytp_calibrate_done(nytp_calibration *c, nytp_recorder *r, int64_t begin);

#endif
