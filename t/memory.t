# SPDX-License-Identifier: MIT
# Option memory: the values that lines and subs of a Perl program make and free are as many as the program says, and as
# perl itself counts.
use strict;
use warnings;

use Config;
use FindBin;
use JSON::PP qw(decode_json);
use Test::More;

use File::Temp qw(tempdir);
use List::Util qw(sum0);

use lib "$FindBin::Bin/lib", "$FindBin::Bin/../lib";
use Capture qw(nytprof);
use Tree qw(slurp spew);

my $dir = tempdir(CLEANUP => 1);
my $lib = "-I$FindBin::Bin/../blib/lib -I$FindBin::Bin/../blib/arch";

# The JSON of a run of that program, and of other captures that it makes; behind them what it printed.
sub run {
    my ($text, %with) = @_;
    unlink glob "$dir/out*";
    spew("$dir/prog.pl", $text);
    my $options = $with{options} // 'memory=1';
    my $said    = qx{cd $dir && NYTPROF=$options:file=out $^X $lib -d:NYTProf prog.pl 2>&1};
    is $?, 0, 'the program ends well' or diag $said;
    return (map { decode_json((nytprof('json', $_))[0]) } sort glob "$dir/out*"), $said;
}

# Values made less values freed in a row of values.
sub net {
    my ($json, $row) = @_;
    my %at = map { ($json->{meta}{metrics}[$_]{name} => $_) } 0 .. $#{ $json->{meta}{metrics} };
    return 0 if !$row || !%at;
    my ($made, $freed) = map { defined $at{$_} ? $row->[ $at{$_} ] // 0 : 0 } qw(values-made values-freed);
    return $made - $freed;
}

# Of all lines of that file, or of those with these numbers.
sub of_lines {
    my ($json, $name, @numbers) = @_;
    my $l = $json->{lines};
    my %wanted = map { ($_ => 1) } @numbers;
    my @rows = grep { $json->{files}[ $l->{file}[$_] ]{name} =~ /$name\z/ && (!@numbers || $wanted{ $l->{line}[$_] }) }
        0 .. $#{ $l->{line} };
    return sum0 map {
        my $row = $_;
        net($json, [ map { $_->[$row] } @{ $l->{values} } ]);
    } @rows;
}

sub of_sub {
    my ($json, $name, $values) = @_;
    return sum0 map { net($json, $_->{ $values // 'values' }) } grep { $_->{name} eq $name } @{ $json->{subs} };
}

# ---- what programs make ----

my @SUBS = (
    [ cache    => 'sub cache { $main::h{$_} = $_ * 2 for 1 .. 1000; return }',    1000, 'a hash: a value each' ],
    [ extends  => 'sub extends { push @main::l, $_ for 1 .. 5000; return }',      5000, 'an array: an element each' ],
    [ lists    => 'sub lists { push @main::l, [1, 2, 3] for 1 .. 100; return }',  500,
      'arrays: array, reference and elements' ],
    [ cycle    => 'sub cycle { my $s = {}; $s->{me} = $s; return }',              200,
      'cycles: a hash and its reference each', 100 ],
    [ closure  => 'sub closure { my $x = shift; push @main::l, sub { $x }; $x }', undef,
      'closures: reference, code, pads and variable', 100 ],
    [ churns   => 'sub churns { my @all = map { [$_] } 1 .. 100; return scalar @all }', 0,
      'all that is made is freed', 10 ],
    [ writes   => 'sub writes { $main::text .= "x" x 100 for 1 .. 1000; return }', 0, 'a string grows without values' ],
    [ returns  => 'sub returns { return "$_[0]!" }',                              0,
      'what is returned is nothing that a sub keeps', 100 ],
    [ dies     => 'sub dies { eval { my $x = [1, 2]; push @main::l, [1]; die { at => 1 } }; $@ = ""; return }', 30,
      'exceptions: what was kept before', 10 ],
    [ goes     => 'sub goes { goto &takes } sub takes { push @main::l, $_[0]; return }', undef, '', 50 ],
    [ takes    => '', undef, '', 0 ],
    [ splits   => 'sub splits { push @main::l, split / /, "a b c d"; return }', 40, 'built-ins for their sub', 10 ],
    [ 'Obj::DESTROY' => 'package Obj; sub DESTROY { push @main::l, [1] } package main;' .
      'sub objects { my $o = bless {a => 1}, "Obj"; undef $o; return }', 60, 'destructors have their own', 0 ],
    [ objects  => '', 0, 'and what they destroy is gone', 20 ],
    [ evals    => 'sub evals { eval q{push @main::l, 1; 1} or die; return }', 50, 'a string eval', 50 ],
);

my $cc = "$Config{cc} $Config{ccflags} $Config{cccdlflags} -I$Config{archlibexp}/CORE -shared";
system("$cc -o $dir/values.so $FindBin::Bin/perl/values.c") == 0 or BAIL_OUT('perl/values.c does not compile');

my $LIVE = <<"END";
require DynaLoader;
my \$lib = DynaLoader::dl_load_file('$dir/values.so') or die DynaLoader::dl_error();
DynaLoader::dl_install_xsub('main::live', DynaLoader::dl_find_symbol(\$lib, 'live'));
END

# The program says by how many values it has grown, and by how many with each of the subs.
my $definitions = join "\n", map { $_->[1] } @SUBS;
my $calls       = '';
for my $row (grep { $_->[4] // 1 } @SUBS) {
    my $name  = $row->[0];
    my $times = $row->[4] // 1;
    $calls .= "\$at = live(); ${name}(\$_) for 1 .. $times; \$by{$name} = live() - \$at;\n";
}
my $PROGRAM = <<"END";
use strict; use warnings;
BEGIN { $LIVE }
our (\@l, \%h, \$text, \$from, \$to, \$at, \%by);
$definitions
%by = (all => 0, map { (\$_ => 0) } qw(@{[ map { $_->[0] } @SUBS ]}));
sub all {
$calls
}
\$from = \$to = live();
all();
\$to = live();
\$by{all} = \$to - \$from;
print "\$_ \$by{\$_}\\n" for keys \%by;
END
my ($json, $said) = run($PROGRAM);
my %by = $said =~ /^(\S+) (-?\d+)$/mg;
spew("$dir/prog.pl", $PROGRAM);
my %bare = qx{cd $dir && $^X prog.pl} =~ /^(\S+) (-?\d+)$/mg;
is_deeply \%by, \%bare, 'a program that is profiled has as many values as without';
for my $row (@SUBS) {
    my ($name, undef, $n, $what) = @$row;
    my $is_pair = $name eq 'objects' || $name =~ /::/;
    my $got = of_sub($json, $name =~ /::/ ? $name : "main::$name", $is_pair ? 'values' : 'inclusive_values');
    is $got, $n, "$name: $what" if defined $n;
    near($got, $bare{$name}, "$name, of its own") if !$is_pair && $name !~ /goes|takes/;
}

is of_sub($json, 'main::goes') + of_sub($json, 'main::takes'), 50, 'goto: both subs have what they keep';

is of_lines($json, 'prog\.pl', grep { (split /\n/, $PROGRAM)[ $_ - 1 ] =~ /^sub cache/ } 1 .. 20), 1000, 'a line';

# What lines made between the two measurements; perl makes more while it compiles them.
my @program = split /\n/, $PROGRAM;
my @between = grep { $program[ $_ - 1 ] =~ /^(?:sub|package|\$at =)/ } 1 .. @program;
near(of_lines($json, 'prog\.pl', @between) + of_lines($json, '\(eval \d+\)\S*'), $bare{all}, 'lines have all');
near(of_sub($json, 'main::all', 'inclusive_values'), $bare{all}, 'and subs');

# ---- options and reports ----

($json) = run($PROGRAM, options => 'memory=0');
is_deeply $json->{meta}{metrics} // [], [], 'nothing of it unless asked for';
for my $more (qw(subs=0 stmts=0 slowops=0 use_db_sub=1 leave=0 clock=tick latency=1:waiting=1 calls=2 optimize=0)) {
    ($json, $said) = run($PROGRAM, options => "memory=1:$more");
    %by = $said =~ /^(\S+) (-?\d+)$/mg;
    my $got = $more eq 'stmts=0' ? of_sub($json, 'main::all', 'inclusive_values')
        : of_lines($json, 'prog\.pl', @between) + of_lines($json, '\(eval \d+\)\S*');
    near($got, $by{all}, $more);
}

my ($flat) = nytprof('flat', '--metric=values-made', "$dir/out");
like $flat, qr/values-made.*\n.*\b5,\d\d\d\s+1\s+main::extends$/m, 'nytprof flat has a column';
my ($folded) = nytprof('folded', '--metric=values-made', "$dir/out");
like $folded, qr/;main::extends 5\d\d\d$/m, 'nytprof folded has paths';
nytprof('html', '-o', "$dir/html", "$dir/out");
like slurp("$dir/html/index.html"), qr/Values made/, 'nytprof html names it';

{
    my $leaks = 'my %cache; sub cached { $cache{ $_[0] } = 1 } sub works { my @l = map { [$_] } 1 .. 20; return } '
        . 'sub cycle { my ($x, $y) = ({}, {}); @$x{l} = $y; @$y{l} = $x; return } '
        . 'cached($_), cycle(), works() for 1 .. 500;';
    run($leaks);
    my @call = ('flat', '-b', '--metric=values-made,values-freed', "$dir/out");
    my ($grown) = nytprof(@call, '--sort=growth');
    like $grown, qr/ growth +calls  name\n.*\+2,\d\d\d +500  main::cycle\n.*\+5\d\d +500  main::cached\n/,
        'nytprof flat --sort growth: what grows comes first, a cycle and a cache';
    unlike $grown =~ s/.*main::cached\n//sr, qr/\+[\d,]{5}/, 'and nothing else grows like these';
    is +(nytprof('flat', '-b', '--sort=growth', "$dir/out"))[0], $grown, 'of the metrics that are there';
    like +(nytprof('flat', '--sort=growth', '--metric=time', "$dir/out"))[0], qr{\AGrowth is of two metrics, },
        'it takes two metrics';
    nytprof('html', '-o', "$dir/html", "$dir/out");
    my ($rows) = slurp("$dir/html/index.html") =~ m{ id=growth>.*?<tbody>\n(.*?)</table>}s;
    my ($grows, $made, $freed) = $rows =~ m{<tr><td data-v=(\d+)>[\d,]+<td data-v=(\d+)>[\d,]+<td data-v=(\d+)>};
    cmp_ok $grows, '>=', 2_500, 'the page has a table of lines that grow';
    is $grows, $made - $freed, 'by what they have made and not freed';
    nytprof('html', '--metric=values-made', '-o', "$dir/html", "$dir/out");
    unlike slurp("$dir/html/index.html"), qr/id=growth/, 'unless one of these is not shown';
}

# ---- processes, threads, switches ----

my $KEEPS = 'our @l; sub keeps { my $n = shift; push @l, $_ for 1 .. $n; return }';
my @jsons = run("$KEEPS\nkeeps(100);\nif (my \$pid = fork) { waitpid \$pid, 0; keeps(10) }\nelse { keeps(1000) }\n");
pop @jsons;
is_deeply [ sort { $a <=> $b } map { of_sub($_, 'main::keeps') } @jsons ], [ 110, 1000 ], 'a forked child has its own';

($json) = run("$KEEPS\nDB::disable_profile();\nkeeps(100);\nDB::enable_profile();\nkeeps(10);\n");
is of_sub($json, 'main::keeps'), 10, 'what is made while profiling is off is not counted';

($json) = run("$KEEPS\nour \$o = bless [1 .. 100], 'Last'; sub Last::DESTROY { keeps(10) } keeps(1);\n");
cmp_ok of_sub($json, 'main::keeps'), '>', 0, 'what perl frees as it ends is nobody\'s';

SKIP: {
    skip 'this perl has no threads', 1 if !$Config{useithreads};
    ($json) = run(<<"END");
use threads;
$KEEPS
my \@all = map { my \$n = \$_; threads->create(sub { keeps(\$n) for 1 .. 10; return }) } 1000, 200;
keeps(1);
\$_->join for \@all;
END
    is of_sub($json, 'main::keeps'), 12_001, 'threads have their own';
}

sub near {
    my ($got, $expected, $what) = @_;
    cmp_ok abs($got - $expected), '<=', 5, "$what: $got for $expected";
    return;
}

done_testing;
