/* SPDX-License-Identifier: MIT */
/* plugin.h - verbs of others: an executable nytprof-NAME in PATH, or a Perl class Devel::NYTProf::Report::NAME, of
 * which the manual is in lib/Devel/NYTProf/Report.pm. */
#ifndef NYTP_CLI_PLUGIN_H
#define NYTP_CLI_PLUGIN_H

#include <stdio.h>

/* Runs the plugin NAME with the arguments behind its name. It replaces this process; returns an exit code if it cannot,
 * or -1 if there is none of that name. */
int nytp_plugin_run(const char *name, int argc, char **argv);

/* Prints all plugins under a title, a line each; nothing if there are none. */
void nytp_plugin_list(FILE *to);

#endif
