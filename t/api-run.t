# SPDX-License-Identifier: MIT
# Devel::NYTProf::Run, Apache and Test, and that a module that reads profiles records none.
use strict;
use warnings;

use FindBin;
use Test::More;

use lib "$FindBin::Bin/lib", map {"$FindBin::Bin/../blib/$_"} qw(lib arch);

BEGIN { delete $ENV{NYTPROF} }

use Devel::NYTProf::Data;
use Devel::NYTProf::Run qw(perl_command_words profile_this);
use Devel::NYTProf::Test qw(example_sub example_xsub example_xsub_eval set_errno);
use File::Temp qw(tempdir);
use Profiled qw(has_peer);
use Run qw(capture_of captures_in run);
use Tree qw(spew);

my @ours = ($^X, map {"-I$FindBin::Bin/../blib/$_"} qw(lib arch));

sub died { my ($code) = @_; return eval { $code->(); 1 } ? '' : $@ }

# --- loading ----------------------------------------------------------------------------------------------------------

for my $module (qw(Core Constants Data FileHandle FileInfo ReadStream Reader Run SubCallInfo SubInfo Test Util)) {
    my $load = run("use Devel::NYTProf::$module; print \$^P\n", switches => [ @ours[ 1 .. $#ours ] ], options => {});
    is_deeply [ @$load{qw(out err exit)} ], [ 0, '', 0 ], "$module can be loaded alone";
    is_deeply [ captures_in($load->{dir}) ], [], 'and profiles nothing';
    my $bad = run("use Devel::NYTProf::$module; 1", switches => [ @ours[ 1 .. $#ours ] ], env => { NYTPROF => 'foo' });
    like $bad->{err}, qr/NYTProf set_option: invalid option/, 'it reads NYTPROF';
}

# What a profiled program may want to load later must not be there already.
my $loaded = run('print join " ", sort keys %INC', options => { file => '/dev/null' });
is_deeply [ grep {m{^(?:Exporter|AutoLoader|AutoSplit|DynaLoader|Benchmark|POSIX|Devel/NYTProf/(?!Core\b).*)\b}}
        split ' ', $loaded->{out} ], [], 'the profiler loads nothing that a program loads';

# --- Run --------------------------------------------------------------------------------------------------------------

is +(perl_command_words())[0], $^X, 'perl_command_words';

my $dir = tempdir(CLEANUP => 1);
chdir $dir or die "$dir: $!\n";
my $profile = profile_this(src_code => 'sub f { 1 } f() for 1 .. 3;');
isa_ok $profile, 'Devel::NYTProf::Data', 'profile_this';
is $profile->fileinfo_of(1)->filename, '-', 'code is the file -';
is $profile->subinfo_of('main::f')->calls, 3, 'and was profiled';
is_deeply [ captures_in($dir) ], [], 'the profile is deleted';

spew("$dir/mine.pl", "exit 3;\n");
{
    my @warnings;
    local $SIG{__WARN__} = sub { push @warnings, @_ };
    local $ENV{NYTPROF} = 'file=mine.out';
    $profile = profile_this(src_file => "$dir/mine.pl", out_file => 'mine.out');
    is $profile->fileinfo_of(1)->filename, "$dir/mine.pl", 'a file, and another name for the profile';
    like "@warnings", qr/Exit status 768/, 'an exit status is warned of';
}
{
    local $^X = "$dir/no-perl";
    like died(sub { no warnings; profile_this(src_file => 'mine.pl') }), qr/no-perl/, 'no perl: it dies';
}
like died(sub { profile_this() }), qr/src_file nor src_code/, 'nothing to profile: it dies';

# --- Apache -----------------------------------------------------------------------------------------------------------

my $apache = run('print 1', switches => [ @ours[ 1 .. $#ours ], '-MDevel::NYTProf::Apache' ],
    options => { file => 'web.out' });
is "$apache->{out}$apache->{err}", '1', 'Apache';
opendir my $in, $apache->{dir} or die $!;
is scalar(grep {/^web\.out\.\d+$/} readdir $in), 1, 'the profile has the pid in its name';
closedir $in;
my $default = run('print $ENV{NYTPROF}; unlink glob "/tmp/nytprof.$$.out*"', switches => [ @ours[ 1 .. $#ours ],
        '-MDevel::NYTProf::Apache' ]);
like $default->{out}, qr{^file=/tmp/nytprof\.\d+\.out$}, 'without NYTPROF it goes to the temporary directory';
like $default->{err}, qr{NYTPROF}, 'which it says';

# --- Test -------------------------------------------------------------------------------------------------------------

is_deeply [ example_sub() ],  [], 'example_sub';
is_deeply [ example_xsub() ], [], 'example_xsub without an action';
my $called = 0;
example_xsub(0, sub { $called++ });
is $called, 1, 'calls a function';
our $value;
example_xsub(0, 'eval', '$main::value = 7');
is $value, 7, 'evaluates code';
like died(sub { example_xsub(0, 'die') }), qr/^example_xsub\(die\)/, 'dies';
is died(sub { example_xsub(0, sub { die "mine\n" }) }), "mine\n", 'as what it calls does';
is_deeply [ example_xsub_eval() ], [], 'example_xsub_eval';
set_errno(13);
is $! + 0, 13, 'set_errno';
my ($ticks, $overflow, $per_second, $clock) = Devel::NYTProf::Test::ticks_for_usleep(20_000);
cmp_ok $ticks / $per_second, '>=', 0.019, 'ticks_for_usleep: no less than that';
is $overflow, 0, 'no overflow';
like $clock, qr/^\d+$/, 'of a clock';

my $program = <<'END';
use Devel::NYTProf::Test qw(example_sub example_xsub example_xsub_eval);
example_sub(); example_xsub(); example_xsub(0, sub { 1 }); eval { example_xsub(0, 'die') };
example_xsub(0, 'eval', '1'); example_xsub_eval();
END
my $test = Devel::NYTProf::Data->new({ filename => capture_of(run($program)), quiet => 1 });
my $module = $test->fileinfo_of('Devel/NYTProf/Test.pm');
my $lines = $module->line_time_data;
is_deeply [ grep { $lines->[$_] && $lines->[$_][1] } 0 .. $#$lines ], [ 7, 8, 9, 11, 13, 15 ],
    'what runs is on these lines and no other';
is_deeply [ map { $lines->[$_][1] } 7, 8, 9, 11, 13, 15 ], [ (1) x 6 ], 'once each';
my $sub = $test->subinfo_of('Devel::NYTProf::Test::example_sub');
is_deeply [ $sub->first_line, $sub->last_line ], [ 13, 13 ], 'example_sub is on line 13';
# Since perl 5.34 Exporter uses strict, and is therefore known by a call before it runs.
my @loaded = ('Exporter.pm', $Exporter::VERSION >= 5.75 ? 'strict.pm' : ());
is_deeply [ map { $test->fileinfo_of($_)->filename =~ m{([^/]+)$} } 2 .. 2 + @loaded ], [ 'Test.pm', @loaded ],
    'Exporter and strict are files 3 and 4';
is_deeply [ map { $test->fileinfo_of($_)->flags & 7 } 3 .. 2 + @loaded ], [ @loaded > 1 ? (4, 4) : 2 ],
    'first seen by calls';
is $test->subinfo_of('Devel::NYTProf::Test::example_xsub')->calls, 5, 'calls of the xsub, the one that died too';

chdir $FindBin::Bin or die $!;
done_testing;
