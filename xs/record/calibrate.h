/* SPDX-License-Identifier: MIT */
/* calibrate.h - what events cost on this machine, whatever else it does meanwhile.
 *
 * A front end has loops of typical work, one for each kind of event and one, the first, without any besides what all
 * have. They are run without hooks and with them in turns, so that what slows the machine down slows both, and of the
 * differences the medians count. A long run is measured again now and then: its prices are medians over all of it. */
#ifndef NYTP_RECORD_CALIBRATE_H
#define NYTP_RECORD_CALIBRATE_H

#include "record/recorder.h"

/* The loops, by what they tell. */
enum nytp_loop { NYTP_LOOP_BASE, NYTP_LOOP_STATEMENT, NYTP_LOOP_SWITCH, NYTP_LOOP_CALL, NYTP_LOOP_LEAF, NYTP_LOOPS };

#define NYTP_CALIBRATE_KEPT 64 /* pairs; of more, as many chosen at random */

typedef struct nytp_calibration {
    void *self;
    const nytp_recorder *recorder; /* which hooked loops run in; it has no output */
    int64_t (*run)(void *self, int loop); /* ticks that it took; -1: there is no such loop */
    void (*hook)(void *self, int on);     /* the loops from now on have hooks, or none */
    uint32_t exit_share;                  /* of a call's price, in percent, what its end has; the same of a leaf's: */
    uint32_t leaf_exit_share;
    int64_t events[NYTP_LOOPS][NYTP_EVENTS];         /* of one run */
    int64_t added[NYTP_LOOPS][NYTP_CALIBRATE_KEPT]; /* ticks by hooks, of each pair that is kept */
    uint64_t measured, dice;
} nytp_calibration; /* all zero but what the front end sets, up to the shares */

/* Runs each loop so many times without and with hooks. Afterwards there are none. */
void nytp_calibrate_measure(nytp_calibration *c, int pairs);

/* What the measurements so far say. */
void nytp_calibrate_prices(const nytp_calibration *c, nytp_rec_price prices[NYTP_EVENTS]);

/* For clocks that tell nothing and must give every run the same figures: the event's number and one. */
void nytp_calibrate_fake(nytp_rec_price prices[NYTP_EVENTS]);

/* 0: too coarse to see a loop run. */
int nytp_calibrate_can(const nytp_clock *clock);

#endif
