# SPDX-License-Identifier: MIT
# nytprof push --to otlp: OpenTelemetry's message, as protoc decodes it by these numbers of fields, adds up to the same
# paths and values as the pprof of the profile.
use strict;
use warnings;

use FindBin;
use File::Temp qw(tempdir);
use Test::More;

use lib "$FindBin::Bin/lib";
use Capture qw(nytprof);
use Pages qw(fixtures);
use Pprof qw(pprof);
use Receiver qw(receiver requests stop_receiver);
use Tree qw(spew);

plan skip_all => 'wants protoc' if !grep { -x "$_/protoc" } split /:/, $ENV{PATH} // '';

my $dir = tempdir(CLEANUP => 1);
spew("$dir/otlp.proto", <<'END');
syntax = "proto3";
message Any { string text = 1; int64 number = 3; }
message KeyValue { string key = 1; Any value = 2; }
message Resource { repeated KeyValue attributes = 1; }
message Scope { string name = 1; }
message ValueType { int32 type = 1; int32 unit = 2; }
message Sample { int32 stack = 1; repeated int32 attributes = 2; int32 link = 3; repeated int64 values = 4; }
message Profile {
  ValueType sample_type = 1; repeated Sample samples = 2; fixed64 time = 3; uint64 duration = 4;
  ValueType period_type = 5; int64 period = 6; bytes id = 7;
}
message ScopeProfiles { Scope scope = 1; repeated Profile profiles = 2; }
message ResourceProfiles { Resource resource = 1; repeated ScopeProfiles scopes = 2; }
message Mapping { uint64 start = 1; uint64 limit = 2; uint64 offset = 3; int32 filename = 4; }
message Line { int32 function = 1; int64 line = 2; }
message Location { int32 mapping = 1; uint64 address = 2; repeated Line lines = 3; }
message Function { int32 name = 1; int32 system_name = 2; int32 filename = 3; int64 start_line = 4; }
message Link { bytes trace = 1; bytes span = 2; }
message Attribute { int32 key = 1; Any value = 2; int32 unit = 3; }
message Stack { repeated int32 locations = 1; }
message Dictionary {
  repeated Mapping mappings = 1; repeated Location locations = 2; repeated Function functions = 3;
  repeated Link links = 4; repeated string strings = 5; repeated Attribute attributes = 6; repeated Stack stacks = 7;
}
message Request { repeated ResourceProfiles resources = 1; Dictionary dictionary = 2; }
END

my $server = receiver('ok');
my $url    = "$server->{url}/v1development/profiles";
my (undef, $refused, $status) = nytprof('push', fixtures() . '/calls.out', $url);
like "$status $refused", qr/\A2 nytprof: push: the format of otlp is not final: expected --experimental /, 'asked for';

for my $name (qw(calls.out sampled.out)) {
    my ($out, $err, $exit) = nytprof('push', '--experimental', '--service', 'shop', '--label', 'env=x',
        fixtures() . "/$name", $url);
    like "$exit $err$out", qr/\A0 Sent a profile of /, "$name is sent";
    my $request = (requests($server))[-1];
    is "$request->{target} $request->{head}{'content-type'}", '/v1development/profiles application/x-protobuf',
        'as protocol buffers';
    spew("$dir/body", $request->{body});
    my $text = qx{protoc --decode=Request --proto_path='$dir' '$dir/otlp.proto' < '$dir/body'};
    is $?, 0, 'which protoc decodes';
    unlike $text, qr/^ +\d+:/m, 'without unknown fields';
    my $got = message(\$text);
    nytprof('pprof', '-o', "$dir/whole.pb.gz", fixtures() . "/$name");
    my $whole = pprof("$dir/whole.pb.gz");

    my $dictionary = $got->{dictionary}[0];
    my @strings = @{ $dictionary->{strings} };
    is_deeply [ map { $dictionary->{$_}[0] } qw(mappings locations functions links attributes stacks) ],
        [ map { {} } 1 .. 6 ], 'the first entry of each table is empty';
    is $strings[0], '', 'and so is the first string';
    my %times = map { ($_ => 1) } @strings;
    is scalar keys %times, scalar @strings, 'no string is there twice';
    my ($resource) = @{ $got->{resources} };
    my %attribute = map { ($_->{key}[0] => $_->{value}[0]{text}[0]) } @{ $resource->{resource}[0]{attributes} };
    is_deeply [ @attribute{qw(service.name env process.runtime.name)} ], [qw(shop x perl)], 'attributes name it';

    my @profiles = @{ $resource->{scopes}[0]{profiles} };
    my %id = map { ($_->{id}[0] => 1) } @profiles;
    is scalar keys %id, scalar @profiles, 'each profile has an id';
    my %sum;
    my @types;
    for my $column (0 .. $#profiles) {
        my $profile = $profiles[$column];
        push @types, join '/', @strings[ map { $profile->{sample_type}[0]{$_}[0] // 0 } qw(type unit) ];
        for my $sample (@{ $profile->{samples} // [] }) {
            my $stack = $dictionary->{stacks}[ $sample->{stack}[0] ];
            my @path = reverse map { place($dictionary, \@strings, $_) } @{ $stack->{locations} };
            my ($pid) = map { $_->{value}[0]{number}[0] } grep { $strings[ $_->{key}[0] ] eq 'process.pid' }
                map { $dictionary->{attributes}[$_] } @{ $sample->{attributes} };
            $sum{"$pid @path"}[$column] += $sample->{values}[0];
        }
    }
    is_deeply \@types, $whole->{types}, 'a profile for each type of values';
    my %expected;
    for my $sample (@{ $whole->{samples} }) {
        my $path = join ' ', $sample->{labels}{pid}, map { join ':', map { $_ // '' } @$_ } @{ $sample->{path} };
        for my $column (0 .. $#types) {
            $expected{$path}[$column] += $sample->{values}[$column] if $sample->{values}[$column];
        }
    }
    is_deeply \%sum, \%expected, 'every path has its values, to the nanosecond';
    cmp_ok scalar keys %sum, '>', 2, 'of several paths';
}
stop_receiver($server);

done_testing;

# { field => [ values ] } of a message in protoc's text.
sub message {
    my ($text) = @_;
    my %fields;
    while ($$text =~ /\G\s*(?:(\w+) \{|(\w+): (?:"((?:[^"\\]|\\.)*)"|(\S+))|(\}))/gc) {
        last if $5;
        if    ($1)          { push @{ $fields{$1} }, message($text) }
        elsif (defined $3)  { push @{ $fields{$2} }, $3 }
        else                { push @{ $fields{$2} }, $4 }
    }
    return \%fields;
}

sub place {
    my ($dictionary, $strings, $number) = @_;
    my $line     = $dictionary->{locations}[$number]{lines}[0];
    my $function = $dictionary->{functions}[ $line->{function}[0] ];
    return join ':', @{$strings}[ map { $function->{$_}[0] // 0 } qw(name filename) ], $line->{line}[0] // 0;
}
