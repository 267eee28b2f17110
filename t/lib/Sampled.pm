# SPDX-License-Identifier: MIT
package Sampled;

# Runs small Perl programs under the sampler, and adds up what their captures have: by line, by path, by sub.

use strict;
use warnings;

use Exporter 'import';

use Dump qw(records);
use Profiled qw($TOP);
use Run qw(run under_profiler);

our @EXPORT_OK = qw(sampled bare folded lines subs metrics);

my @SWITCHES = grep {/^-I/} under_profiler();

# As run, with hz => samples a second (1000), or words => of the module.
sub sampled {
    my ($text, %with) = @_;
    my $words = delete($with{words}) // 'hz,' . (delete($with{hz}) // 1000);
    return run($text, %with, switches => [ @SWITCHES, "-MDevel::NYTProf::Sample=$words" ]);
}

sub bare { my ($text, %with) = @_; return run($text, %with, switches => [@SWITCHES]) }

# path => nanoseconds of wall time; without the main program's name in front.
sub folded {
    my ($run, $file) = @_;
    my $capture = "$run->{dir}/" . ($file // 'nytprof.out');
    my @lines   = `$TOP/build/nytprof folded '$capture' 2>'$run->{dir}/.log'`;
    return map { /^(?:main::RUNTIME;)?(.*) (\d+)$/ ? ($1 => $2) : () } @lines;
}

# name of the metric => its sum over calls
sub metrics { my ($run) = @_; return %{ summed($run)->{all} } }

# line of prog.pl => { name of the metric => its sum }
sub lines { my ($run) = @_; return %{ summed($run)->{line} } }

# name without main:: => { metric => its sum over the sub and what it called, wall => nanoseconds }
sub subs { my ($run) = @_; return %{ summed($run)->{sub} } }

sub summed {
    my ($run) = @_;
    my (%named, %sum);
    for my $r (records("$run->{dir}/nytprof.out")) {
        my ($kind, $stream) = @{$r}{qw(kind stream)};
        $named{$kind}{ $r->{id} } = $r if $kind =~ /^(?:file|place|sub|node|metric)$/;
        $named{rate} = $r->{ticks_per_second} if $kind eq 'process_start';
        add(\%named, \%sum, 2, $r->{id}, wall => 1e9 * $r->{ticks} / $named{rate}) if $kind eq 'node_delta';
        add(\%named, \%sum, $r->{of}, $r->{id}, $named{metric}{ $r->{metric} }{name} => $r->{value})
            if $kind eq 'values';
    }
    return \%sum;
}

sub add {
    my ($named, $sum, $of, $id, $name, $by) = @_;
    if ($of == 1) {
        my $place = $named->{place}{$id} // return;
        $sum->{line}{ $place->{line} }{$name} += $by if $named->{file}{ $place->{file} }{name} eq 'prog.pl';
        return;
    }
    my %on_path;
    $sum->{all}{$name} += $by;
    for (my $at = $id; $at; $at = $named->{node}{$at}{parent}) {
        my $sub = $named->{sub}{ $named->{node}{$at}{sub} }{name};
        $sum->{sub}{ $sub =~ s/^main:://r }{$name} += $by if !$on_path{$sub}++;
    }
    return;
}

1;
