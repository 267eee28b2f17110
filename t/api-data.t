# SPDX-License-Identifier: MIT
# Devel::NYTProf::Data, FileInfo, SubInfo and SubCallInfo: a profile as Perl programs see it.
use strict;
use warnings;

use FindBin;
use List::Util qw(sum0);
use Test::More;

use lib "$FindBin::Bin/lib", map {"$FindBin::Bin/../blib/$_"} qw(lib arch);

BEGIN { delete @ENV{qw(NYTPROF NYTPROF_ONLOAD)} }

use Devel::NYTProf::Constants qw(NYTP_FIDi_elements NYTP_SCi_CALLING_SUB NYTP_SCi_elements NYTP_SIi_elements);
use Devel::NYTProf::Data;
use Devel::NYTProf::FileHandle;
use Run qw(capture_of cases run);
use Tree qw(spew);

my %text = map {@$_} cases('api');
my $run  = run($text{everything}, options => { clock => 'fake' });
my $file = capture_of($run);
my $main = "$run->{dir}/prog.pl";
is $run->{err}, '', 'the program ran';

# What a piece of code returns and warns of; dies with.
sub warned { my ($code) = @_; my @w; local $SIG{__WARN__} = sub { push @w, @_ }; my @r = $code->(); return \@r, "@w" }
sub died { my ($code) = @_; return eval { $code->(); 1 } ? '' : $@ }

# --- the hash ---------------------------------------------------------------------------------------------------------

my $profile = Devel::NYTProf::Data->new({ filename => $file, quiet => 1, skip_collapse_evals => 1 });
isa_ok $profile, 'Devel::NYTProf::Data';
is_deeply [ sort keys %$profile ],
    [qw(attribute fid_fileinfo fid_line_time fid_srclines option profile_modes sub_subinfo)], 'its keys';
is_deeply [ sort keys %{ $profile->attributes } ], [ sort qw(application basetime clock_id complete
        cumulative_overhead_ticks nv_size perl_version PL_perldb profiler_active profiler_duration profiler_end_time
        profiler_start_time ticks_per_sec total_stmts_discounted total_stmts_duration total_stmts_measured
        total_sub_calls xs_version) ], 'exactly these 18 attributes';
is_deeply [ sort keys %{ $profile->options } ], [ sort qw(usecputime subs blocks leave expand trace use_db_sub compress
        clock stmts slowops findcaller forkdepth perldb nameevals nameanonsubs calls evals) ], 'the 18 options';
is_deeply $profile->get_profile_levels, { fid_line_time => 'line' }, 'profile_modes without blocks';

my $raw = Devel::NYTProf::Data::load_profile_data_from_file($file);
is ref $raw, 'HASH', 'load_profile_data_from_file returns a plain hash';
is @{ $raw->{fid_fileinfo}[1] }, NYTP_FIDi_elements, 'a file has 12 elements';
is @{ $raw->{sub_subinfo}{'main::foo'} }, NYTP_SIi_elements, 'a sub that was called has 11';

my $attribute = $profile->attributes;
is $attribute->{complete}, 1, 'complete';
is $attribute->{application}, 'prog.pl', 'application';
my $of_strict = sum0(map { $_->calls } grep { $_->subname =~ /^strict::(?:BEGIN|CORE:)/ }
    values %{ $profile->subname_subinfo_map });
is $attribute->{total_sub_calls} - $of_strict, 29, 'total_sub_calls, less what loading strict took before perl 5.34';
cmp_ok $attribute->{total_stmts_discounted}, '>', 0, 'total_stmts_discounted';
my $executed = 0;
$executed += $_->sum_of_stmts_count for $profile->all_fileinfos;
is $executed, $attribute->{total_stmts_measured} - $attribute->{total_stmts_discounted},
    'measured less discounted is what the lines say';
my $active = $attribute->{profiler_duration} - $attribute->{cumulative_overhead_ticks} / $attribute->{ticks_per_sec};
is $attribute->{profiler_active}, $active, 'profiler_active';

