/* SPDX-License-Identifier: MIT */
/* squeeze.h - a window that is larger than the room for it: what took most time is kept. */
#ifndef NYTP_RECORD_SQUEEZE_H
#define NYTP_RECORD_SQUEEZE_H

#include "record/recorder.h"

enum nytp_squeezed {
    NYTP_SQUEEZED_NOT,   /* there is room for all that is queued */
    NYTP_SQUEEZED_TO_FIT, /* there is room for what is queued now, and for no more than that */
    NYTP_SQUEEZED_BADLY, /* likewise, but memory was short */
    NYTP_SQUEEZED_LATER  /* there is next to none: counting goes on, and the window is a part of the next one */
};

/* To be called before queued places and nodes are defined, with intervals ended; place 0 and the root are queued. By
 * a limit of file sizes a window may have half of the room that is left, and the last one all; a full disk may have
 * room again, until the end. Of places and nodes with the least time that time goes to what is around them: outside any
 * statement, and to callers. */
enum nytp_squeezed nytp_squeeze(nytp_recorder *r, int is_end);

#endif
