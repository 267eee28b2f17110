# SPDX-License-Identifier: MIT
package Devel::NYTProf::Evals;

# String evals that are one piece of code, executed again and again, become one file.

use strict;
use warnings;

use Devel::NYTProf::Constants qw(
    NYTP_FIDi_EVAL_FID NYTP_FIDi_EVAL_FI NYTP_FIDi_HAS_EVALS NYTP_FIDi_SUBS_DEFINED NYTP_FIDi_SUBS_CALLED
    NYTP_SIi_FID
);
use Devel::NYTProf::SubCallInfo;
use Devel::NYTProf::Util qw(_without_eval_numbers);
use Scalar::Util qw(refaddr weaken);

our $VERSION = $Devel::NYTProf::Core::VERSION;

my $MOST_TEXTS = 200;    # of one line; a line with more generates code, and a report of a thousand pages is useless

# The innermost evals come first, as evals in an eval decide whether its siblings are alike.
sub collapse_in {
    my ($outermost) = @_;
    for my $file (reverse $outermost, $outermost->has_evals(1)) {
        my $by_line = $file->evals_by_line;
        for my $line (sort { $a <=> $b } keys %$by_line) {
            my $evals = $by_line->{$line};
            collapse_line(map { $evals->{$_} } sort { $a <=> $b } keys %$evals);
        }
    }
    return 1;
}

sub collapse_line {
    my (@siblings) = @_;
    return if @siblings < 2;
    my %with_text;
    push @{ $with_text{ kind_of($_) } }, $_ for @siblings;
    return join_siblings(@siblings) if keys %with_text > ($ENV{NYTPROF_MAX_EVAL_SIBLINGS} || $MOST_TEXTS);
    for my $group (values %with_text) {
        join_siblings(@$group) if @$group > 1 && !grep { $_->has_evals } @$group;
    }
    return;
}

# Evals without text are alike if their subs and calls are.
sub kind_of {
    my ($eval) = @_;
    return $eval->src_digest || join ' ', 'no text', $eval->has_evals ? 'evals' : (), $eval->subs_defined ? 'subs' : ();
}

# Makes the donors part of the survivor. They stay in the profile's array as empty objects.
sub join_siblings {
    my ($survivor, @donors) = @_;
    for my $donor (@donors) {
        my @fids = ($donor->fid, @{ $donor->meta->{merged_fids} || [] });
        push @{ $survivor->meta->{merged_fids} }, @fids;
        $survivor->meta->{merged_fids_src_varied}++ if $donor->src_digest ne $survivor->src_digest;
        take_subs($survivor, $donor);
        take_calls($survivor, $donor);
        take_lines($survivor, $donor);
        take_evals($survivor, $donor);
    }
    delete_evals(@donors);
    %{ $survivor->cache } = ();
    join_anonymous_subs($survivor);
    return;
}

sub take_subs {
    my ($survivor, $donor) = @_;
    my $taken = $donor->[NYTP_FIDi_SUBS_DEFINED];
    for my $name (keys %$taken) {
        $taken->{$name}[NYTP_SIi_FID] = $survivor->fid if $taken->{$name}->fid == $donor->fid;
        $survivor->[NYTP_FIDi_SUBS_DEFINED]{$name} ||= $taken->{$name};
    }
    return;
}

sub take_calls {
    my ($survivor, $donor) = @_;
    my $subs = $survivor->profile->{sub_subinfo};
    my %called;
    for my $line (keys %{ $donor->sub_call_lines }) {
        my $calls = $donor->sub_call_lines->{$line};
        my $lines = $survivor->[NYTP_FIDi_SUBS_CALLED]{$line} ||= {};
        Devel::NYTProf::SubCallInfo::add_under($lines, $_, $calls->{$_}) for keys %$calls;
        $called{$_} = 1 for keys %$calls;
    }
    $subs->{$_} && $subs->{$_}->move_callers($donor->fid, $survivor->fid) for keys %called;
    return;
}

# First lines of blocks and subs stay as they were in each eval.
sub take_lines {
    my ($survivor, $donor) = @_;
    my $by_fid = $survivor->profile->get_fid_line_data('line') or return;
    my $taken  = $by_fid->[ $donor->fid ]                      or return;
    my $lines  = $by_fid->[ $survivor->fid ] ||= [];
    for my $line (grep { $taken->[$_] } 0 .. $#$taken) {
        $lines->[$line][$_] += $taken->[$line][$_] for 0, 1;
    }
    undef $by_fid->[ $donor->fid ];
    return;
}

sub take_evals {
    my ($survivor, $donor) = @_;
    for my $eval ($donor->has_evals) {
        $eval->[NYTP_FIDi_EVAL_FID] = $survivor->fid;
        weaken($eval->[NYTP_FIDi_EVAL_FI] = $survivor);
        push @{ $survivor->[NYTP_FIDi_HAS_EVALS] }, $eval;
        weaken($survivor->[NYTP_FIDi_HAS_EVALS][-1]);
    }
    return;
}

# All at once: there may be a hundred thousand siblings, and removing them one by one would go through all each time.
sub delete_evals {
    my (@donors) = @_;
    my $parent   = @donors && $donors[0]->eval_fi or return;
    my %gone     = map { (refaddr($_) => 1) } @donors;
    my $siblings = $parent->[NYTP_FIDi_HAS_EVALS];
    my @others   = grep { !$gone{ refaddr $_ } } @$siblings;
    @$siblings = @others;
    weaken($_) for @$siblings;
    for my $donor (reverse @donors) {    # see _connect in Data.pm
        undef $donor->profile->{fid_srclines}[ $donor->fid ];
        @$donor = ();
    }
    return;
}

# The anonymous subs of an eval that ran twice differ in the eval's number only.
sub join_anonymous_subs {
    my ($file)  = @_;
    my $defined = $file->[NYTP_FIDi_SUBS_DEFINED];
    my %first;
    for my $name (sort grep {/__ANON__\[\(eval /} keys %$defined) {
        my $first = $first{ _without_eval_numbers($name) } ||= $name;
        join_subs($file, $first, $name) if $first ne $name;
    }
    return;
}

sub join_subs {
    my ($file, $into, $name) = @_;
    my $subs  = $file->profile->{sub_subinfo};
    my $donor = delete $subs->{$name};
    delete $file->[NYTP_FIDi_SUBS_DEFINED]{$name};
    $subs->{$into}->merge_in($donor);
    for my $place ($donor->caller_places) {
        my ($fid, $line) = @$place;
        my $caller = $file->profile->{fid_fileinfo}[$fid]     or next;    # a damaged profile may lack it
        my $calls  = ($caller->sub_call_lines || {})->{$line} or next;
        my $call   = delete $calls->{$name}                   or next;
        Devel::NYTProf::SubCallInfo::add_under($calls, $into, $call);
    }
    return;
}

1;

__END__

=head1 NAME

Devel::NYTProf::Evals - merge string evals of the same code

=head1 DESCRIPTION

A part of L<Devel::NYTProf::Data>, without functions for other programs.

Evals of one line of one file are grouped by their text, or, if the profile lacks the text, by whether they define subs
and run evals. If no eval of a group ran evals of its own, the group is merged into its first eval. All evals of a line
with more than 200 different texts are merged; the environment variable C<NYTPROF_MAX_EVAL_SIBLINGS> sets another
number. Anonymous subs are merged, too, if their names then differ only in the number of the eval.

=cut