my $blocks = run($text{everything}, options => { blocks => 1 });
my $with_blocks = Devel::NYTProf::Data->new({ filename => capture_of($blocks), quiet => 1 });
is_deeply $with_blocks->get_profile_levels,
    { fid_line_time => 'line', fid_block_time => 'block', fid_sub_time => 'sub' }, 'profile_modes with blocks=1';
is ref $with_blocks->get_fid_line_data('block'), 'ARRAY', 'and the data';

my $started = time;
like died(sub { Devel::NYTProf::Data->new({ filename => "$run->{dir}/nosuch", quiet => 1 }) }),
    qr/Devel::NYTProf::new\(\) could not locate file for processing/, 'new: no such file';
my $says = '';
{
    open my $to, '>', \$says or die $!;
    my $old = select $to;
    Devel::NYTProf::Data->new({ filename => $file });
    select $old;
}
is $says, "Reading $file\nProcessing $file data\n", 'new says what it does unless quiet';

# --- Data: finding files ----------------------------------------------------------------------------------------------

my $fi = $profile->fileinfo_of(1);
is $fi->filename, $main, 'the main script is file 1';
is_deeply [ map { $_->fid } $profile->all_fileinfos ], [ 1 .. $profile->all_fileinfos ], 'fids are 1, 2, 3 ...';
is scalar(my @evals = $profile->eval_fileinfos), 5, 'eval_fileinfos';
is $profile->eval_fileinfos + $profile->noneval_fileinfos, scalar(my @all = $profile->all_fileinfos),
    'noneval_fileinfos are the rest';
is $profile->fileinfo_of($_), $fi, "fileinfo_of $_" for 1, 'prog.pl', $main, $fi;
for my $wanted ('nope', '/nope', 99, [], '') {
    my ($result, $warning) = warned(sub { $profile->fileinfo_of($wanted) });
    is_deeply $result, [undef], "fileinfo_of '$wanted'";
    like $warning, qr/^Can't resolve fid of '\Q$wanted\E'/, 'warns';
}
is_deeply [ warned(sub { $profile->fileinfo_of(undef, 1) }) ], [ [undef], '' ], 'fileinfo_of undef, silently';
like +(warned(sub { $profile->fileinfo_of(undef) }))[1], qr/^Can't resolve fid of undef value/, 'and with a warning';

my %fid = ('prog.pl' => 1, $main => 1, 12 => 12, 'prog.pmc' => undef, '/nope' => undef, 'nope' => undef);
is $profile->resolve_fid($_), $fid{$_}, "resolve_fid $_" for sort keys %fid;
is $profile->resolve_fid('strict.pmc'), $profile->resolve_fid('strict.pm'), 'resolve_fid: .pmc is .pm';
like died(sub { $profile->resolve_fid(undef) }), qr/^No file specified/, 'resolve_fid of nothing dies';
is_deeply [ $profile->inc ], \@INC, 'inc';

# --- Data: finding subs -----------------------------------------------------------------------------------------------

my $foo = $profile->subinfo_of('main::foo');
is $foo->calls, 6, 'subinfo_of';
for my $wanted ([ nope => "of 'nope'" ], [ undef, 'of undef value' ]) {
    my ($result, $warning) = warned(sub { $profile->subinfo_of($wanted->[0]) });
    is_deeply $result, [undef], "subinfo_of: $wanted->[1]";
    like $warning, qr/^Can't resolve subinfo $wanted->[1]/, 'warns';
}
is $profile->subname_subinfo_map->{'main::foo'}, $foo, 'subname_subinfo_map';
isnt $profile->subname_subinfo_map, $profile->subname_subinfo_map, 'a new hash each time';

my $flat = $profile->package_subinfo_map(0, 0);
is_deeply [ sort map { $_->subname } @{ $flat->{'Foo::Bar::'} } ], ['Foo::Bar::baz'], 'package_subinfo_map, flat';
my $nested = $profile->package_subinfo_map(0, 1);
is $nested->{Foo}{Bar}{''}[0]->subname, 'Foo::Bar::baz', 'nested';
ok !exists $nested->{Foo}{''}, 'a package without subs has no list';
my ($merged) = @{ $profile->package_subinfo_map(1, 0)->{'main::'} };
my $calls = 0;
$calls += $_->calls for @{ $flat->{'main::'} };
is $merged->calls, $calls, 'merged: one sub is the sum';
is scalar @$merged, NYTP_SIi_elements + 2, 'with notes';
is $foo->calls, 6, 'and the others stay as they are';

