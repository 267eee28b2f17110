#!/usr/bin/perl
# SPDX-License-Identifier: MIT
# rows.pl FILE...: prints build/reports.c, the table of all reports that those C files define (registry.h).
use strict;
use warnings;

my @names;
while (<>) {
    push @names, $1 if /^const nytp_report nytp_(\w+)_report = \{$/;
}
@names = sort @names;
print qq{/* reports.c - the reports there are. Made by xs/report/rows.pl. */\n#include "report/registry.h"\n\n};
print "extern const nytp_report nytp_${_}_report;\n" for @names;
print "\nconst nytp_report *const nytp_reports[] = {\n", (map {"    &nytp_${_}_report,\n"} @names), "    NULL,\n};\n";
