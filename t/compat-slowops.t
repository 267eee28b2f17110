# SPDX-License-Identifier: MIT
# Slow built-ins: which, at which level, and called by whom, beside the peer.
use strict;
use warnings;

use FindBin;
use Test::More;

use lib "$FindBin::Bin/lib";
use Both qw(both_leave left_by);
use Profiled qw(has_peer);
use Run qw(facts run);
use Tree qw(slurp);

my $TOP  = "$FindBin::Bin/..";
my $PEER = has_peer();

my @SLOW = qw(accept backtick bind binmode chdir chmod chown chroot close closedir connect crypt dbmclose dbmopen dump
    egrent ehostent enetent enterwrite eof eprotoent epwent eservent fcntl flock formline ftatime ftbinary ftblk ftchr
    ftctime ftdir fteexec fteowned fteread ftewrite ftfile ftis ftlink ftmtime ftpipe ftrexec ftrowned ftrread ftrwrite
    ftsgid ftsize ftsock ftsuid ftsvtx fttext fttty ftzero getc getlogin getpeername getsockname ggrent ggrgid ggrnam
    ghbyaddr ghbyname ghostent glob gnbyaddr gnbyname gnetent gpbyname gpbynumber gprotoent gpwent gpwnam gpwuid
    gsbyname gsbyport gservent gsockopt ioctl leavewrite link listen lock lstat match mkdir msgctl msgget msgrcv msgsnd
    open open_dir pack print prtf qr rcatline read readdir readline readlink recv regcomp rename rewinddir rmdir say
    seek seekdir select semctl semget semop send sgrent shmctl shmget shmread shmwrite shostent shutdown sleep snetent
    socket sort sprotoent spwent sselect sservent ssockopt stat subst substcont symlink syscall sysopen sysread sysseek
    system syswrite tell telldir truncate umask unlink unpack utime wait waitpid);
is scalar @SLOW, 148, 'as many as there are';
my @lists  = slurp("$TOP/xs/perl/opnames.c") =~ /^const char \*const nytp_opnames_\w+\[\] = (\{.*?\};)/msg;
my @hooked = map {/"([a-z_]+)"/g} @lists;
is_deeply [ sort @hooked ], \@SLOW, 'these built-ins, and no others, are hooked';

# The program runs most of them, and many built-ins that are not slow.
my $PROGRAM = slurp("$TOP/t/perl/slowops.pl");
my %left    = map { ($_ => left_by('ours', $PROGRAM, slowops => $_)) } 0 .. 3;
my %seen    = map { ($_ => 1) } $left{2} =~ / \w+::CORE:(\w+) \d+$/mg;
cmp_ok scalar keys %seen, '>=', 100, 'most of them run';
my %slow = map { ($_ => 1) } @SLOW;
is_deeply [ grep { !$slow{$_} } keys %seen ], [], 'and nothing else is shown';
if ($PEER) {
    is $left{$_}, left_by('peer', $PROGRAM, slowops => $_), "slowops=$_: as the peer has it" for 0 .. 3;
}
is_deeply [ $left{0} =~ /(CORE:\w+)/ ], [], 'slowops=0: none';
like $left{1}, qr/ > CORE::print \d+$/m, 'slowops=1: subs of CORE';
is $left{3}, $left{2}, 'slowops=3 is as 2';

both_leave('substcont counts each round, the sub around it calls what is in the replacement', <<'LEFT', <<'PROGRAM');
nytprof.out
1:2 2:4 3:1
  2 main::change > main::CORE:subst 1
  2 main::change > main::CORE:substcont 3
  2 main::change > main::up 2
  3 main::RUNTIME > main::change 1
said:
LEFT
sub up { uc $_[0] }
sub change { my $s = "ab"; $s =~ s/(.)/up($1)/ge; }
change();
PROGRAM

# --- accept -----------------------------------------------------------------------------------------------------------

my $serves = facts(run(<<'END'));
use Socket;
socket my $server, PF_INET, SOCK_STREAM, 0 or die "socket: $!\n";
bind $server, sockaddr_in(0, INADDR_LOOPBACK) or die "bind: $!\n";
listen $server, 1 or die "listen: $!\n";
my $address = getsockname $server;
if (!fork) { select undef, undef, undef, 0.4; socket my $c, PF_INET, SOCK_STREAM, 0; connect $c, $address; exit }
sub serve {
    accept my $client, $server;
    return 1;
}
serve();
wait;
END
my $accept = $serves->{sub}{'main::CORE:accept'};
is $accept->{calls}, 1, 'accept is a call';
cmp_ok abs $accept->{$_}, '<', 0.001, "its $_ time is none" for qw(inclusive exclusive);
my ($statement) = grep { $_->{kind} eq 'place' && $_->{line} == 8 && $_->{file} == 1 } @{ $serves->{records} };
my ($waited, $taken) = (0, 0);
for my $record (@{ $serves->{records} }) {
    $waited += $record->{waited} if $record->{kind} eq 'window';
    $taken  += $record->{ticks}  if $record->{kind} eq 'place_delta' && $record->{id} == $statement->{id};
}
cmp_ok $waited, '>', 0, 'what it waited is in no call';
cmp_ok $taken, '>', 0.99 * $waited, 'but its statement has it';

done_testing;