is $profile->subs_defined_in_file('prog.pl')->{'main::foo'}, $foo, 'subs_defined_in_file';
like died(sub { $profile->subs_defined_in_file(1, 1) }), qr/deprecated/, 'with a second argument it dies';
my $by_line = $profile->subs_defined_in_file_by_line(1);
is_deeply [ map { $_->subname } @{ $by_line->{2} } ], ['main::foo'], 'subs_defined_in_file_by_line';
ok scalar(grep { $_->subname eq 'main::CORE:open' } @{ $by_line->{0} }), 'line 0 has those that are not Perl';
is_deeply [ $profile->file_line_range_of_sub('main::foo') ], [ $main, 1, 2, 2, $fi ], 'file_line_range_of_sub';
is_deeply +(warned(sub { $profile->file_line_range_of_sub('nope') }))[0], [], 'nothing for an unknown one';

# --- FileInfo ---------------------------------------------------------------------------------------------------------

my %is = (eval_fid => '', eval_line => '', fid => 1, size => 0, mtime => 0, is_eval => 0, is_fake => 0, is_pmc => 0,
    is_file => 1, filename => $main, abs_filename => $main, eval_fi => undef);
is $fi->$_, $is{$_}, "$_" for sort keys %is;
is $fi->flags & 7, 4, 'the main script was first seen by a call' or diag $fi->flags;
my ($eval) = $profile->eval_fileinfos;
%is = (filename => '(eval 1)[prog.pl:7]', eval_fid => 1, eval_line => 7, is_eval => 1, is_file => '', eval_fi => $fi);
is $eval->$_, $is{$_}, "of an eval: $_" for sort keys %is;
is_deeply [ $eval->outer ], [ $fi, 7 ], 'outer';
is scalar $eval->outer(1), $fi, 'outer in scalar context';
is_deeply [ $fi->outer ], [], 'outer of a file is nothing';
is scalar(my @has = $fi->has_evals), 5, 'has_evals';
is scalar(my @siblings = $eval->sibling_evals), 3, 'sibling_evals';
is_deeply [ $fi->sibling_evals ], [], 'sibling_evals of a file: none';
is_deeply [ map { scalar keys %{ $fi->evals_by_line->{$_} } } 7, 8 ], [ 3, 2 ], 'evals_by_line';
is_deeply [ map { $_->subname } grep { ($_->first_line // 0) == 2 } $fi->subs_defined_sorted ], ['main::foo'],
    'subs_defined_sorted';
ok scalar(grep { $_->subname eq 'main::evs' } $fi->subs_defined(1)), 'subs_defined with those of evals';
is $fi->sub_call_lines->{4}{'main::foo'}[0], 5, 'sub_call_lines';
is $fi->line_time_data->[2][1], 36, 'line_time_data';
is $fi->line_time_data([ 'block', 'line' ]), $fi->line_time_data, 'the first level there is';
is $with_blocks->fileinfo_of(1)->line_time_data(['sub'])->[2][1], 36, 'of subs with blocks=1';
is $fi->sum_of_stmts_count(1), $fi->sum_of_stmts_count + 15, 'sum_of_stmts_count with that of evals';
cmp_ok abs($fi->excl_time - $fi->sum_of_stmts_time), '<', 1e-12, 'excl_time';
is_deeply [ @{ $fi->srclines_array }[ 0, 4 ] ], [ "use strict;\n", "rec(3);\n" ],
    'srclines_array begins with line 1';
is $eval->src_digest, ($eval->sibling_evals)[1]->src_digest, 'src_digest: the same text';
isnt $eval->src_digest, $fi->src_digest, 'another text';
is $fi->summary, "fid1: $main", 'summary';
is ref $fi->meta, 'HASH', 'meta';
is $fi->meta, $fi->meta, 'stays';
{
    local @INC = ($run->{dir}, @INC);
    is $fi->filename_without_inc, 'prog.pl', 'filename_without_inc';
}

# --- SubInfo ----------------------------------------------------------------------------------------------------------

my %sub = map { ($_ => $profile->subinfo_of($_)) }
    qw(main::rec main::CORE:open utf8::is_utf8 main::never main::nosuch Foo::Bar::baz main::RUNTIME);
is_deeply [ map { $_->fid, $_->first_line, $_->last_line } $foo ], [ 1, 2, 2 ], 'fid and lines';
is_deeply [ map { $sub{$_}->kind } qw(main::rec main::CORE:open utf8::is_utf8) ], [qw(perl opcode xsub)], 'kind';
is_deeply [ map { $sub{$_}->is_xsub } qw(main::rec main::CORE:open utf8::is_utf8 main::nosuch) ], [ 0, 1, 1, undef ],
    'is_xsub';
is_deeply [ map { $sub{$_}->is_opcode } qw(main::rec main::CORE:open utf8::is_utf8) ], [ 0, 1, 0 ], 'is_opcode';
ok $profile->subinfo_of('main::__ANON__[(eval 4)[prog.pl:8]:2]')->is_anon, 'is_anon';
is $profile->subinfo_of('main::__ANON__[(eval 4)[prog.pl:8]:2]')->package, 'main', 'package';
is $sub{'Foo::Bar::baz'}->subname_without_package, 'baz', 'subname_without_package';
is $sub{'main::never'}->calls, 0, 'a sub that was not called is there';
is_deeply [ map { $sub{'main::RUNTIME'}->$_ } qw(fid first_line last_line calls) ], [ 1, 1, 1, 0 ],
    'main::RUNTIME has lines 1-1';
is_deeply [ map { $sub{'main::nosuch'}->$_ } qw(fid first_line last_line calls) ], [ 1, undef, undef, 1 ],
    'an undefined sub that was called is in file 1, without lines';
# What has no lines is in file 1, also where a sub of the same package is in another one.
my $AWAY = "package Away;\nuse List::Util ();\nsub here { 1 }\n*first = \\&List::Util::first;\n1;\n";
my $DIES = "use lib '.';\nuse Away;\nAway::here();\neval { &List::Util::first(3, 4) };\neval { Away::gone() };\n";
for my $format (1, 5) {
    my $made = run($DIES, files => { 'Away.pm' => $AWAY }, options => { format => $format });
    my $p = Devel::NYTProf::Data->new({ filename => capture_of($made), quiet => 1 });
    is_deeply [ map { lines_of($p, $_) } qw(Away::gone List::Util::first) ], [ ([ 1, undef, undef ]) x 2 ],
        "so is an undefined sub, and a C sub whose first call died (format=$format)";
}
my $handmade = Devel::NYTProf::FileHandle::open("$run->{dir}/handmade", 'wb');
$handmade->write_header(5, 0);
$handmade->write_new_fid(@$_) for [ 1, 0, 0, 2, 0, 0, '/x/main.pl' ], [ 2, 0, 0, 2, 0, 0, '/x/Foo.pm' ];
$handmade->write_sub_info(2, 'Foo::a', 1, 2);
$handmade->write_sub_callers(0, 0, '', 0, 0, 0, 0, 0, 'Foo::c');
$handmade->write_sub_callers(1, 1, 'main::RUNTIME', 1, .1, .1, 0, 0, "Foo::$_") for qw(a b c);
$handmade->close;
my $adopted = Devel::NYTProf::Data->new({ filename => "$run->{dir}/handmade", quiet => 1 });
is_deeply [ map { lines_of($adopted, "Foo::$_") } qw(a b c) ], [ [ 2, 1, 2 ], [ 1, undef, undef ], [ 1, 0, 0 ] ],
    'what a file of format 5 calls and gives no file is in file 1';
is_deeply [ sort map { $_->subname } $adopted->fileinfo_of(1)->subs_defined ], [qw(Foo::b Foo::c)], 'which lists it';

sub lines_of {
    my ($p, $name) = @_;
    my $sub = $p->subinfo_of($name);
    return [ map { $sub->$_ } qw(fid first_line last_line) ];
}

is $sub{'main::rec'}->recur_max_depth, 3, 'recur_max_depth';
is_deeply [ map { [ @$_[ 0, 1 ], @{ $_->[2] }[ 0, 6 ] ] } $sub{'main::rec'}->caller_places ],
    [ [ 1, 3, 3, 3 ], [ 1, 5, 1, 0 ] ], 'caller_places: count and depth of each';
is_deeply [ sort keys %{ $sub{'main::rec'}->called_by_subnames } ], [qw(main::RUNTIME main::rec)],
    'called_by_subnames';
is scalar(my @fids = $sub{'main::rec'}->caller_fids), 1, 'caller_fids';
is $sub{'main::rec'}->caller_count, 2, 'caller_count';
ok exists $sub{'main::CORE:open'}[10]{0}, 'key 0 marks what is not Perl';
is_deeply [ keys %{ $sub{'main::CORE:open'}->caller_fid_line_places } ], [1],
    'which caller_fid_line_places leaves out';
is $foo->fileinfo, $fi, 'fileinfo';
is $foo->profile, $profile, 'profile';

my $end = $profile->subinfo_of('main::END');
is_deeply [ map { @$_[ 0, 1 ] } $end->caller_places ], [ 1, 0 ], 'END blocks are called from line 0';
my ($place) = $foo->caller_places;
is @{ $place->[2] }, NYTP_SCi_elements, 'a call has 8 elements';
my $twin = $fi->sub_call_lines->{4}{'main::foo'};
isnt $twin, $place->[2], 'its twin is another array';
is $twin->[NYTP_SCi_CALLING_SUB], $place->[2][NYTP_SCi_CALLING_SUB], 'with the same names';
is_deeply $twin, $place->[2], 'and the same values';

$foo->cache->{seen} = 1;
my $clone = $foo->clone;
cmp_ok scalar @$clone, '<=', NYTP_SIi_elements + 2, 'clone leaves the cache behind';
$clone->merge_in($sub{'main::rec'});
is $clone->calls, 10, 'merge_in adds';
is_deeply $clone->meta->{merged_sub_names}, ['main::rec'], 'and notes the name';
is $foo->calls, 6, 'clone is another';

# --- SubCallInfo ------------------------------------------------------------------------------------------------------

my $call = bless [ @{ $place->[2] } ], 'Devel::NYTProf::SubCallInfo';
is_deeply [ $call->calls, $call->recur_max_depth, $call->recur_incl_time ], [ 5, 0, 0 ], 'numbers of a call';
is $call->incl_time, $place->[2][1], 'incl_time';

# --- option expand ----------------------------------------------------------------------------------------------------

DB::set_option(expand => 1);
my $expanded = Devel::NYTProf::Data->new({ filename => $file, quiet => 1 });
DB::set_option(expand => 0);
is_deeply [ @{ $expanded->get_fid_line_data->[1][2] }[ 1, 3, 4 ] ], [ 36, 1, 2 ],
    'expand=1: a line record says its file and line';

# --- NYTPROF_ONLOAD ---------------------------------------------------------------------------------------------------

{
    local $ENV{NYTPROF_ONLOAD} = 'dump=1:exit=7';
    my $onload = run(undef, dir => $run->{dir}, env => { NYTPROF_ONLOAD => 'dump=1:exit=7' }, command => [ $^X,
        (map {"-I$_"} @INC), '-MDevel::NYTProf::Data', '-e', 'Devel::NYTProf::Data->new({ quiet => 1 }); exit 1' ]);
    is $onload->{exit}, 7, 'NYTPROF_ONLOAD exit';
    like $onload->{err}, qr/'sub_subinfo' => \{/, 'and dump';
}

# --- damage -----------------------------------------------------------------------------------------------------------

spew("$run->{dir}/text", "no profile at all\n");
like died(sub { Devel::NYTProf::Data->new({ filename => "$run->{dir}/text", quiet => 1 }) }), qr/text/,
    'what is no profile is an error that names it';

done_testing;
