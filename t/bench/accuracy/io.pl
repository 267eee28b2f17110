# Phases of a program with files, pipes, waiting, exceptions, signals and processes. Phases.pm runs it.
use strict;
use warnings;

use Fcntl qw(SEEK_SET);
use File::Temp ();
use FindBin;
use POSIX ();
use Socket qw(AF_UNIX PF_UNSPEC SOCK_STREAM);
use Time::HiRes ();

use lib $FindBin::Bin;
use Phases;

my $DIR = File::Temp::tempdir(CLEANUP => 1);
my $PID = $$;

# --- sleeping (waits)

sub ph_sleeping {
    my $count = 0;
    for my $i (1 .. 5) {
        select undef, undef, undef, 0.004;
        Time::HiRes::usleep(1500);
        $count += $_ for 1 .. 300;
    }
    return $count;
}

# --- writing

sub ph_writing {
    my $bytes = 0;
    for my $file (1 .. 4) {
        open my $out, '>', "$DIR/lines$file" or die "$DIR: $!\n";
        for my $i (1 .. 12_000) {
            print {$out} "line $i of file $file: ", $i * $file, "\n";
            printf {$out} "%d\n", $i if $i % 10 == 0;
        }
        close $out or die "$DIR: $!\n";
        $bytes += -s "$DIR/lines$file";
    }
    return $bytes;
}

# --- reading

sub ph_reading {
    my ($lines, $sum) = (0, 0);
    for my $file (1 .. 4) {
        open my $in, '<', "$DIR/lines$file" or die "$DIR: $!\n";
        while (my $line = <$in>) {
            chomp $line;
            $lines++;
            $sum += $1 if $line =~ /: (\d+)$/;
        }
        close $in;
    }
    return "$lines $sum";
}

# --- sysread

sub ph_sysread {
    my ($bytes, $blocks) = (0, 0);
    open my $in, '<', '/dev/zero' or die "/dev/zero: $!\n";
    while ($blocks < 50_000) {
        $bytes += sysread $in, my $block, 256;
        $blocks++;
    }
    return $bytes;
}

# --- records

sub ph_records {
    open my $file, '+>', "$DIR/records" or die "$DIR: $!\n";
    binmode $file;
    print {$file} pack 'N4', 0, 0, 0, 0 for 1 .. 200;
    my $sum = 0;
    for my $i (1 .. 2500) {
        seek $file, 16 * ($i * 37 % 200), SEEK_SET or die "$DIR: $!\n";
        read $file, my $record, 16;
        my @fields = unpack 'N4', $record;
        $fields[ $i & 3 ] += $i;
        seek $file, -16, 1;
        print {$file} pack 'N4', @fields;
        $sum += $fields[ $i & 3 ];
    }
    return $sum;
}

# --- files_asked

sub ph_files_asked {
    my ($found, $size) = (0, 0);
    for my $round (1 .. 400) {
        opendir my $dir, $DIR or die "$DIR: $!\n";
        for my $name (grep { !/^\./ } readdir $dir) {
            my @stat = stat "$DIR/$name";
            $size += $stat[7];
            $found++ if -f "$DIR/$name" && -r _;
            $found++ if -e "$DIR/$name.old";
        }
        closedir $dir;
        $found += -d $DIR;
    }
    return "$found $size";
}

# --- pipe

sub ph_pipe {
    pipe my $in, my $out or die "pipe: $!\n";
    my $bytes = 0;
    for my $i (1 .. 15_000) {
        syswrite $out, "message $i";
        $bytes += sysread $in, my $message, 100;
    }
    return $bytes;
}

# --- sockets

sub echo {
    my ($socket) = @_;
    my $request = <$socket>;
    print {$socket} uc $request;
    return length $request;
}

