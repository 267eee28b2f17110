/* registry.c - the reports there are. */
#include "report/registry.h"

static const nytp_report *const reports[] = {&nytp_html_report, &nytp_csv_report, &nytp_folded_report,
                                           &nytp_callgrind_report};

const nytp_report *nytp_registry_find(nytp_str name) {
    for (size_t i = 0; i < sizeof reports / sizeof *reports; i++)
        if (nytp_str_eq(name, nytp_str_c(reports[i]->name))) return reports[i];
    return NULL;
}
