# SPDX-License-Identifier: MIT
# A capture names files. Reports open them only where the program was the user's own, on this host, or where an option
# says so: whoever gets a report could else read what its maker may read.
use strict;
use warnings;

use Cwd qw(realpath);
use File::Path qw(make_path);
use File::Temp qw(tempdir);
use FindBin;
use Sys::Hostname;
use Test::More;

use lib "$FindBin::Bin/lib", map {"$FindBin::Bin/../blib/$_"} 'lib', 'arch';
use Capture qw(chunk i nytprof record text u);
use Devel::NYTProf::Data;
use Devel::NYTProf::FileHandle;
use Devel::NYTProf::ReadStream qw(for_chunks);
use Tree qw(slurp spew);

my $dir = realpath(tempdir(CLEANUP => 1));
make_path("$dir/private", "$dir/tree/lib", "$dir/outside");
spew("$dir/private/key.pl",  "SECRET\n");
spew("$dir/tree/lib/key.pl", "CHECKED OUT\n");
spew("$dir/outside/far.pl",  "SECRET\n");
symlink "$dir/outside/far.pl", "$dir/tree/far.pl" or die "symlink: $!\n";

# A statement in each of these files, none with source, by a process of that host.
sub capture {
    my ($host, @names) = @_;
    my @strings = map { Capture::s($_) } 'fake', 'x.pl', 'perl';
    my $start = record(1, u(1), u(0), u(10**18), i(0), u(1000), u(1), i(1001), @strings);
    my $property = defined $host ? record(5, Capture::s('host'), Capture::s($host)) : '';
    my @records = map { my $id = $_ + 1;
        record(7, (map { u($_) } $id, 0, 0, 0, 0, 0), Capture::s($names[$_])),
        record(11, map { u($_) } $id, $id, 1, 1, 1), record(13, u($id), i(1), i(1)) } 0 .. $#names;
    spew("$dir/x.out", text() . chunk(join '', $start, $property, @records));
    chmod 0600, "$dir/x.out" or die "chmod: $!\n";
    return;
}

my %PAGES = (csv => 1, html => 1);
my %OF_SOURCE = map { ($_ => 1) } qw(annotate csv html);

# The output of a verb with its notes.
sub said {
    my ($verb, @options) = @_;
    my $to = "$dir/out.$verb";
    my ($out, $err) = nytprof($verb, '-o', $PAGES{$verb} ? $to : '-', '-d' x !!$PAGES{$verb} || (), @options,
        $verb eq 'callers' ? '.' : (), "$dir/x.out");
    return join '', $out, $err, map { slurp($_) } glob "$to/*";
}

my ($list) = nytprof('list');
my @reports = map {/^  (\w+) /mg} map {/^(?:Look|Export):\n((?:  .*\n)+)/mg} $list;
@reports = grep { !/^(?:flamegraph|pprof|syscap)$/ } @reports;
my $NOTE = qr/source of \Q$dir\E\/private\/key\.pl is not in the profile, and not read from the disk/;
for my $verb (@reports) {
    capture(hostname(), "$dir/private/key.pl");
    my $own = said($verb);
    like $own, qr/SECRET/, "$verb: the source of the user's own program" if $OF_SOURCE{$verb};
    unlike $own, $NOTE, "$verb: and no note" if $OF_SOURCE{$verb};
    capture('elsewhere.example', "$dir/private/key.pl");
    my $other = said($verb);
    unlike $other, qr/SECRET/, "$verb: none of another host's";
    like $other, $NOTE, "$verb: which a note says" if $OF_SOURCE{$verb} && $verb ne 'html';
    capture(undef, "$dir/private/key.pl");
    unlike said($verb), qr/SECRET/, "$verb: none if there is no host";
}

capture('elsewhere.example', "$dir/private/key.pl");
like said('html'), qr/private\/key\.pl is not in the profile, and not read/, 'the pages have the note';
like said('annotate', '--read-sources'), qr/SECRET/, '--read-sources reads any file';
my $rooted = said('annotate', '--source-root', "$dir/tree/lib");
like $rooted, qr/CHECKED OUT/, '--source-root has the file by the end of its name';
unlike $rooted, qr/SECRET|not read/, 'and reads no other';
capture(hostname(), "$dir/private/none.pl", "$dir/outside/far.pl", '../outside/far.pl', "$dir/../../private/key.pl");
unlike said('annotate', '--source-root', "$dir/tree"), qr/SECRET/, 'no link and no .. leads out of the directory';

