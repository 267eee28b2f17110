# SPDX-License-Identifier: MIT
# first.pl DIRECTORY FILE...: writes the fuzzer's first inputs for each target into DIRECTORY/corpus-TARGET: the files,
# what is deflated in them inflated, behind the bytes that tell a target what to do with them.
use strict;
use warnings;

use Compress::Zlib qw(compress crc32 uncompress);

my ($directory, @files) = @ARGV;

my %AHEAD = (
    build   => [ map { chr } 0, 27, 32, 64, 113, 128 ],
    capture => [''],
    classes => [''],
    drafts  => [ map { chr(4 * $_) . chr(101 * $_ % 256) } 0 .. 9 ],
    five    => [ "\0", "\1" ],
    import  => [''],
    load    => [ map { chr } 0, 1, 3, 12, 64, 65, 72, 80, 127 ],
    perl    => [ "\0", "\1" ],
    texts   => [ map { chr } 0 .. 3 ],
    verbs   => [ map { my $verb = chr; map { $verb . $_ } "\0" x 7, "\xA5\x5A\xC3\0\1\2\3" } 0 .. 31 ],
);
# Targets of a file by the beginning of its name in xt/fuzz/corpus.
my @CAPTURE = qw(capture drafts load perl verbs);
my @FIVE    = qw(five load perl verbs);
my %TARGETS = (capture => \@CAPTURE, five => \@FIVE, folded => ['verbs'], options => ['texts'], text => ['texts'],
    build => [qw(build verbs)], classes => ['classes'],
    ninja => ['import'], trace => ['import']);
my $SYNC = "\xF1NYTP\r\n\x1A";

sub slurp {
    my ($path) = @_;
    open my $in, '<:raw', $path or die "$path: $!\n";
    local $/;
    return <$in>;
}

# A capture whose chunks are as they are before they are deflated; the fuzzer cannot change what is deflated.
sub inflated_capture {
    my ($text, @chunks) = split /(?=\Q$SYNC\E)/, $_[0];
    for (@chunks) {
        next if length() <= 84 || !(ord(substr $_, 21, 1) & 1);
        my $payload = uncompress(substr $_, 84) // next;
        substr($_, 84) = $payload;
        substr($_, 21, 1) = "\0";
        substr($_, 12, 8) = pack 'V V', (length $payload) x 2;
        substr($_, 8, 4) = pack 'V', crc32(substr $_, 12);
    }
    return join '', $text, @chunks;
}

sub inflated_v5 {
    my ($head, $rest) = $_[0] =~ /\A(.*?\nz)(x.*)\z/s or return $_[0];
    my $plain = uncompress($rest) // return $_[0];
    return substr($head, 0, -1) . $plain;
}

my @profiles = grep { !m{/corpus/} } @files;
my %inputs;
for my $file (@files) {
    my $bytes = slurp($file);
    my $plain = $bytes =~ /\ANYTProf 5/ ? inflated_v5($bytes) : inflated_capture($bytes);
    my $kind = $file =~ m{/corpus/(\w+)-} ? $1 : $bytes =~ /\ANYTProf 5/ ? 'five' : 'capture';
    for my $target (@{ $TARGETS{$kind} // die "$file: no such kind\n" }) {
        push @{ $inputs{$target} }, map { $_ . $bytes, $_ . $plain } @{ $AHEAD{$target} };
    }
    push @{ $inputs{texts} }, map { $_ . substr $plain, 0, 300 } @{ $AHEAD{texts} };
}

# Several files: a profile, its store, another profile.
for my $i (0 .. $#profiles) {
    my @parts = map { slurp($profiles[ ($i + $_) % @profiles ]) } 0, 3, 1;
    push @{ $inputs{verbs} }, map { $_ . join "\n%%%%\n", @parts } @{ $AHEAD{verbs} };
}

for my $target (sort keys %inputs) {
    mkdir "$directory/corpus-$target";
    my $n = 0;
    for my $input (@{ $inputs{$target} }) {
        open my $out, '>:raw', sprintf '%s/corpus-%s/first.%d', $directory, $target, $n++ or die $!;
        print {$out} $input;
    }
}
