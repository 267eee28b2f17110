# SPDX-License-Identifier: MIT
# `nytprof lcov`: which lines ran, and how often.
use strict;
use warnings;

use File::Temp qw(tempdir);
use FindBin;
use Test::More;

use lib "$FindBin::Bin/lib";
use Capture qw(chunk d i record text u);
use Lua qw(lua_command luas);
use Pages qw(fixtures run);
use Profiled qw(command);
use Tree qw(slurp spew);

my $NYTPROF = "$FindBin::Bin/../build/nytprof";
my $dir     = tempdir(CLEANUP => 1);
chdir $dir or die "$dir: $!\n";
spew('A.pm', <<'END');
package A;
sub never {
    my ($n) = @_;    # a comment

    # only a comment
    if ($n) {
        return 1;
    }

=pod

Text.

=cut

    return [$n];


}
sub twice { return $_[0] ? 'yes' : 'no' }
my $f = sub {
    die };
1;
END
spew('prog.pl', <<'END');
use lib '.';
use A;
A::twice($_) for 0, 1;
if (@ARGV) {
    my $y = 1;
    my $z = 2;
}
if (!@ARGV) { 1 }
eval 'my $made = 1;';
# line 7 "template"
my $x = 1;
END
my @named = profiled('one', command('ours', { file => 'one' }, 'prog.pl'));
my $A     = tracefile(@named)->{"$dir/A.pm"};
is_deeply $A->{line},
    { (map { ($_ => 0) } 3, 6, 7, 16), 20 => 2, 22 => 1, 23 => 1 },
    'statements that ran, and those that never did';
is_deeply $A->{sub}, { 'A::never' => '2 0', 'A::twice' => '20 2', 'A::__ANON__[A.pm:22]' => '21 0' },
    'subs with their lines and calls';
is_deeply [ @{$A}{qw(LF LH FNF FNH)} ], [ 7, 3, 3, 1 ], 'and how many';
my $files = tracefile(@named);
is_deeply $files->{"$dir/prog.pl"}{line}, { 1 => 2, 2 => 2, 3 => 1, 4 => 1, 5 => 0, 6 => 0, 8 => 1, 9 => 1 },
    'and those of a branch that was not taken';
is_deeply [ grep {/eval|template/} keys %$files ], [], 'evals and names that # line gave are no files';
is_deeply [ keys %{ tracefile('--source', 'A.pm', @named) } ], ["$dir/A.pm"], '--source chooses a file';
my @both = (@named, profiled('two', command('ours', { file => 'two' }, 'prog.pl', 'x')));
is tracefile(@both)->{"$dir/prog.pl"}{line}{3}, 2, 'runs add up';
is tracefile(@both)->{"$dir/prog.pl"}{line}{5}, 1, 'and show more';

for my $version (@{ (luas())[0] }) {
    spew('prog.lua', <<'END');
local function never()
  -- nothing
  return 1
end
for i = 1, 3 do
  i = i + 1
end
local n = tonumber(arg[1] or "1")
if n > 5 then
  print("a")
  print("b")
elseif n > 3 then
  n = n + 1
else
  n = n * 1
end
for i = 1, 0 do
  print(i)
end
local function early(v)
  if v then
    return 1
  end
  local w = 2
  return w
end
early(n)
load("local made = 1\nif not made then\n  made = 2\nend")()
if n then os.exit(0) end
print("after")
END
    my @lua = profiled('lua', lua_command($version, { file => 'lua' }, 'prog.lua'));
    my ($only) = values %{ tracefile(@lua) };
    is_deeply [ map { $only->{line}{$_} } 2, 3, 6, 9 ], [ undef, undef, 3, 1 ], "Lua $version";
    is_deeply [ grep { defined $only->{line}{$_} && !$only->{line}{$_} } 1 .. 40 ], [ 10, 11, 13, 18, 24, 25, 30 ],
        'lines that never ran';
}

