# SPDX-License-Identifier: MIT
# Lines and calls of Ruby programs against an independent witness: t/ruby/counter.rb, a TracePoint. All agree.
use strict;
use warnings;

use FindBin;
use Test::More;

use lib "$FindBin::Bin/lib";
use Dump qw(of);
use Profiled qw($TOP);
use Ruby qw(all_facts bare_ruby ruby why_not);
use Tree qw(slurp);

plan skip_all => why_not() if why_not();

for my $program (qw(calls jumps)) {
    my $text    = slurp("$TOP/t/ruby/$program.rb");
    my $bare    = bare_ruby($text);
    my $ours    = ruby($text);
    my $counted = bare_ruby($text, more => [ '-r', "$TOP/t/ruby/counter.rb" ], env => { COUNTS => 'counts' });
    is "$ours->{out}$ours->{err}$ours->{exit}", "$bare->{out}$bare->{err}$bare->{exit}",
        "$program: says the same under the profiler";
    is "$counted->{err}$counted->{exit}", '0', 'the witness runs';
    my %witness = map { /^(.*) (\d+)$/ ? ($1 => $2) : () } split /\n/, slurp("$counted->{dir}/counts");
    my $facts = all_facts($ours);
    is_deeply $facts->{line}, { map { /^line (\d+)/ ? ($1 => $witness{$_}) : () } keys %witness }, 'lines';
    is_deeply by_line($facts), bodies(%witness), 'calls of methods, blocks and bodies of classes, by their first lines';
    is_deeply in_c($facts), { map { /^c (.*)/ ? ($1 => $witness{$_}) : () } keys %witness },
        'calls of methods in C, by name';
}
done_testing;

# A method made by define_method is one call for us, and two events for the witness, which have their line to
# themselves.
sub bodies {
    my (%witness) = @_;
    my %by_line;
    for my $what (keys %witness) {
        my ($event, $line) = $what =~ /^(call|b_call|class) (\d+)/ or next;
        next if $event eq 'b_call' && $witness{$what} == ($witness{"call $line"} // 0);
        $by_line{$line} += $witness{$what};
    }
    return \%by_line;
}

sub by_line {
    my ($facts) = @_;
    my ($file) = grep { $_->{name} eq 'prog.rb' } of('file', @{ $facts->{records} });
    my (%by_line, %line);
    $line{ $_->{id} } = $_->{first_line} for grep { $_->{file} == $file->{id} } of('sub', @{ $facts->{records} });
    my %sub_of = map { ($_->{id} => $_->{sub}) } of('node', @{ $facts->{records} });
    for my $delta (of('node_delta', @{ $facts->{records} })) {
        my $line = $line{ $sub_of{ $delta->{id} } // 0 } or next;
        $by_line{$line} += $delta->{count} if $delta->{count};
    }
    return \%by_line;
}

sub in_c {
    my ($facts) = @_;
    my %is_in_c = map { ($_->{name} => 1) } grep { $_->{file} == 0 } of('sub', @{ $facts->{records} });
    my %by_name;
    for my $edge (keys %{ $facts->{edge} }) {
        my ($called) = $edge =~ / > (.*)/;
        next if !$is_in_c{$called};
        my ($id) = $called =~ /[#.]([^#.]+)\z/;
        $by_name{$id} += $facts->{edge}{$edge};
    }
    return \%by_name;
}
