# SPDX-License-Identifier: MIT
# What follows from the row of a report or another verb: a section of the manual that names every option, completion in
# shells, and for each report a golden, t/golden/NAME.txt, of what it makes of a small capture. With --write this test
# writes those: look at the difference.
use strict;
use warnings;

use File::Temp qw(tempdir);
use FindBin;
use Test::More;

use lib "$FindBin::Bin/lib";
use Capture qw(nytprof);
use Pages qw(fixtures pages run);
use Pprof qw(text_of_pprof);
use Syscap qw(text_of_syscap);
use Tree qw(slurp spew);

my $TOP = "$FindBin::Bin/..";
local $ENV{TZ} = 'UTC';

my @reports = map { slurp($_) =~ /^const nytp_report nytp_(\w+)_report = \{$/mg } sort glob "$TOP/xs/*/*.c";
my %verb    = map { ($_ => 1) } (nytprof('list'))[0] =~ /^  (\w+) /mg;
cmp_ok scalar @reports, '>=', 4, 'rows of reports were understood';
is_deeply [ grep { !exists $verb{$_} } @reports ], [], 'every report is a verb';
my @astray = grep { slurp($_) =~ /^const nytp_report (?!.*\.task = NYTP_TASK_LOOK,)/ms } glob "$TOP/xs/terminal/*.c";
is_deeply \@astray, [], 'the help has reports for people under Look: .task = NYTP_TASK_LOOK';
my %options = map { ($_ => [ (nytprof('help', $_))[0] =~ /^ {2}(?: {4}|-\w, )(--[\w-]+)/mg ]) } keys %verb;
cmp_ok scalar @{ $options{html} }, '>=', 10, 'and so was the help';

# --- goldens: "== PAGE", then what is in it ---------------------------------------------------------------------------

my %text_of  = (pprof => \&text_of_pprof, syscap => \&text_of_syscap);    # of formats that are no text
my $captures = fixtures();
for my $report (@reports) {
    my ($golden, $out) = ("$TOP/t/golden/$report.txt", tempdir(CLEANUP => 1) . '/out');
    my @sub = $report eq 'callers' ? 'main::pong' : ();
    is +(nytprof($report, '-o', $out, @sub, "$captures/calls.out"))[2], 0, "$report runs";
    my $got = without_version(-d $out ? together(pages($out)) : ($text_of{$report} // \&slurp)->($out));
    spew($golden, $got) if "@ARGV" eq '--write';
    ok -e $golden, "t/golden/$report.txt is there (perl t/reports.t --write makes it)" or next;
    is_deeply [ split /\n/, $got ], [ split /\n/, slurp($golden) ], 'and is what it makes';
}

# --- the manual -------------------------------------------------------------------------------------------------------

my $manual = slurp("$TOP/bin/nytprof.pod");
my ($common) = $manual =~ /^=head1 OPTIONS OF REPORTS\n(.*?)^=head1/ms;
my ($choosing) = $manual =~ /^=head1 CHOOSING WHAT IS SHOWN\n(.*?)^=head1/ms;
for my $verb (sort keys %verb) {
    my ($section) = $manual =~ /^=head2 \Q$verb\E\b[^\n]*\n(.*?)^=head[12]/ms;
    ok $section, "$verb: a section of bin/nytprof.pod" or next;
    $section .= $common if grep { $_ eq $verb } @reports;
    $section .= slurp("$TOP/bin/$1") if $section =~ /L<([\w.]+)> for its\s+options/;
    $section =~ s/--REPORT\b/join ' ', map {"--$_"} @reports/e if $verb =~ /^(?:attach|run)$/;
    $section .= $choosing if $section =~ m{L</CHOOSING WHAT IS SHOWN>};
    is_deeply [ grep { $section !~ /\Q$_\E\b(?!-)/ } @{ $options{$verb} } ], [], 'which names its options';
}

# --- completion -------------------------------------------------------------------------------------------------------

my %script = map { ($_ => (nytprof('completion', $_))[0]) } qw(bash zsh fish);
is_deeply [ sort +completed($script{bash}, '') ], [ sort keys %verb ], 'bash completes verbs';
is_deeply [ sort +completed($script{bash}, 'help', '') ], [ sort keys %verb ], 'and behind help';
like $script{zsh}, qr/CURRENT == 2.*words\[2\] == help.*then\n\h+local -a verbs/, 'zsh, too';
is_deeply [ sort $script{fish} =~ /seen_subcommand_from help' -a (\w+)$/mg ], [ sort keys %verb ], 'and fish';
for my $verb (sort keys %verb) {
    my @offered = grep { $_ ne '--help' } completed($script{bash}, $verb, '--');
    is_deeply [ sort @offered ], [ sort(hidden($verb), @{ $options{$verb} }) ], "bash completes the options of $verb";
    for my $shell (qw(zsh fish)) {
        my @lines = grep {/^ *$verb\)|seen_subcommand_from $verb'/} split /\n/, $script{$shell};
        my @missing = grep { my $name = s/^--//r; !grep {/(?:--|-l )$name\b(?!-)/} @lines } @{ $options{$verb} };
        is_deeply \@missing, [], "so does $shell";
    }
}
is_deeply [ completed($script{bash}, '-') ], [qw(--help --list --version)],
    'bash completes options that go without a verb';
is_deeply [ sort +completed($script{bash}, 'completion', '') ], [qw(bash fish zsh)], 'and shells behind completion';
like $script{$_}, qr/completion.*\bbash zsh fish\b/, "$_, too" for qw(zsh fish);
like $script{$_}, qr/--version|-l version/, 'which has the option --version' for qw(zsh fish);
is_deeply [ sort +completed($script{bash}, 'csv', '--delim', '') ], [qw(comma tab)], 'values, where they are known';
for my $shell (grep { installed($_) } qw(bash zsh fish)) {
    spew("$captures/$shell", $script{$shell});
    is [ run($shell, '-n', "$captures/$shell") ]->[2], '', "$shell reads its script";
}
my (undef, $err, $exit) = nytprof('completion', 'csh');
is "$exit $err", "2 nytprof: completion: expected bash, zsh or fish (see `nytprof help completion`)\n", 'not for csh';

done_testing;

# Nor where the capture is.
sub without_version {
    my ($text) = @_;
    return $text =~ s/(Devel::NYTProf |^# Version: v)\d+\.\d+/$1VERSION/mgr =~ s/\Q$captures\E\///gr;
}

# Not those that are the same for every report, nor those with deflated data and script in them.
sub together {
    my ($pages) = @_;
    my @names = grep { !/\.(?:css|js|svg)\z/ } sort keys %$pages;
    return join '', map {"== $_\n$pages->{$_}"} @names;
}

# run takes --file as well as --out, and tells so in the line of the latter.
sub hidden { my ($verb) = @_; return $verb =~ /^(?:run|make)$/ ? '--file' : () }

# What bash offers for the last of the words behind `nytprof`.
sub completed {
    my ($script, @words) = @_;
    my $words = join ' ', map {"'$_'"} 'nytprof', @words;
    my $asks = "$script\nCOMP_WORDS=($words) COMP_CWORD=" . @words . qq{\n_nytprof\necho "\${COMPREPLY[*]}"};
    return split ' ', [ run('bash', '-c', $asks) ]->[1];
}

sub installed { my ($name) = @_; return scalar grep { -x "$_/$name" } split /:/, $ENV{PATH} }
