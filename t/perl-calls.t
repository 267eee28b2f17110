# SPDX-License-Identifier: MIT
# Calls: each program in t/perl/leaving.txt and loops.txt says itself what has to be counted from which of its lines;
# its statements are counted by an independent witness too.
use strict;
use warnings;

use FindBin;
use Test::More;

use lib "$FindBin::Bin/lib";
use Facts qw(from_counter);
use Run qw(cases facts run);

for my $case (map { cases($_) } qw(leaving loops)) {
    my ($title, $text) = @$case;
    subtest $title => sub { check($text) };
}
done_testing;

sub check {
    my ($text) = @_;
    my $bare  = run($text, switches => []);
    my $ours  = run($text, options => { optimize => 0 });
    my $facts = facts($ours);
    is $ours->{$_}, $bare->{$_}, "$_ as without the profiler" for qw(out err exit);
    is rows(calls($facts, $text)), rows(expected($text)), 'calls';
    is rows(lines($facts)), rows(lines(witness($text))), 'statements';

    my $no_leave = facts(run($text, options => { optimize => 0, leave => 0 }));
    is rows(lines($no_leave)), rows(lines($facts)), 'leave=0: the same statements';
    is rows(subs($no_leave)), rows(subs($facts)), 'leave=0: the same calls of each sub';
    my $no_statements = facts(run($text, options => { optimize => 0, stmts => 0 }));
    is rows(subs($no_statements)), rows(subs($facts)), 'stmts=0: the same calls of each sub';
    my $no_calls = facts(run($text, options => { optimize => 0, subs => 0, slowops => 0 }));
    is rows(lines($no_calls)), rows(lines($facts)), 'subs=0: the same statements';
    return;
}

sub rows { my ($of) = @_; return join '', map {"$_: $of->{$_}\n"} sort keys %$of }

# What the text's "#>" say: { "LINE SUB" => calls }.
sub expected {
    my ($text) = @_;
    my (%calls, $number);
    for my $line (split /\n/, $text) {
        $number++;
        my ($nowhere, $says) = $line =~ /#>(0?) (.*)/ or next;
        my $from = $nowhere eq '' ? $number : 0;
        $calls{"$from $1"} = $2 while $says =~ /(\S+) (\d+)/g;
    }
    return \%calls;
}

# Calls from the program's own lines; of built-ins only if it says something of that one. What perl calls for want of an
# import method differs: nothing, a sub of its own, and since 5.40 one of UNIVERSAL.
sub calls {
    my ($facts, $text) = @_;
    my %calls;
    for my $key (keys %{ $facts->{call} }) {
        my ($line, $sub) = $key =~ /^(?:prog\.pl)?:(\d+) (.*)/s or next;
        next if $sub =~ /^(?:main::__ANON__|UNIVERSAL::(?:un)?import)$/;
        $calls{"$line $sub"} = $facts->{call}{$key} if $sub !~ /CORE:/ || $text =~ /\Q$sub\E /;
    }
    return \%calls;
}

sub subs { my ($facts) = @_; return { map { ($_ => $facts->{sub}{$_}{calls}) } keys %{ $facts->{sub} } } }

sub lines {
    my ($facts) = @_;
    return { map {/^prog\.pl:(\d+)$/ ? ($1 => $facts->{line}{$_}) : ()} keys %{ $facts->{line} } };
}

sub witness {
    my ($text) = @_;
    my $run = run($text, switches => [ "-I$FindBin::Bin/lib", '-d:LineCounter=counts' ]);
    return from_counter("$run->{dir}/counts");
}
