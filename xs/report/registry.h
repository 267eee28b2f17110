/* registry.h - the reports there are. A report is one const struct; its verb, help and tests follow from that. */
#ifndef NYTP_REPORT_REGISTRY_H
#define NYTP_REPORT_REGISTRY_H

#include "model/profile.h"
#include "report/sink.h"

typedef struct nytp_report {
    const char *name;    /* also the verb */
    const char *output;  /* the directory, or of a report of one page the file, if nobody says otherwise */
    const char *summary; /* half a sentence */
    /* version is the distribution's. Returns an nytp_code; what went wrong with the sink is in the sink. */
    int (*write)(const nytp_profile *p, const char *version, nytp_sink *sink);
} nytp_report;

extern const nytp_report nytp_html_report, nytp_csv_report, nytp_folded_report, nytp_callgrind_report;

/* NULL when there is none of that name. */
const nytp_report *nytp_registry_find(nytp_str name);

#endif
