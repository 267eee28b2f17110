# SPDX-License-Identifier: MIT
# A profile event by event (callbacks of Devel::NYTProf::Data), and files of format 5 written record by record.
use strict;
use warnings;

use File::Temp qw(tempdir);
use FindBin;
use Test::More;

use lib "$FindBin::Bin/lib", map {"$FindBin::Bin/../blib/$_"} qw(lib arch);

BEGIN { delete $ENV{NYTPROF} }

use Devel::NYTProf::FileHandle;
use Devel::NYTProf::ReadStream qw(for_chunks);
use Profiled qw(has_peer);
use Run qw(capture_of cases facts run);
use Tree qw(slurp spew);

my $dir = tempdir(CLEANUP => 1);

sub died { my ($code) = @_; return eval { $code->(); 1 } ? '' : $@ }

# [tag, arguments] of every event.
sub events {
    my ($file, %with) = @_;
    my @events;
    for_chunks { push @events, [@_] } filename => $file, quiet => 1, %with;
    return @events;
}

# --- FileHandle: every record -----------------------------------------------------------------------------------------

my $wide = "f\x{263a}";
my @records = (    # method, arguments, bytes in the file, the event
    [ write_header => [ 5, 0 ], 12, [ VERSION => 5, 0 ] ],
    [ write_comment => ['hello'], 7, [ COMMENT => "hello\n" ] ],
    [ write_attribute => [ 'a', 'b' ], 5, [ ATTRIBUTE => 'a', 'b' ] ],
    [ write_option => [ 'o', 'v' ], 5, [ OPTION => 'o', 'v' ] ],
    [ write_process_start => [ 1, 2, 3.5 ], 11, [ PID_START => 1, 2, 3.5 ] ],
    [ start_deflate_write_tag_comment => [], undef, [ COMMENT => qr/\ACompressed at level 6 with zlib [\d.]+\n\z/ ] ],
    [ write_new_fid => [ 1, 0, 0, 2, 0, 0, $wide ], 13, [ NEW_FID => 1, 0, 0, 2, 0, 0, $wide ] ],
    [ write_new_fid => [ 300, 1, 5, 2, 0, 0, 'abc' ], 13, [ NEW_FID => 300, 1, 5, 2, 0, 0, 'abc' ] ],
    [ write_time_line => [ 5, 0, 1, 2 ], 4, [ TIME_LINE => 5, 1, 2 ] ],
    [ write_time_line => [ -5, 0, 1, 2 ], 8, [ TIME_LINE => -5, 1, 2 ] ],
    [ write_time_block => [ 5, 0, 1, 4, 3, 2 ], 6, [ TIME_BLOCK => 5, 1, 4, 3, 2 ] ],
    [ write_discount => [], 1, ['DISCOUNT'] ],
    [ write_call_entry => [ 1, 2 ], 3, [ SUB_ENTRY => 1, 2 ] ],
    [ write_call_return => [ 1, 'n', .5, .25 ], 21, [ SUB_RETURN => 1, .5, .25, 'n' ] ],
    [ write_sub_info => [ 1, $wide, 1, 2 ], 10, [ SUB_INFO => 1, 1, 2, $wide ] ],
    [ write_sub_callers => [ 1, 2, 'c', 3, .5, .25, .125, 1, 'n' ], 35,
        [ SUB_CALLERS => 1, 2, 3, .5, .25, .125, 1, 'n', 'c' ] ],
    [ write_src_line => [ 1, 1, "text\n" ], 10, [ SRC_LINE => 1, 1, "text\n" ] ],
    [ write_process_end => [ 1, 5.5 ], 10, [ PID_END => 1, 5.5 ] ],
);

my $out = Devel::NYTProf::FileHandle::open("$dir/all", 'wb');
isa_ok $out, 'Devel::NYTProf::FileHandle', 'open';
for my $record (@records) {
    my ($method, $arguments, $bytes) = @$record;
    is $out->$method(@$arguments), $bytes, "$method returns the bytes written";
}
is $out->close, 0, 'close';
is $out->close, 0, 'twice';
like died(sub { $out->write('x') }), qr/closed/, 'then there is nothing to write to';
like died(sub { Devel::NYTProf::FileHandle::write_header('x', 5, 0) }), qr/not of type/, 'nor is a string a handle';