# Each line ends with its count, or with none if no statement begins there. ? is a statement that may be merged into
# another one that ran, * one that may be part of the program's start, and ! one that ran and may be merged.
my $program = <<'END';
my $n = shift // 1;                 #1
if ($n > 5) {                       #1
    my $x = 'a';                    #0
    $n = "b$x";                     #0
} elsif ($n > 3) {
    $n++;                           #0
    $n .= 'c';                      #0
} else {
    my @many = (                    #1
        1,
        $n,
    );
    $n += @many;                    #1
}
unless ($n) {                       #1
    my $y = 2;                      #0
    if ($y) {                       #0
        $y++;                       #0
    }
}
if ($n eq 'none') {                 #1
    $n = 7;                         #?
}
for my $i (1 .. 0) {                #1
    my $q = $i;                     #0
    $n += $q;                       #0
}
while ($n > 100) {                  #1
    my $m = $n;                     #0
    $n = $m / 2;                    #0
}
sub early {
    my $v = shift;                  #1
    return 1 if $v;                 #1
    my $w = 2;                      #0
    return $w;                      #0
}
sub never {
    my $v = shift;                  #0
    # a comment
    my $f = sub {
        my $in = $v;                #0
        return $in;                 #0
    };                              #0
    if ($v) {                       #0
        return $f;                  #0
    }
    return [$v];                    #0
}
sub declares {
    my $x = shift;                  #1
    my $one;                        #1
    my @two;                        #!
    my %three;                      #!
    my $four;                       #!
    $four = $x;                     #1
    my ($five, $six);               #1
    my $seven;                      #!
    return $four;                   #1
}
declares(1);                        #1
use constant DEBUG => 0;            #*
if (DEBUG) {                        #*
    my $z = 1;
}
early($n);                          #1
eval 'my $made = 1; if (0) { 2 }';  #1
exit 0 if $n;                       #1
my $after = 1;                      #0
sub { $after++ }->();               #0
__END__
my $no = 1;
END
spew('lines.pl', $program);
my @lines = split /\n/, $program;
for my $optimize (1, 0) {
    my @out   = profiled('lines', command('ours', { file => 'lines', optimize => $optimize }, 'lines.pl'));
    my $line  = tracefile(@out)->{"$dir/lines.pl"}{line};
    my @marks = map { /#([01?*!])$/ ? $1 eq '?' ? $optimize ? '' : 0 : $1 : '' } @lines;
    my @shown = map { $marks[$_] eq '*' ? '*' : $line->{ $_ + 1 } // '' } 0 .. $#lines;
    $marks[$_] eq '!' && $shown[$_] ne '0' && ($shown[$_] = '!') for 0 .. $#lines;
    is join("\n", map {"$shown[$_] $lines[$_]"} 0 .. $#lines),
        join("\n", map {"$marks[$_] $lines[$_]"} 0 .. $#lines),
        "every statement is known with optimize=$optimize";
}

# Lines that are none, in no order, doubled, and of a file that is none.
my @code  = ([ 1, 3 ], [ 1, 0 ], [ 1, 2**40 ], [ 1, 3 ], [ 1, 2 ], [ 1, 2**62 ], [ 9, 1 ], [ 1, 2**32 - 1 ]);
my @bytes = map { my $n = $_; map { d($code[$n][$_], $n ? $code[ $n - 1 ][$_] : 0) } 0, 1 } 0 .. $#code;
my $file  = record(7, (map { u($_) } 1, 0, 0, 0, 9, 9), Capture::s('/x.pl'));
my $lines = record(8, u(1), u(1), Capture::s("a;\nb;\nc;\n"));
my $start = record(1, u(0), u(0), u(1), i(0), u(10**9), u(1), i(1), map { Capture::s($_) } qw(monotonic x.pl perl));
my $end   = record(24, u(0), u(1));
spew('absurd.out', text(program => 'x.pl') . chunk($start . $file . $lines . record(37, @bytes) . $end));
is_deeply tracefile('absurd.out')->{'/x.pl'}{line}, { 2 => 0, 3 => 0 }, 'absurd lines of code are ignored';
my $fixtures = fixtures();
for my $name (qw(calls hostile zero)) {
    my $files = tracefile("$fixtures/$name.out");
    ok ref $files, "$name: every line is one of the format";
}
is tracefile("$fixtures/calls.out")->{'/app/main.pl'}{line}{13}, undef,
    'whether a statement ran that is merged into another one is not known';
my $command = "$NYTPROF run -o begin.out prog.pl >/dev/null && $NYTPROF lcov -o - begin.out";
unlike +(run('/bin/sh', '-c', $command))[1], qr/^FN:0,|::BEGIN$/m, 'blocks that ran are not missed';

done_testing;

sub profiled {
    my ($out, @command) = @_;
    my ($status, undef, $err) = run(@command);
    $status == 0 or die "@command: $err\n";
    return $out;
}

# { FILE => { line => { NUMBER => COUNT }, sub => { NAME => "LINE CALLS" }, LF => ... } } by the rules of the format.
sub tracefile {
    my (@arguments) = @_;
    my ($status, $out, $err) = run($NYTPROF, 'lcov', '-o', '-', @arguments);
    is "$status $err", '0 ', "lcov @arguments";
    my (%files, $at);
    for (split /\n/, $out) {
        if    (/^TN:$/)               { !$at or die "no end before TN:\n" }
        elsif (/^SF:(.+)$/)           { $at = $files{$1} = { line => {}, sub => {} } }
        elsif (/^FN:(\d+),(.+)$/)     { !exists $at->{sub}{$2} or die "twice: $2\n"; $at->{sub}{$2} = $1 }
        elsif (/^FNDA:(\d+),(.+)$/)   { exists $at->{sub}{$2} or die "no FN: $2\n"; $at->{sub}{$2} .= " $1" }
        elsif (/^DA:(\d+),(\d+)$/)    { !exists $at->{line}{$1} or die "twice: $1\n"; $at->{line}{$1} = $2 }
        elsif (/^(FNF|FNH|LF|LH):(\d+)$/) { $at->{$1} = $2 }
        elsif (/^end_of_record$/)     { check($at); undef $at }
        else                          { die "not of the format: $_\n" }
    }
    return \%files;
}

sub check {
    my ($at) = @_;
    my @counts = values %{ $at->{line} };
    my @calls  = map { / (\d+)$/ ? $1 : die "no FNDA\n" } values %{ $at->{sub} };
    my @is     = (scalar @counts, scalar(grep {$_} @counts), scalar @calls, scalar(grep {$_} @calls));
    "@is" eq "@{$at}{qw(LF LH FNF FNH)}" or die "sums: @is\n";
    return;
}
