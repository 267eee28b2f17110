# SPDX-License-Identifier: MIT
# What `make install` puts where for Ruby, and that `nytprof run` finds it there.
use strict;
use warnings;

use File::Temp qw(tempdir);
use FindBin;
use Test::More;

use lib "$FindBin::Bin/lib";
use Profiled qw($TOP);
use Ruby qw(why_not);
use Run qw(facts run);

plan skip_all => why_not() if why_not();

my $root = tempdir(CLEANUP => 1);
my ($site) = qx{ruby -rrbconfig -e 'puts RbConfig::CONFIG["sitelibdir"]'} =~ /(.*)/;
my ($prefix) = $site =~ m{^(.*?)/lib/};
installed('as it comes', "SITEPREFIX=$prefix");
ok -e "$root$site/nytprof.so", 'where Ruby looks by itself, if that is below the prefix';

my $log = installed('elsewhere', 'PREFIX=/opt/x');
like $log, qr{^Ruby finds it with RUBYLIB='/opt/x/lib/ruby'$}m, 'make install PREFIX= is told how Ruby finds it';
my $run = run("x = 1\n", name => 'prog.rb', command => [ "$root/opt/x/bin/nytprof", 'run', 'prog.rb' ]);
is "$run->{out}$run->{err}$run->{exit}", '0', 'nytprof run knows without';
is facts($run)->{line}{'prog.rb:1'}, 1, 'and profiles the program';

installed('where the user says', 'RUBY_ARCHDIR=/there');
ok -e "$root/there/nytprof.so", 'RUBY_ARCHDIR';

my $none = qx{cd "$TOP" && env -u MAKEFLAGS make -n pure_install SITEPREFIX= INSTALL_BASE=/opt/base 2>&1};
like $none, qr{"/opt/base/lib/ruby"}, 'INSTALL_BASE';

done_testing;

sub installed {
    my ($how, @variables) = @_;
    my $said = qx{cd "$TOP" && env -u MAKEFLAGS make -s pure_install "DESTDIR=$root" @variables 2>&1};
    is $?, 0, "make install, $how" or diag $said;
    return $said;
}
