# SPDX-License-Identifier: MIT
# Files that are none: where generated code comes from, beside the peer.
use strict;
use warnings;

use Cwd qw(abs_path);
use FindBin;
use Test::More;

use lib "$FindBin::Bin/lib";
use Dump qw(of records);
use Profiled qw(has_peer);
use Run qw(capture_of run);

my $PEER = has_peer();
diag 'NO PEER: nothing is compared with the system\'s Devel::NYTProf' if !$PEER;

my $PERLS = join '|', map {quotemeta} grep {m{^/}} @INC;
my $ABOUT_SOURCE = 16 | 32;    # flags that say whether there is source: each profiler has its own rule

my $PEER_READER = <<'END';
use Devel::NYTProf::ReadStream 'for_chunks';
for_chunks { print join("\t", @_[ 1, 2, 3, 4, 7 ]), "\n" if $_[0] eq 'NEW_FID' } filename => 'nytprof.out';
END

# "NAME PARENT:LINE FLAGS" of the program's files, in order of their names; the run's directory is "DIR".
sub files {
    my ($who, $text, %with) = @_;
    my $run = run($text, %with, $who eq 'peer' ? (switches => ['-d:NYTProf']) : ());
    my @files = $who eq 'peer'
        ? map { [ split /\t/ ] } grep {/\t/} split /\n/,
        run(undef, dir => $run->{dir}, command => [ $^X, '-e', $PEER_READER ])->{out}
        : map { [ @{$_}{qw(id parent parent_line flags name)} ] } of('file', records(capture_of($run)));
    my $real = abs_path($run->{dir});
    $_->[4] =~ s/\Q$real\E/DIR/ for @files;
    my %name = map { ($_->[0] => $_->[4]) } @files;
    my @shown = map { join ' ', $_->[4], ($_->[1] ? "$name{$_->[1]}:$_->[2]" : '-'), $_->[3] & ~$ABOUT_SOURCE } @files;
    return join '', map {"$_\n"} sort grep { !m{^(?:$PERLS)/} } @shown;
}

# files_are(NAME, EXPECTED, TEXT, ...): so they are, and so the peer has them.
sub files_are {
    my ($name, $expected, $text, @with) = @_;
    is files('ours', $text, @with), $expected, $name;
    is files('peer', $text, @with), $expected, 'and so the peer has it' if $PEER;
    return;
}

files_are('evals, and evals in them', <<'FILES', <<'PROGRAM');
(eval 1)[prog.pl:1] DIR/prog.pl:1 2
(eval 2)[(eval 1)[prog.pl:1]:1] (eval 1)[prog.pl:1]:1 2
(eval 3)[prog.pl:2] DIR/prog.pl:2 2
DIR/prog.pl - 4
FILES
eval q{my $x = 1; eval q{my $y = 2}};
my $code = '(?{ 1 })'; use re 'eval'; 'a' =~ /a$code/;
PROGRAM

files_are('"defined at FILE": generated there, on line 1', <<'FILES', <<'PROGRAM');
/abs/Foo.pm - 2
/made/z defined at prog.pl DIR/prog.pl:1 2
DIR/prog.pl - 2
accessor x defined at prog.pl DIR/prog.pl:1 2
accessor y defined at /abs/Foo.pm /abs/Foo.pm:1 2
FILES
sub generate { my ($name, $sub) = @_; eval qq{#line 1 "$name"\nsub $sub { 1 } $sub();} }
generate('accessor x defined at prog.pl', 'x');
generate('accessor y defined at /abs/Foo.pm', 'Y');
generate('/made/z defined at prog.pl', 'z');
PROGRAM

# Words that are no file of this directory: the peer makes a path of them that leads nowhere.
my %template = (files => { 'is there.tt' => "\n" });
my $TEMPLATES = <<'PROGRAM';
sub fill { my ($name) = @_; eval qq{#line 1 "$name"\nmy \$x = 1;} }
fill($_) for 'template index.html.ep from DATA section', 'other (defined at prog.pl)', 'is there.tt', 'none.tt';
PROGRAM
my $kept = files('ours', $TEMPLATES, %template);
is $kept, <<'FILES', '#line with the name of a file, and with other words';
DIR/is there.tt - 2
DIR/none.tt - 2
DIR/prog.pl - 2
other (defined at prog.pl) - 2
template index.html.ep from DATA section - 2
FILES
is files('peer', $TEMPLATES, %template), join('', sort map {s/^(?!DIR)/DIR\//r} map {"$_\n"} split /\n/, $kept),
    'but for that as the peer has it'
    if $PEER;

my %module = (files => { 'Auto.pm' => "package Auto; sub z { 1 } 1;\n" });
files_are('autosplit subs belong to the module they were taken from', <<'FILES', <<'PROGRAM', %module);
DIR/Auto.pm - 2
DIR/lib/Auto.pm (autosplit into auto/Auto/a.al) - 10
DIR/prog.pl - 2
FILES
sub split_off {
    my ($from, $sub) = @_;
    eval qq{#line 5 "$from (autosplit into auto/Auto/$sub.al)"\nsub $sub { 1 } $sub();};
}
split_off('lib/Auto.pm', 'a');
require './Auto.pm';
split_off('blib/lib/Auto.pm', 'b');
split_off('/other/Auto.pm', 'c');
PROGRAM

files_are('nameevals=0: a file that is not known', <<'FILES', <<'PROGRAM', options => { perldb => 16 });
(eval 1) /unknown-eval-invoker:1 2
/unknown-eval-invoker - 386
DIR/prog.pl - 2
FILES
eval 'my $x = 1';
PROGRAM

files_are('met by a statement, by a sub, in a .pmc', <<'FILES', <<'PROGRAM', files => {
DIR/P.pm - 3
DIR/Q.pm - 2
DIR/R.pm - 4
DIR/prog.pl - 2
FILES
unshift @INC, '.';
require P;
require Q;
require R;
PROGRAM
    'P.pmc' => "package P; our \$x = 1; 1;\n",
    'Q.pm'  => "package Q; sub f { 1 } 1;\n",
    'R.pm'  => "package R; BEGIN { our \$x = 1 } 1;\n",
});

files_are('an eval whose sub is called before any other statement of it runs', <<'FILES', <<'PROGRAM');
(eval 1)[prog.pl:1] DIR/prog.pl:1 2
(eval 2)[prog.pl:2] DIR/prog.pl:2 4
DIR/prog.pl - 2
FILES
eval 'sub f { 1 }'; f();
eval 'BEGIN { 1 } sub g { 1 }'; g();
PROGRAM

files_are('without statements all is met by a sub', <<'FILES', <<'PROGRAM', options => { stmts => 0 });
DIR/prog.pl - 4
FILES
sub f { 1 } f();
PROGRAM

done_testing;
