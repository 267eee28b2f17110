# SPDX-License-Identifier: MIT
package Npm;

# Packages of npm, kept in the user's cache, ${XDG_CACHE_HOME:-$HOME/.cache}/NAME.

use strict;
use warnings;

use Exporter 'import';
use Fcntl qw(LOCK_EX);
use File::Copy qw(copy);
use File::Path qw(make_path);
use Test::More;

use Pages qw(run);
use Tree qw(slurp);

our @EXPORT_OK = qw(alone cache packages program);

# The first of these programs that is installed.
sub program {
    my ($found) = grep { -x && !-d } map { my $name = $_; map {"$_/$name"} split /:/, $ENV{PATH} } @_;
    return $found;
}

# A directory of the user's cache, made if it is missing.
sub cache {
    my ($name) = @_;
    my $dir = ($ENV{XDG_CACHE_HOME} || "$ENV{HOME}/.cache") . "/$name";
    make_path($dir);
    return $dir;
}

# What the code returns, run by one test at a time, as it fills this directory.
sub alone {
    my ($dir, $code) = @_;
    open my $lock, '>', "$dir/lock" or die "$dir/lock: $!\n";
    flock $lock, LOCK_EX or die "$dir/lock: $!\n";
    return $code->();
}

# packages(NAME, JSON, OPTIONS...) installs the packages that the file JSON names into the cache of that name, once a
# week at most, with those options of npm. Returns the cache, or nothing if npm cannot get them.
sub packages {
    my ($name, $json, @options) = @_;
    my $cache = cache($name);
    return alone($cache, sub { install($cache, $json, @options) });
}

sub install {
    my ($cache, $json, @options) = @_;
    my $have   = "$cache/node_modules/.package-lock.json";
    my $wanted = slurp($json);
    return $cache if -e $have && -M _ < 7 && -e "$cache/package.json" && slurp("$cache/package.json") eq $wanted;
    copy($json, "$cache/package.json") or die "$cache/package.json: $!\n";
    my @npm = (program('npm') // return, 'install', '--prefix', $cache, '--no-audit', '--no-fund', @options);
    my ($status, $out, $err) = run('timeout', '180', @npm);
    diag $out, $err if $status;
    return $status ? () : $cache;
}

1;
