# SPDX-License-Identifier: MIT
# String evals that are one piece of code become one file.
use strict;
use warnings;

use FindBin;
use Test::More;

use lib "$FindBin::Bin/lib", map {"$FindBin::Bin/../blib/$_"} qw(lib arch);

BEGIN { delete @ENV{qw(NYTPROF NYTPROF_MAX_EVAL_SIBLINGS)} }

use Devel::NYTProf::Data;
use Run qw(capture_of cases run);

my %text = map {@$_} cases('api');
my $file = capture_of(run($text{evals}));

sub profile { return Devel::NYTProf::Data->new({ filename => $file, quiet => 1, @_ }) }

sub evals_at {
    my ($fi, $line) = @_;
    my @evals = sort { $a->fid <=> $b->fid } values %{ $fi->evals_by_line->{$line} || {} };
    return @evals;
}

my $apart = profile(skip_collapse_evals => 1);
my $main  = $apart->fileinfo_of('prog.pl');
my @apart = evals_at($main, 2);
is @apart, 7, 'skip_collapse_evals: line 2 ran seven evals';
my @fids = map { $_->fid } @apart;
my %count = map { ($_->fid => $_->sum_of_stmts_count) } @apart;

my $joined = profile();
$main = $joined->fileinfo_of('prog.pl');
my ($anon, $plain) = evals_at($main, 2);
is scalar(evals_at($main, 2)), 3, 'those of line 2 with the same text are one each';
is_deeply [ $anon->fid, $plain->fid ], [ @fids[ 0, 3 ] ], 'the first one survives';
is_deeply $anon->meta->{merged_fids}, [ @fids[ 1, 2 ] ], 'and remembers the others';
is_deeply $plain->meta->{merged_fids}, [ $fids[4] ], 'each its own';
ok !exists $anon->meta->{merged_fids_src_varied}, 'no text was another';
is $anon->sum_of_stmts_count, $count{ $fids[0] } * 3, 'line times are added up';
is_deeply [ grep { $_->fid == $fids[1] } $joined->all_fileinfos ], [], 'a donor is no file any more';
is $joined->get_fid_line_data->[ $fids[1] ], undef, 'and has no lines';

my $name = "main::__ANON__[(eval 1)[prog.pl:2]:1]";
my $sub  = $joined->subinfo_of($name);
is $sub->calls, 3, 'anonymous subs with names that differ in the eval\'s number only are one';
is_deeply $sub->meta->{merged_sub_names}, [ map { $name =~ s/eval 1/eval $_/r } 2, 3 ], 'which remembers the others';
$sub->clone->merge_in($joined->subinfo_of('main::wrap'));
is @{ $sub->meta->{merged_sub_names} }, 2, 'and the clone of that sub has a list of its own';
is_deeply [ grep { exists $joined->{sub_subinfo}{ $name =~ s/eval 1/eval $_/r } } 2, 3 ], [], 'and these are gone';
is_deeply [ map { @$_[ 0, 1 ] } $sub->caller_places ], [ $fids[0], 1 ], 'its callers are one line of the survivor';
is $anon->sub_call_lines->{1}{$name}[0], 3, 'which says the same';
is_deeply [ keys %{ $anon->sub_call_lines->{1} } ], [$name], 'and nothing else';
is $joined->subinfo_of('main::wrap')->calls, 7, 'others keep their calls';

is scalar(evals_at($main, 6)), 3, 'evals with different texts stay apart';
my @outer = evals_at($main, 5);
is @outer, 2, 'so do those that ran evals of their own';
is scalar(my @inner = $outer[0]->has_evals(1)), 1, 'the evals in a merged eval are still there';
is $inner[0]->eval_fi, $outer[0], 'and know it';

{
    local $ENV{NYTPROF_MAX_EVAL_SIBLINGS} = 1;
    my $profile = profile();
    my $few     = $profile->fileinfo_of('prog.pl');
    my @at2 = evals_at($few, 2);
    is @at2, 1, 'NYTPROF_MAX_EVAL_SIBLINGS: too many texts, and all of a line are one';
    is $at2[0]->meta->{merged_fids_src_varied}, 4, 'which counts the other texts';
    is scalar(my @nested = map { $_->has_evals } evals_at($few, 5)), 2, 'evals of evals move over';
}

my $by_hand = profile(skip_collapse_evals => 1);
is $by_hand->collapse_evals_in($by_hand->fileinfo_of('prog.pl')), 1, 'collapse_evals_in returns 1';
is scalar($by_hand->eval_fileinfos), scalar($joined->eval_fileinfos), 'and does what new does';

my $many = Devel::NYTProf::Data->new({ filename => capture_of(run('eval "$_;" for 1 .. 250; 1')), quiet => 1 });
is scalar(my @one = $many->eval_fileinfos), 1, 'more than 200 texts of one line are one';
is scalar @{ $one[0]->meta->{merged_fids} }, 249, 'that stands for all';

my $no_source = run($text{evals}, options => { savesrc => 0 });
my $without = Devel::NYTProf::Data->new({ filename => capture_of($no_source), quiet => 1 });
is scalar(evals_at($without->fileinfo_of('prog.pl'), 2)), 2, 'without text they are told apart by the subs they define';

done_testing;
