/* SPDX-License-Identifier: MIT */
/* parts.c - the files with the data of one process. */
#include "cli/parts.h"

#include <stdio.h>
#include <stdlib.h>

static int is_in(const nytp_input *in, uint32_t process) { return process - in->first_process < in->processes; }

/* A file of format 5 is the part of its first process. */
static int has_part(const nytp_profile *p, uint32_t process) {
    for (uint32_t i = 0; i < p->inputs_n; i++)
        if (p->inputs[i].format == 5 && is_in(&p->inputs[i], process)) return process == p->inputs[i].first_process;
    return 1;
}

/* Any capture may have more of a process; of format 5 a file has all or nothing. */
static void name_inputs(nytp_cli_part *part, const nytp_profile *p, uint32_t process) {
    part->only = &p->processes[process].id;
    for (uint32_t i = 0; i < p->inputs_n; i++)
        if (p->inputs[i].format == 5 && is_in(&p->inputs[i], process)) part->only = NULL;
    for (uint32_t i = 0; i < p->inputs_n; i++) {
        const nytp_input *in = &p->inputs[i];
        int is_its = part->only ? in->format != 5 : in->format == 5 && is_in(in, process);
        if (is_its) part->paths[part->paths_n++] = in->name.p;
    }
}

int nytp_cli_part_of(nytp_cli_part *part, const nytp_profile *p, uint32_t process, const char *out) {
    unsigned pid = p->processes[process].id.pid, same = 1;
    *part = (nytp_cli_part){.paths = NULL};
    if (!has_part(p, process)) return 0;
    part->paths = malloc((p->inputs_n + 1u) * sizeof *part->paths);
    if (!part->paths) return -1;
    name_inputs(part, p, process);
    for (uint32_t i = 0; i < process; i++) same += has_part(p, i) && p->processes[i].id.pid == pid;
    if (same == 1) snprintf(part->out, sizeof part->out, "%s.%u", out, pid);
    else snprintf(part->out, sizeof part->out, "%s.%u.%u", out, pid, same);
    return 1;
}