my @read = grep { $_->[0] ne 'START_DEFLATE' } events("$dir/all");
is scalar @read, scalar @records, 'as many events as records';
for my $i (0 .. $#records) {
    my ($tag, @arguments) = @{ $records[$i][3] };
    my ($first) = map { ref && $read[$i][1] =~ $_ ? $read[$i][1] : $_ } @arguments[ 0 .. !!@arguments - 1 ];
    is_deeply $read[$i], [ $tag, @arguments ? ($first, @arguments[ 1 .. $#arguments ]) : () ], "$tag";
}

my @none = Devel::NYTProf::FileHandle::open("$dir/no/such/file", 'wb');
is_deeply \@none, [], 'open of what cannot be opened is an empty list';
is 0 + $!, 2, 'and $! says why';

{
    my $gone = Devel::NYTProf::FileHandle::open("$dir/gone", 'w');
    $gone->write("bytes");
}
is slurp("$dir/gone"), 'bytes', 'write, and a handle that goes away is closed';
my $bare = Devel::NYTProf::FileHandle::open("$dir/bare", 'w');
$bare->start_deflate;
$bare->write('x' x 1000);
$bare->close;
like slurp("$dir/bare"), qr/\Ax/, 'start_deflate alone writes no tag';

my $warned = run(undef, dir => $dir, command => [ $^X, (map {"-I$_"} @INC), '-MDevel::NYTProf::FileHandle', '-e',
    'Devel::NYTProf::FileHandle::open("over", "w")->write_time_line(1, 2, 3, 4)' ]);
like $warned->{err}, qr/overflow of 2 seconds/, 'an overflow is told of';
is $warned->{exit}, 0, 'and nothing else happens';

# --- callbacks --------------------------------------------------------------------------------------------------------

my %text = map {@$_} cases('api');
my $file = capture_of(run($text{everything}, options => { calls => 2 }));
my @events = events($file);
my %of;
push @{ $of{ $_->[0] } }, $_ for @events;
is_deeply $events[0], [ VERSION => 5, 0 ], 'a capture of ours begins with a version, too';
my %attribute = map { @$_[ 1, 2 ] } @{ $of{ATTRIBUTE} };
is $attribute{application}, 'prog.pl', 'has attributes';
is scalar @{ $of{OPTION} }, 18, 'the options';
my %fid = map { ($_->[1] => $_->[7]) } @{ $of{NEW_FID} };
like $fid{1}, qr{/prog\.pl$}, 'files';
my @begun = grep { $events[$_][0] eq 'TIME_LINE' && $events[ $_ - 1 ][0] ne 'DISCOUNT' } 1 .. $#events;
is scalar(grep { $_->[2] == 1 && $_->[3] == 2 } @events[@begun]), 36, 'a TIME_LINE for each statement';
is_deeply [ map { $_->[2] + 0 } @{ $of{PID_START} } ], [$$], 'PID_START with its parent';
my $of_strict = grep { $_->[4] =~ /^strict::(?:BEGIN|CORE:)/ } @{ $of{SUB_RETURN} }; # before perl 5.34
is @{ $of{SUB_RETURN} } - $of_strict, 29, 'a SUB_RETURN for each call';
is @{ $of{SUB_ENTRY} } - $of_strict, 29, 'a SUB_ENTRY too, with calls=2';
my ($callers) = grep { $_->[8] eq 'main::foo' && $_->[2] == 4 } @{ $of{SUB_CALLERS} };
is_deeply [ @$callers[ 1 .. 3, 7 .. 9 ] ], [ 1, 4, 5, 0, 'main::foo', 'main::RUNTIME' ], 'SUB_CALLERS';
my ($info) = grep { $_->[4] eq 'main::foo' } @{ $of{SUB_INFO} };
is_deeply $info, [ SUB_INFO => 1, 2, 2, 'main::foo' ], 'SUB_INFO';
is $of{SRC_LINE}[0][3], "use strict;\n", 'SRC_LINE';

# --- calls=2: everything in its order ---------------------------------------------------------------------------------

my $ORDER = <<'END';
sub g { my $x = 1;
    return $x }
sub f { my $y = g();
    g() + 1 }
sub e { }
sub dies { g(); die "x\n" }
sub r { my $n = shift; return $n ? r($n - 1) : 0 }
sub compared { $a <=> $b } select undef, undef, undef, 0.07; $a = 1; $a = 2;
my $b = f() + g();
e();
eval { dies() };
r(2);
my @sorted = sort { compared() } 2, 1;
eval 'g()';
"abc" =~ /b/;
END

# Entries and returns with the statements that begin between them, from line 9 on; what only goes on is left out, for
# how long that takes decides whether it is told.
sub story {
    my ($goes_on, @story);
    for my $event (@_) {
        my ($tag, @of) = @$event;
        push @story, "line $of[1]:$of[2]" if $tag eq 'TIME_LINE' && !$goes_on;
        $goes_on = $tag eq 'DISCOUNT' ? 1 : $tag eq 'TIME_LINE' ? 0 : $goes_on;
        push @story, "enter from $of[0]:$of[1]" if $tag eq 'SUB_ENTRY';
        push @story, "$of[3] returns to depth " . ($of[0] - 1) if $tag eq 'SUB_RETURN';
    }
    return join("\n", @story) =~ s/\A.*?\n(?=enter from 1:9$)//msr;
}

# The story of a run in which no window was due: at its end a statement is told before it has ended. The first windows
# are due a millisecond after the start, two, four, and so on; the program waits until there are 50 ms from one to the
# next. On a busy machine that may not be enough, and the run is made again.
sub story_of {
    my ($expected, @how) = @_;
    my $story;
    for (1 .. 10) {
        $story = story(events(capture_of(run($ORDER, @how))));
        last if $story =~ $expected;
    }
    return $story;
}

my $begins = "enter from 1:9\nline 1:9\nenter from 1:3\nline 1:3\nline 1:1\nmain::g returns to depth 1\nline 1:2\n";
my $story  = story_of(qr/^$begins/m, options => { calls => 2 });
like $story, qr/^$begins/m, 'calls=2: statements, entries and returns in their order';
is story_of(qr/^\Q$story\E$/, options => { calls => 2, format => 5 }), $story, 'and so in format 5';
if (has_peer()) {
    my $peer = story_of(qr/^\Q$story\E$/, options => { calls => 2 }, switches => ['-d:NYTProf']);
    is $story, $peer, 'as the peer has it';
}
for my $case (cases('leaving')) {
    my ($name, $text) = @$case;
    my $left = run($text, options => { calls => 2 });
    my ($depth, $wrong, %times) = (0, 0);
    for my $event (events(capture_of($left))) {
        my ($tag, @of) = @$event;
        $depth++ if $tag eq 'SUB_ENTRY';
        next if $tag ne 'SUB_RETURN';
        $wrong ||= "$of[3] returns to $of[0], not $depth" if $of[0] != $depth;
        $wrong ||= "$of[3] takes less than its own time" if $of[1] < $of[2] - 3;
        $times{ $of[3] } += $of[2];
        $depth--;
    }
    is $wrong || "$depth running", '0 running', "calls=2: every call ends where it began: $name";
    my @counts = map { my $facts = facts($_); [ @{$facts}{qw(line edge)} ] } $left, run($text);
    is_deeply $counts[0], $counts[1], 'and all is counted as ever';
}
my $forks = run('sub work { 1 } sub forks { work(); my $pid = fork; work(); $pid ? waitpid $pid, 0 : exit } forks();',
    options => { calls => 2, addpid => 1 });
my @processes = glob "$forks->{dir}/nytprof.out.*";
is_deeply [ sort { $b->[0] <=> $a->[0] } map { told_of($_, 'main::work') } @processes ], [ [ 2, 2 ], [ 1, 1 ] ],
    'calls=2: a forked child tells its own calls';
is_deeply [ map { told_of($_, 'main::forks') } @processes ], [ [ 1, 1 ], [ 1, 1 ] ], 'and that which was running';

# How often a file says that a sub returned, and how often it was called.
sub told_of {
    my ($file, $name) = @_;
    my ($returned, $called) = (0, 0);
    for my $event (events($file)) {
        $returned++ if $event->[0] eq 'SUB_RETURN' && $event->[4] eq $name;
        $called += $event->[3] if $event->[0] eq 'SUB_CALLERS' && $event->[8] eq $name;
    }
    return [ $returned, $called ];
}

my @numbers;
for_chunks { push @numbers, $. } filename => $file, quiet => 1;
is_deeply \@numbers, [ 0 .. $#numbers ], '$. counts the events from 0';
my (%argument, $touched);
for_chunks {
    $argument{ \$_[1] } = 1 if $_[0] eq 'TIME_LINE';
    $touched ||= eval { $_[0] = 1 };
} filename => $file, quiet => 1;
is scalar keys %argument, 1, 'argument scalars are used again';
is $touched, undef, 'the tag is read-only';

open my $other, '<', $file or die $!;
<$other>;
$@ = 'kept';
like died(sub { for_chunks { die "at $.\n" if $. == 3 } filename => $file, quiet => 1 }), qr/\Aat 3\n\z/,
    'an exception ends the reading';
is $., 1, 'and $. is as before';
close $other;

my %tags;
my $result = Devel::NYTProf::Data::load_profile_data_from_file($file,
    { TIME_LINE => sub { $tags{ $_[0] }++ }, '' => sub { $tags{other}++ } });
is $result, undef, 'load_profile_data_from_file with a callback returns undef';
is_deeply \%tags, { TIME_LINE => scalar @{ $of{TIME_LINE} }, other => @events - @{ $of{TIME_LINE} } },
    'a hash of functions by tag, the default under an empty key';
is +Devel::NYTProf::Data->new({ filename => $file, quiet => 1, callback => sub { } }), undef, 'so does new';
my ($seen, %once) = (0);
%once = (NEW_FID => sub { delete $once{NEW_FID}; $seen++ });
is died(sub { Devel::NYTProf::Data::load_profile_data_from_file($file, \%once) }), '',
    'a function may take itself out of the hash';
is $seen, @{ $of{NEW_FID} }, 'and is called to the end';
my ($rounds, $jump) = (0, '');
for my $round (1, 2) {
    $rounds++;
    $jump .= died(sub { for_chunks { no warnings 'exiting'; last if $. == 3 } filename => $file, quiet => 1 });
}
is $rounds, 2, 'a function cannot leave a loop of its caller';
like $jump, qr/\ACan't "last" outside a loop block/, 'but dies of it, as it would in a sort';
like died(sub { Devel::NYTProf::Data::load_profile_data_from_file($file, $_) }),
    qr/Not a CODE or HASH reference/, 'another kind of callback' for 1, [], \1;
like died(sub { Devel::NYTProf::Data::load_profile_data_from_file($file, { TIME_LINE => 1 }) }), qr/TIME_LINE/,
    'a hash value that is no function dies';

# --- damaged files ----------------------------------------------------------------------------------------------------

my $plain = Devel::NYTProf::FileHandle::open("$dir/plain", 'w');
$plain->write_header(5, 0);
$plain->write_attribute(nv_size => 8);
$plain->write_new_fid(1, 0, 0, 2, 0, 0, '/tmp/x.pl');
$plain->write_time_line(25, 0, 1, 7);
$plain->close;
my $good = slurp("$dir/plain");
my %bad = (
    'no first line'  => "rubbish\n",
    'another major version' => $good =~ s/5 0/6 0/r,
    'an unknown tag' => "$good\x01",
    'a short read'   => substr($good, 0, -1),
    'a line without end' => substr($good, 0, index($good, 'nv_size')),
    'another size of numbers' => $good =~ s/nv_size=8/nv_size=16/r . "P\1\2" . "\0" x 16,
);
for my $what (sort keys %bad) {
    spew("$dir/bad", $bad{$what});
    for my $with ({}, { callback => sub { } }) {
        my $error = died(sub { Devel::NYTProf::Data->new({ filename => "$dir/bad", quiet => 1, %$with }) });
        like $error, qr{\A[^\n]*\Q$dir\E/bad[^\n]*\n\z}, "$what: one line that names the file";
    }
}
is scalar(my @all = events("$dir/plain")), 4, 'and what is whole can be read';

done_testing;