capture(hostname(), "$dir/private/key.pl");
chmod 0666, "$dir/x.out" or die "chmod: $!\n";
unlike said('annotate'), qr/SECRET/, 'a capture that everybody can write is not the user\'s own';
SKIP: {
    skip 'only root gives files away', 1 if $> != 0;
    chmod 0644, "$dir/x.out" or die "chmod: $!\n";
    chown 12_345, -1, "$dir/x.out" or die "chown: $!\n";
    unlike said('annotate'), qr/SECRET/, 'nor is one of another user, for root';
    unlink "$dir/x.out" or die "unlink: $!\n";
}

# --- format 5, which names no host ------------------------------------------------------------------------------------

my $to = Devel::NYTProf::FileHandle::open("$dir/x.out", 'wb') or die "x.out: $!\n";
$to->write_header(5, 0);
$to->write_attribute(ticks_per_sec => 10_000_000);
$to->write_attribute(nv_size       => 8);
$to->write_process_start(7, 1, 1000);
$to->write_new_fid(1, 0, 0, 2, 0, 0, "$dir/private/key.pl");
$to->write_time_line(10, 0, 1, 1);
$to->write_process_end(7, 1001);
$to->close;
chmod 0644, "$dir/x.out" or die "chmod: $!\n";
like said('csv'), qr/SECRET/, 'format 5: the source of the user\'s own';
chmod 0666, "$dir/x.out" or die "chmod: $!\n";
unlike said('csv'), qr/SECRET/, 'not if everybody can write it';

# --- Perl's objects ---------------------------------------------------------------------------------------------------

sub lines_by_perl {
    my (@options) = @_;
    my $profile = Devel::NYTProf::Data->new({ filename => "$dir/x.out", quiet => 1, @options });
    return join '', @{ ($profile->noneval_fileinfos)[0]->srclines_array || ['none'] };
}

capture(hostname(), "$dir/private/key.pl");
is lines_by_perl(), "SECRET\n", 'Perl: the source of the user\'s own';
capture('elsewhere.example', "$dir/private/key.pl");
is lines_by_perl(), 'none', 'none of another host\'s';
is lines_by_perl(read_sources => 1), "SECRET\n", 'but with read_sources';

# --- events: a capture of another host may claim any number of statements ---------------------------------------------

my $MANY = 1_200_000;

sub events {
    my ($host, @options) = @_;
    capture($host, '/x.pl');
    spew("$dir/x.out", slurp("$dir/x.out") . chunk(record(13, u(1), i($MANY), i(1)), number => 2));
    my $n = 0;
    eval { for_chunks { $n += $_[0] eq 'TIME_LINE' } filename => "$dir/x.out", quiet => 1, @options; 1 } or return $@;
    return $n;
}

is events(hostname()), $MANY + 1, 'the statements of an own capture are an event each';
like events('elsewhere.example'), qr/more than \d+ events, of a profile of another user or host/, 'not of another';
is events('elsewhere.example', every_event => 1), $MANY + 1, 'but with every_event';
{
    my $to = Devel::NYTProf::FileHandle::open("$dir/many.out", 'wb') or die "many.out: $!\n";
    $to->write_header(5, 0);
    $to->write_attribute(ticks_per_sec => 10_000_000);
    $to->write_attribute(nv_size       => 8);
    $to->start_deflate_write_tag_comment;
    $to->write_process_start(7, 1, 1000);
    $to->write_new_fid(1, 0, 0, 2, 0, 0, '/x.pl');
    $to->write_time_line(10, 0, 1, 1) for 1 .. $MANY * 1.5;
    $to->close;
    my $n = 0;
    my @of_file = (filename => "$dir/many.out", quiet => 1);
    ok !eval { for_chunks { $n++ } @of_file; 1 }, 'format 5: not of the user\'s own file, if its size is no reason';
    like $@, qr/more than \d+ events, which its size does not explain: expected every_event/, 'says why';
    cmp_ok $n, '>', 2**20, 'behind those that it has told';
    $n = 0;
    for_chunks { $n++ } @of_file, every_event => 1;
    cmp_ok $n, '>', $MANY * 1.5, 'but with every_event';
}
my @merge = ('merge', '-o', "$dir/merged", "$FindBin::Bin/data/v5-plain.out", "$dir/x.out");
is((nytprof(@merge))[2], 1, 'nor does merge make a file of them');
is((nytprof(@merge, '--every-event'))[2], 0, 'but with --every-event');
done_testing;
