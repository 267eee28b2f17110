# SPDX-License-Identifier: MIT
# Files: their names, parents, flags and text.
use strict;
use warnings;

use Cwd qw(abs_path);
use FindBin;
use Test::More;

use lib "$FindBin::Bin/lib";
use Dump qw(of);
use Run qw(facts run under_profiler);
use Tree qw(slurp spew);

my %FLAG = (pmc => 1, stmt => 2, sub => 4, has_source => 16, save_source => 32, fake => 128, eval => 256);

# { NAME => record } of a run's files; the run's own directory is "DIR" in names.
sub files_of {
    my ($run) = @_;
    my $real = abs_path($run->{dir});
    my %file;
    for my $file (of('file', @{ facts($run)->{records} })) {
        my $name = $file->{name} =~ s/\Q$real\E/DIR/gr;
        $file{$name} = { %$file, name => $name };
    }
    return \%file;
}

# { NAME => "PARENT:LINE" } of evals.
sub parents {
    my ($files) = @_;
    my %name = map { ($_->{id} => $_->{name}) } values %$files;
    return { map { ($_->{name} => "$name{ $_->{parent} }:$_->{parent_line}") } grep { $_->{parent} } values %$files };
}

# { NAME => text } as stored.
sub source_of {
    my ($run) = @_;
    my $files = files_of($run);
    my %name  = map { ($_->{id} => $_->{name}) } values %$files;
    my %text;
    for my $piece (of('source', @{ facts($run)->{records} })) {
        my $text = \($text{ $name{ $piece->{file} } } //= '');
        is $piece->{first_line}, 1 + ($$text =~ tr/\n//), 'a piece of source goes on where the one before ends';
        $$text .= $piece->{text};
    }
    return \%text;
}

# --- relative, absolute, special --------------------------------------------------------------------------------------

my $MODULE = "package M; sub m { 1 } 1;\n";
my $moved  = run(<<'END', files => { 'M.pm' => $MODULE, 'N.pm' => $MODULE =~ s/M/N/gr, 'do.pl' => "1;\n" });
use lib '.';
require M;
require './N.pm';
mkdir 'sub'; chdir 'sub';
do '../do.pl';
#line 100 "elsewhere.pl"
my $x = 1;
#line 7 "/abs/other.pl"
my $y = 1;
END
my $files = files_of($moved);
is_deeply [ grep {m{^(?:DIR|/abs)}} sort keys %$files ],
    [ '/abs/other.pl', 'DIR/M.pm', 'DIR/N.pm', 'DIR/prog.pl', 'DIR/sub/../do.pl', 'DIR/sub/elsewhere.pl' ],
    'a relative name is joined with the directory of when it was first met, and then left alone';
is $files->{'DIR/prog.pl'}{id}, 1, 'the program is file 1';
is $files->{'DIR/M.pm'}{size}, length $MODULE, 'a file has its size';
is $files->{'DIR/M.pm'}{mtime}, (stat "$moved->{dir}/M.pm")[9], 'and its time';
my %lines = map { ($_ => 1) } keys %{ facts($moved)->{line} };
ok $lines{'sub/elsewhere.pl:100'} && $lines{'/abs/other.pl:7'}, '#line is followed' or diag explain \%lines;

my $e = run(undef, command => [ $^X, under_profiler(), '-e', 'sub f { 1 } f(); eval q{f()}' ]);
is_deeply parents(files_of($e)), { '(eval 1)[-e:1]' => '-e:1' }, 'an eval in -e';
is_deeply source_of($e), { '-e' => "sub f { 1 } f(); eval q{f()}\n", '(eval 1)[-e:1]' => "f()\n;" },
    'the text of both' or diag explain source_of($e);
my $stdin = run(undef, command => [ $^X, under_profiler(), '-' ], stdin => "my \$x = 1;\n\$x++;\n__END__\ndata\n");
is_deeply [ sort keys %{ files_of($stdin) } ], ['-'], 'a program from standard input';
like source_of($stdin)->{'-'}, qr/^my \$x = 1;\n\$x\+\+;\n/, 'and its text';

my $one_liner = run(undef, command => [ $^X, under_profiler(), '-lne', 'print $_' ], stdin => "a\nb\n");
is $one_liner->{out}, "a\nb\n", '-n works';
is_deeply [ grep { !/:1$/ } keys %{ facts($one_liner)->{line} } ], [],
    'what perl adds for -n is on line 1';

# --- evals ------------------------------------------------------------------------------------------------------------

my $evals = run(<<'END');
sub foo { 1 }
for (1 .. 2) {
    eval "foo(); eval q{foo(); foo();};";
}
eval qq{#line 5 "made.pl"\nfoo();};
eval "foo(";
END
my $eval_files = files_of($evals);
is_deeply parents($eval_files), {
    '(eval 1)[prog.pl:3]'                 => 'DIR/prog.pl:3',
    '(eval 2)[(eval 1)[prog.pl:3]:1]'     => '(eval 1)[prog.pl:3]:1',
    '(eval 3)[prog.pl:3]'                 => 'DIR/prog.pl:3',
    '(eval 4)[(eval 3)[prog.pl:3]:1]'     => '(eval 3)[prog.pl:3]:1',
}, 'evals name where they stand, evals in evals too' or diag explain parents($eval_files);
is facts($evals)->{sub}{'main::foo'}{calls}, 7, 'calls in them are counted';
ok $eval_files->{'DIR/made.pl'}, 'an eval may name a file of its own';
my @ids = map { $_->{id} } of('file', @{ facts($evals)->{records} });
my %parent = map { ($_->{id} => $_->{parent}) } of('file', @{ facts($evals)->{records} });
my %seen;
is_deeply [ grep { $seen{$_}++; $parent{$_} && !$seen{ $parent{$_} } } @ids ], [], 'parents come first';

my $short = run("eval '1; sub f { 1 }'; f();\n", options => { nameevals => 0 });
is_deeply parents(files_of($short)), { '(eval 1)' => '/unknown-eval-invoker:1' }, 'nameevals=0: an unknown file';
is files_of($short)->{'/unknown-eval-invoker'}{flags}, $FLAG{fake} | $FLAG{eval} | $FLAG{stmt},
    'so it stands in a file that is none';

my $many = facts(run(<<'END', options => { maxsiteevals => 10 }));
my $n = 0;
sub f { $n++ }
eval "f(); # $_" for 1 .. 50;
eval "f()" for 1 .. 50;
print "$n\n";
END
cmp_ok scalar(grep { $_->{parent} } of('file', @{ $many->{records} })), '<', 80, 'maxsiteevals: later evals share';
is $many->{sub}{'main::f'}{calls}, 100, 'and all calls are counted';
ok !!(grep { $_->{text} =~ /maxsiteevals/ } of('note', @{ $many->{records} })), 'and the capture says so';

# --- flags ------------------------------------------------------------------------------------------------------------

my $kept  = $FLAG{has_source} | $FLAG{save_source};
my $flags = files_of(run(<<'END', files => {
unshift @INC, '.';
require P;
require Q;
require R;
END
    'P.pmc' => "package P; our \$x = 1; 1;\n",
    'Q.pm'  => "package Q; sub f { 1 } 1;\n",
    'R.pm'  => "package R; BEGIN { our \$x = 1 } 1;\n",
}));
is $flags->{'DIR/prog.pl'}{flags} & ~$kept, $FLAG{stmt}, 'the program is met as a statement';
is $flags->{'DIR/Q.pm'}{flags} & ~$kept,    $FLAG{stmt}, 'a module, too';
is $flags->{'DIR/R.pm'}{flags} & ~$kept,    $FLAG{sub},  'one that begins with a BEGIN block as a sub';
is $flags->{'DIR/P.pm'}{flags} & ~$kept,    $FLAG{stmt} | $FLAG{pmc}, 'a .pmc counts as its .pm';
my $hook = run(<<'END');
my @lines = ("package Made;\n", "sub f { 1 }\n", "1;\n");
unshift @INC, sub { $_[1] eq 'Made.pm' ? sub { $_ = shift @lines; defined } : () };
require Made; Made::f();
END
my ($loader) = grep {m{^/loader/}} keys %{ files_of($hook) };
like $loader, qr{^/loader/0x[0-9a-f]+/Made\.pm$}, 'code from a hook in @INC has the name perl gives it';
is $hook->{err}, '', 'without a warning';
is source_of($hook)->{$loader}, "package Made;\nsub f { 1 }\n1;\n", 'and its text is kept, which is nowhere else';

# --- text -------------------------------------------------------------------------------------------------------------

my $PROGRAM = join '', "my \$x = 0;\n", map {"\$x += $_;    # line \xE4 " . 'x' x 300 . "\n"} 1 .. 2000;
is source_of(run($PROGRAM))->{'DIR/prog.pl'}, $PROGRAM,
    'a file\'s text, byte for byte, more than a piece';
is_deeply source_of(run("eval '1;'; 1;\n", options => { savesrc => 0 })), {}, 'savesrc=0: nothing is kept';
my $cut = run("my \$x = 1;\nprint \"\$x\\n\";\n__END__\nnot code\n");
is source_of($cut)->{'DIR/prog.pl'}, "my \$x = 1;\nprint \"\$x\\n\";\n__END__\n", 'text as perl read it, up to __END__';

done_testing;
