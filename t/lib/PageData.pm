# SPDX-License-Identifier: MIT
package PageData;

# Reads data.js, the data of the index page, and those in the page of a build, as xs/pages/DATA describes them.

use strict;
use warnings;

use Compress::Zlib qw(uncompress);
use Exporter 'import';
use List::Util qw(sum0);
use MIME::Base64 qw(decode_base64);

our @EXPORT_OK = qw(build_data page_data);

# { version, total, unit, pages, files => [{}...], subs => [{}...], rows, seen, tree => [[up, sub, calls, self, cut,
# line, file, flags]...], metrics => [{name, title, unit, adds, made}...] }; a metric of the tree has unit_of_tree,
# too, self and cut by node, cut_self by sub, and sliced; a file has value => { metric => number }, a sub own and
# whole. slices are [{ lane, end, passed => [us...] }...]. With times of single calls a sub has p50, p99 and longest;
# sliced has by slice of the strip [node, whether it is cut, ns]..., and linewise { file, line, source, unit, times =>
# { slice => ns } }..., where line 0 is all other lines of the file, or nothing.
sub page_data {
    my ($js) = @_;
    my $block = block_of($js, qr/\A/, qr/\z/);
    my $data = { map { ($_ => u(\$block)) } qw(version total unit) };
    $data->{pages} = list(\$block);
    my $files = u(\$block);
    $data->{files} = records(\$block, $files, name => \&list, (map { ($_ => \&us) }
        qw(count time subs evals parent)), flags => \&bytes);
    my ($subs, $rows) = (u(\$block), u(\$block));
    my $packages = list(\$block);
    $data->{rows} = $rows;
    $data->{subs} = records(\$block, $subs, rest => \&list, package => \&us, flags => \&bytes,
        kind => \&bytes, (map { ($_ => \&us) } qw(calls places files exclusive)), inclusive => \&is,
        map { ($_ => \&us) } qw(depth nested nested_calls page line));
    my $ids = list(\$block);
    for my $sub (@{ $data->{subs} }) {
        $sub->{inclusive} += $sub->{exclusive};
        $sub->{package} = $sub->{package} ? $packages->[ $sub->{package} - 1 ] : '';
        $sub->{name}    = $sub->{rest} =~ /\t/ ? $sub->{rest} =~ s/\t/$sub->{package}/r : "$sub->{package}$sub->{rest}";
        $sub->{link} = $data->{pages}[ $sub->{page} ] . '#' . ($sub->{line} || shift @$ids);
    }
    $data->{seen} = u(\$block);
    my $nodes = u(\$block);
    my @columns = map { us(\$block, $nodes) } 1 .. 7;
    $data->{tree} = [ map { my $i = $_; [ map { $_->[$i] } @columns ] } 0 .. $nodes - 1 ];
    my $flags = bytes(\$block, $nodes);
    push @{ $data->{tree}[$_] }, $flags->[$_] for 0 .. $nodes - 1;
    for my $name (qw(cut_calls cut_outermost cut_self)) {
        my $all = us(\$block, $subs);
        $data->{subs}[$_]{$name} = $all->[$_] for 0 .. $subs - 1;
    }
    my $metrics = u(\$block);
    $data->{ranks} = u(\$block);
    my $texts = list(\$block);
    for my $i (0 .. $metrics - 1) {
        my ($name, $title, $unit) = splice @$texts, 0, 3;
        push @{ $data->{metrics} }, { name => $name, title => $title, unit => $unit };
        @{ $data->{metrics}[-1] }{qw(adds made)} = (u(\$block), u(\$block));
        for my $of ([ files => 'value' ], [ subs => 'own' ], [ subs => 'whole' ]) {
            my ($rows, $key) = ($data->{ $of->[0] }, $of->[1]);
            my $all = us(\$block, scalar @$rows);
            $rows->[$_]{$key}{$name} = $all->[$_] for 0 .. $#$all;
        }
        u(\$block) or next;
        my $metric = $data->{metrics}[-1];
        $metric->{unit_of_tree} = u(\$block);
        @{$metric}{qw(self cut)} = map { us(\$block, $nodes) } 1, 2;
        $metric->{cut_self} = us(\$block, $subs);
    }
    lengths(\$block, $data->{subs}) if u(\$block);
    $data->{slices} = slices(\$block);
    for my $of ($data, grep { $_->{self} } @{ $data->{metrics} // [] }) { $of->{sliced} = sliced(\$block) }
    $data->{linewise} = linewise(\$block, $files) if u(\$block);
    $data->{estimated} = u(\$block);
    $data->{samples} = u(\$block);
    die length($block) . " bytes of data.js are left\n" if length $block;
    return $data;
}

sub lengths {
    my ($from, $subs) = @_;
    for my $name (qw(p50 p99 longest)) {
        my $all = us($from, scalar @$subs);
        $subs->[$_]{$name} = $all->[$_] for 0 .. $#$all;
    }
    for my $sub (@$subs) {
        my $n = u($from);
        my $first = $n && u($from);
        my $bars = us($from, $n);
        $sub->{spread} = { map { ($first + $_ => $bars->[$_]) } 0 .. $n - 1 };
    }
    return;
}

# A lane begins where the ends go back.
sub slices {
    my ($from) = @_;
    my ($n, $kinds, $end) = map { u($from) } 1 .. 3;
    my ($lane, @slices) = (0);
    for my $more (@{ is($from, $n) }) {
        $lane++ if @slices && $more <= 0;
        push @slices, { lane => $lane, end => $end += $more, passed => [] };
    }
    for (1 .. $kinds) {
        my $passed = us($from, $n);
        push @{ $slices[$_]{passed} }, $passed->[$_] for 0 .. $n - 1;
    }
    return \@slices;
}

# undef: not known.
sub sliced {
    my ($from) = @_;
    my $slices = u($from) || return;
    my ($unit, @all) = u($from);
    for (1 .. $slices) {
        my ($n, $key) = (u($from), 0);
        my @keys = map { $key += $_ } @{ us($from, $n) };
        my $units = us($from, $n);
        push @all, [ map { [ $keys[$_] >> 1, $keys[$_] & 1, $unit * $units->[$_] ] } 0 .. $n - 1 ];
    }
    return \@all;
}

sub linewise {
    my ($from, $files) = @_;
    my ($unit, $told) = (u($from), us($from, $files));
    my $lines   = us($from, sum0(@$told));
    my $entries = us($from, $files + @$lines);
    my $slices  = us($from, sum0(@$entries));
    my $units   = is($from, sum0(@$entries));
    my $sources = list($from);
    my @rows;
    for my $file (0 .. $files - 1) {
        my $line = 0;
        for my $left (reverse 0 .. $told->[$file]) {
            $line = $left ? $line + shift @$lines : 0;
            my ($slice, %times) = (-1);
            for (1 .. shift @$entries) { $times{ $slice += 1 + shift @$slices } = $unit * shift @$units }
            push @rows, { file => $file, line => $line, source => $left ? shift @$sources : '', unit => $unit,
                times => \%times };
        }
    }
    return \@rows;
}

# { version, total, schemata => [{ name, classes }...], processes => [{}...], jobs => { limit, at, running }, chain,
#   profiles => [{ process, capture, script, link }...] }
sub build_data {
    my ($page) = @_;
    my $block = block_of($page, qr/<script>/, qr{</script>});
    my ($data, $n, @processes) = ({ version => u(\$block) }, u(\$block));
    $data->{total} = u(\$block);
    my ($schemata, $names) = (u(\$block), list(\$block));
    for my $k (0 .. $schemata - 1) {
        my ($classes, $of) = (list(\$block), us(\$block, $n));
        push @{ $data->{schemata} }, { name => $names->[$k], classes => $classes };
        if ($k == 0) { $processes[$_]{class} = $classes->[ $of->[$_] ] for 0 .. $n - 1 }
    }
    for my $name (qw(host directory target command)) {
        my ($texts, $of) = (list(\$block), us(\$block, $n));
        $processes[$_]{$name} = $texts->[ $of->[$_] ] for 0 .. $n - 1;
    }
    my @columns = (began => \&is, took => \&us, parent => \&us, flags => \&bytes, map { ($_ => \&us) } qw(status serial
        level pid user system own_user own_system memory faults major_faults read written switches forced));
    my $numbers = records(\$block, $n, @columns);
    my @kept = qw(began took parent flags status pid user system own_user own_system memory);
    for my $i (0 .. $n - 1) { @{ $processes[$i] }{@kept} = @{ $numbers->[$i] }{@kept} }
    $processes[$_]{began} += $processes[ $_ - 1 ]{began} for 1 .. $n - 1;
    for my $i (0 .. $n - 1) { $processes[$i]{parent} = $processes[$i]{parent} ? $i - $processes[$i]{parent} : -1 }
    $data->{processes} = \@processes;
    my ($limit, $steps) = (u(\$block), u(\$block));
    $data->{jobs} = { limit => $limit, at => us(\$block, $steps), running => us(\$block, $steps) };
    $data->{jobs}{at}[$_] += $data->{jobs}{at}[ $_ - 1 ] for 1 .. $steps - 1;
    $data->{chain} = us(\$block, u(\$block));
    my $profiles = us(\$block, u(\$block));
    my $texts    = list(\$block);
    for my $process (@$profiles) {
        my ($capture, $script, $link) = splice @$texts, 0, 3;
        push @{ $data->{profiles} }, { process => $process, capture => $capture, script => $script, link => $link };
    }
    die length($block) . " bytes of the data are left\n" if length $block;
    return $data;
}

sub block_of {
    my ($text, $ahead, $behind) = @_;
    my ($load, $base64) = $text =~ /${ahead}NP\.(loadz?)\("([A-Za-z0-9+\/=]*)"\);\n$behind/
        or die "there is no call of NP.load\n";
    my $block = decode_base64($base64);
    return $load eq 'loadz' ? uncompress($block) // die "the data do not inflate\n" : $block;
}

sub records {
    my ($from, $n, @fields) = @_;
    my @records = map { {} } 1 .. $n;
    while (my ($name, $reader) = splice @fields, 0, 2) {
        my $column = $reader->($from, $n);
        @$column == $n or die "$name: not $n values\n";
        $records[$_]{$name} = $column->[$_] for 0 .. $n - 1;
    }
    return \@records;
}

sub u {
    my ($from) = @_;
    my ($value, $scale, $byte) = (0, 1);
    do {
        length $$from or die "data.js ends within a number\n";
        $byte = ord substr $$from, 0, 1, '';
        $value += ($byte & 127) * $scale;
        $scale *= 128;
    } while $byte > 127;
    return $value;
}

sub us { my ($from, $n) = @_; return [ map { u($from) } 1 .. $n ] }

sub is { my ($from, $n) = @_; return [ map { $_ % 2 ? -($_ + 1) / 2 : $_ / 2 } @{ us($from, $n) } ] }

sub bytes { my ($from, $n) = @_; return [ unpack 'C*', substr $$from, 0, $n, '' ] }

sub list {
    my ($from) = @_;
    my @lines = split /\n/, substr($$from, 0, u($from), ''), -1;
    @lines && pop @lines ne '' and die "a list of data.js does not end in a newline\n";
    return \@lines;
}

1;