sub ph_sockets {
    socketpair my $client, my $server, AF_UNIX, SOCK_STREAM, PF_UNSPEC or die "socketpair: $!\n";
    $_->autoflush(1) for $client, $server;
    my $bytes = 0;
    for my $i (1 .. 3000) {
        print {$client} "request $i\n";
        my $readable = '';
        vec($readable, fileno $server, 1) = 1;
        select $readable, undef, undef, 0;
        $bytes += echo($server);
        $bytes += length readline $client;
    }
    return $bytes;
}

# --- in_memory

sub ph_in_memory {
    my $length = 0;
    for my $round (1 .. 500) {
        open my $out, '>', \my $text or die "memory: $!\n";
        print {$out} "$_\t", $_ * $round, "\n" for 1 .. 60;
        close $out;
        open my $in, '<', \$text or die "memory: $!\n";
        my @fields = map { (split /\t/)[1] } <$in>;
        $length += $fields[-1];
    }
    return $length;
}

# --- exceptions

sub may_fail {
    my ($i) = @_;
    die "odd $i\n" if $i % 2;
    die { code => $i } if $i % 3 == 0;
    return $i;
}

sub wrapped {
    my ($i) = @_;
    my $value = eval { may_fail($i) };
    return $value if defined $value;
    return ref $@ ? $@->{code} : length $@;
}

sub ph_exceptions {
    my $sum = 0;
    $sum += wrapped($_) for 1 .. 40_000;
    return $sum;
}

# --- try_and_catch

sub try_it {
    my ($try, $catch, $finally) = @_;
    my @result = eval { $try->() };
    if (my $error = $@) { @result = $catch->($error) }
    $finally->();
    return @result;
}

sub ph_try_and_catch {
    my ($sum, $cleaned) = (0, 0);
    for my $i (1 .. 14_000) {
        my ($got) = try_it(
            sub { die bless [$i], 'Failure' if $i % 5 == 0; return $i & 15 },
            sub { my ($error) = @_; return $error->[0] % 7 },
            sub { $cleaned++ },
        );
        $sum += $got;
    }
    return $sum + $cleaned;
}

# --- locals

our ($level, %setting) = (0, verbose => 0);

sub deeper {
    my ($left) = @_;
    local $level = $level + 1;
    local $setting{verbose} = $left;
    local $_ = $left;
    return $left ? deeper($left - 1) : $level + $setting{verbose};
}

sub ph_locals {
    my $sum = 0;
    $sum += deeper($_ % 8) for 1 .. 14_000;
    return $sum;
}

# --- warnings

sub ph_warnings {
    my ($warned, $died) = (0, 0);
    local $SIG{__WARN__} = sub { $warned += length $_[0] };
    local $SIG{__DIE__}  = sub { $died++ };
    for my $i (1 .. 8000) {
        warn "number $i\n";
        my $undefined;
        my $text = $i % 10 ? '' : "a$undefined";
        eval { die "no\n" } if $i % 4 == 0;
    }
    return "$warned $died";
}

# --- signals

sub ph_signals {
    my $caught = 0;
    local $SIG{USR1} = sub { $caught++ };
    for my $i (1 .. 4000) {
        kill USR1 => $PID;
    }
    return $caught;
}

# --- forks (waits)

sub summed {
    my ($last) = @_;
    my $sum = 0;
    $sum += $_ % 7 for 1 .. $last;
    return $sum;
}

sub ph_forks {
    my $sum = 0;
    for my $i (1 .. 12) {
        my $child = fork // die "fork: $!\n";
        POSIX::_exit(summed(20_000) & 63) if !$child;
        waitpid $child, 0;
        $sum += $? >> 8;
    }
    return $sum;
}

# --- children (waits)

sub ph_children {
    my $length = 0;
    for my $i (1 .. 4) {
        my $child = open(my $in, '-|') // die "fork: $!\n";
        if (!$child) {
            print "answer $i: ", summed(40_000 * $i), "\n";
            close STDOUT;
            POSIX::_exit(0);
        }
        $length += length while <$in>;
        close $in;
    }
    return $length;
}

Phases::run(__FILE__);
