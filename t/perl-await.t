# SPDX-License-Identifier: MIT
# Event loops, and subs that wait in the middle: calls and times are those of what runs, not of what waits. What is not
# to be in a time is a second or more, and what is in it far below that, so that a busy machine makes no difference.
use strict;
use warnings;

use FindBin;
use Test::More;

use lib "$FindBin::Bin/lib";
use Run qw(facts run same);

my $BUSY = <<'END';
use Time::HiRes; sub busy { Time::HiRes::sleep($_[0]) }
END

subtest 'Future::AsyncAwait' => sub {
    needs('Future::AsyncAwait', 'libfuture-asyncawait-perl') or return;
    my $facts = facts(same('the program', $BUSY . <<'END'));
use Future; use Future::AsyncAwait;
my %of;
async sub waiter { my ($n) = @_;
    my $got = await ($of{$n} = Future->new);
    busy(0.03);
    return $got;
}
async sub outer { my $got = await waiter($_[0]); return $got + 1 }
sub start { return outer($_[0]) }
sub other { busy(1) }
sub wake  { my ($n) = @_; $of{$n}->done($n) }
my @all = map { start($_) } 1 .. 3;
other();
wake($_) for 3, 1, 2;
print join(',', map { $_->get } @all), "\n";
async sub never { await Future->new; 1 }
{ my $n = never() }
async sub dies { await ($of{d} = Future->new); die "oops\n" }
my $d = dies(); wake('d'); print $d->failure;
async sub loops { my $sum = 0; for my $i (1 .. 3) { $sum += await ($of{$i} = Future->new) } return $sum }
my $l = loops(); wake($_) for 1 .. 3; print $l->get, "\n";
async sub at_once { return 1 + await Future->done(1) }
print at_once()->get, "\n";
END
    my $sub = $facts->{sub};
    my %calls = (waiter => 3 + 3, outer => 3 + 3, never => 1, dies => 1 + 1, loops => 1 + 3, at_once => 1, busy => 4);
    is $sub->{"main::$_"}{calls}, $calls{$_}, "$_ is called, and again when it goes on" for sort keys %calls;
    is $facts->{edge}{'prog.pl:10 main::start > main::outer'}, 3, 'by its caller, at first';
    is $facts->{line}{'prog.pl:6'}, 3, 'statements behind an await run once';
    between($sub->{'main::waiter'}{inclusive}, 0.09, 1,    'waiter has what it does, not what runs while it waits');
    between($sub->{'main::start'}{inclusive},  0,    1,    'and so has its first caller');
    between($sub->{'main::wake'}{inclusive},   0.09, 1,    'what wakes it has the rest of it');
    between($sub->{'main::other'}{inclusive},  1,    9**9, 'another sub has its own time');
};

subtest 'IO::Async' => sub {
    needs($_->[0], $_->[1]) or return
        for [ 'IO::Async::Loop' => 'libio-async-perl' ], [ 'Future::AsyncAwait' => 'libfuture-asyncawait-perl' ];
    my $facts = facts(run($BUSY . <<'END'));
use Future::AsyncAwait; use IO::Async::Loop;
my $loop = IO::Async::Loop->new;
sub delay { return $loop->delay_future(after => $_[0]) }
async sub waiter { await delay(1); busy(0.05) }
async sub outer  { for my $i (1 .. 2) { await waiter() } }
outer()->get;
END
    my $sub = $facts->{sub};
    is $sub->{'main::waiter'}{calls}, 2 + 2, 'calls';
    is $sub->{'main::busy'}{calls},   2,     'of what follows';
    between($sub->{'main::waiter'}{inclusive}, 0.1, 1, 'the time in the sub that waits');
    my ($select) = grep {/CORE:sselect$|IO::Poll::_poll$|::poll$|_wait$/} sort keys %$sub;
    between($sub->{ $select // '' }{exclusive} // 0, 1, 9**9, 'the loop has the time while all wait');
};

for my $model (qw(Perl EV)) {
    subtest "AnyEvent, $model" => sub {
        needs('AnyEvent', 'libanyevent-perl') && ($model eq 'Perl' || needs('EV', 'libev-perl')) or return;
        my $facts = facts(run($BUSY . <<'END', env => { PERL_ANYEVENT_MODEL => $model }));
use AnyEvent;
my $done = AnyEvent->condvar;
my $n = 0;
sub tick { busy(0.02); $done->send if ++$n == 5 }
my $timer = AnyEvent->timer(after => 0.4, interval => 0.4, cb => \&tick);
sub waits { $done->recv }
waits();
END
        my $sub = $facts->{sub};
        is $sub->{'main::tick'}{calls}, 5, 'calls of a callback';
        between($sub->{'main::tick'}{inclusive},  0.1, 1, 'its time');
        between($sub->{'main::waits'}{exclusive}, 0,   1, 'the sub that waits does nothing itself');
        my $loop = $model eq 'EV' ? 'EV::run' : 'AnyEvent::Loop::CORE:sselect';
        between($sub->{$loop}{exclusive}, 0.4, 9**9, 'the loop waits');
    };
}

done_testing;

sub needs {
    my ($module, $package) = @_;
    return 1 if eval "require $module";    ## no critic (ProhibitStringyEval)
    plan skip_all => "$module is not installed ($package): it is NOT checked";
    return 0;
}

sub between {
    my ($is, $low, $high, $what) = @_;
    ok $is >= $low - 0.002 && $is < $high, sprintf '%s: %.3f s', $what, $is;
    return;
}
