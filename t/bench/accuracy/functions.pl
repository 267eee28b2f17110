# Phases of a program with subs, closures, callbacks, loops and string evals. Phases.pm runs it.
use strict;
use warnings;

use FindBin;
use List::Util ();

use lib $FindBin::Bin;
use Phases;

# --- fibonacci

sub fib {
    my ($n) = @_;
    return $n < 2 ? $n : fib($n - 1) + fib($n - 2);
}

sub ph_fibonacci { return fib(23) + fib(21) }

# --- hanoi

sub hanoi {
    my ($discs, $from, $to, $over, $moves) = @_;
    return if $discs == 0;
    hanoi($discs - 1, $from, $over, $to, $moves);
    $moves->{"$from$to"}++;
    hanoi($discs - 1, $over, $to, $from, $moves);
    return;
}

sub ph_hanoi {
    my %moves;
    hanoi(12, 'a', 'c', 'b', \%moves) for 1 .. 7;
    return join ',', map {"$_$moves{$_}"} sort keys %moves;
}

# --- takeuchi

sub tak {
    my ($x, $y, $z) = @_;
    return $z if $y >= $x;
    return tak(tak($x - 1, $y, $z), tak($y - 1, $z, $x), tak($z - 1, $x, $y));
}

sub ph_takeuchi { return tak(13, 7, 2) + tak(14, 7, 0) }

# --- parser

sub parsed_sum {
    my ($tokens) = @_;
    my $value = parsed_product($tokens);
    while (@$tokens && $tokens->[0] =~ /^[-+]$/) {
        my $sign = shift @$tokens;
        my $next = parsed_product($tokens);
        $value = $sign eq '+' ? $value + $next : $value - $next;
    }
    return $value;
}

sub parsed_product {
    my ($tokens) = @_;
    my $value = parsed_atom($tokens);
    while (@$tokens && $tokens->[0] eq '*') {
        shift @$tokens;
        $value = $value * parsed_atom($tokens) % 9973;
    }
    return $value;
}

sub parsed_atom {
    my ($tokens) = @_;
    my $token = shift @$tokens;
    return $token if $token ne '(';
    my $value = parsed_sum($tokens);
    shift @$tokens;
    return $value;
}

sub ph_parser {
    my $sum = 0;
    for my $i (1 .. 1200) {
        my $text = "3*(4+$i*(2-7)*(1+(8*$i-(6+5))))+9*(2*(3+4)-$i)";
        $sum += parsed_sum([ $text =~ /\d+|\S/g ]);
    }
    return $sum;
}

# --- counters

sub counter {
    my ($step) = @_;
    my $at = 0;
    return { next => sub { return $at += $step }, back => sub { return $at -= $step } };
}

sub ph_counters {
    my @counters = map { counter($_) } 1 .. 5;
    my $sum      = 0;
    for my $i (1 .. 90_000) {
        $sum += $counters[ $i % 5 ]{next}->();
        $sum -= $counters[ $i % 5 ]{back}->() if $i % 3 == 0;
    }
    return $sum;
}

# --- composition

sub compose {
    my @steps = @_;
    return sub {
        my ($value) = @_;
        $value = $_->($value) for @steps;
        return $value;
    };
}

sub curry {
    my ($function, @first) = @_;
    return sub { return $function->(@first, @_) };
}

sub ph_composition {
    my $add      = curry(sub { return $_[0] + $_[1] }, 3);
    my $function = compose($add, sub { return $_[0] * 2 }, sub { return $_[0] % 101 });
    my $value    = 1;
    $value = $function->($value + $_) for 1 .. 25_000;
    return $value;
}

# --- generators

sub up_to {
    my ($last) = @_;
    my $at = 0;
    return sub { return $at < $last ? ++$at : undef };
}

sub only {
    my ($from, $test) = @_;
    return sub {
        while (defined(my $value = $from->())) {
            return $value if $test->($value);
        }
        return;
    };
}

sub ph_generators {
    my $next  = only(only(up_to(45_000), sub { return $_[0] % 2 }), sub { return $_[0] % 3 });
    my $count = 0;
    $count++ while defined $next->();
    return $count;
}

# --- sort_blocks

sub ph_sort_blocks {
    my @values = map { { id => $_, key => $_ * 7919 % 10_007 } } 1 .. 6000;
    my @by_key = sort { $a->{key} <=> $b->{key} } @values;
    my @by_both = sort {
        my $order = $a->{key} % 10 <=> $b->{key} % 10;
        $order || $b->{id} <=> $a->{id}
    } @values;
    return "$by_key[7]{id} $by_both[9]{id}";
}

# --- sort_subs

sub by_last_digit { return $a % 10 <=> $b % 10 || $a <=> $b }

sub ph_sort_subs {
    my @values = map { $_ * 7919 % 5003 } 1 .. 5000;
    my @once   = sort by_last_digit @values;
    my $twice  = sub { return by_last_digit() };
    my @again  = sort $twice @values[ 0 .. 2000 ];
    return "$once[800] $again[400]";
}

# --- list_callbacks

sub small { my ($value) = @_; return $value < 9 }

sub ph_list_callbacks {
    my @values = map { $_ * 37 % 1001 } 1 .. 400;
    my $sum    = 0;
    for my $round (1 .. 500) {
        $sum += List::Util::first { $_ % 50 == $round % 50 } @values, $round % 50;
        $sum += List::Util::reduce { my $both = $a + $b; $both % 4999 } @values;
        $sum++ if List::Util::any { small($_ - $round) } @values;
    }
    return $sum;
}

# --- map_and_grep

sub even { return !($_[0] & 1) }

sub ph_map_and_grep {
    my $sum = 0;
    for my $round (1 .. 180) {
        my @some  = grep { even($_ + $round) } 1 .. 300;
        my %of    = map { my $value = $_ * 3; ($_ => $value) } @some;
        my @large = sort { $a <=> $b } grep { $_ > 300 } values %of;
        $sum += $large[0] + @large;
    }
    return $sum;
}

# --- replacements

sub spelled { my ($digit) = @_; return qw(zero one two three four five six seven eight nine)[$digit] }

sub ph_replacements {
    my $length = 0;
    for my $round (1 .. 350) {
        my $text = join ' ', map { $_ * $round } 1 .. 60;
        $text =~ s/(\d)/spelled($1) . ' '/ge;
        $text =~ s/(\w+) (\w+)/$2$1/g;
        $text =~ s/([aeiou])/uc $1/e for 1 .. 20;
        $length += length $text;
    }
    return $length;
}

# --- code_in_regexes

sub ph_code_in_regexes {
    my ($steps, $found) = (0, 0);
    for my $i (1 .. 9000) {
        my $text = 'a' x ($i % 13) . 'b' x ($i % 7) . $i;
        $found++ if $text =~ /^a*(?{ $steps++ })b+(?{ $steps += 2; })\d*[05]$/;
    }
    return "$steps $found";
}

# --- loops

sub ph_loops {
    my $sum = 0;
    for my $round (1 .. 140) {
        my $i = 0;
        while ($i < 1000) {
            $i++;
            next if $i % 3;
            $sum += $i;
        }
        until ($i <= 500) { $i -= 2 }
        for (my $j = 0; $j < 1000; $j++) {
            $sum ^= $j;
        }
        do { $sum++; $i-- } while $i > 100;
        ROW: for my $row (1 .. 40) {
            for my $column (reverse 1 .. 40) {
                next ROW if $column < $row;
                last ROW if $row * $column > 900;
                $sum += $column;
            }
        }
        $sum += $_ for 1 .. 1500;
    }
    return $sum;
}

# --- conditions

sub ph_conditions {
    my %seen;
    for my $number (1 .. 180_000) {
        if    ($number % 15 == 0)                  { $seen{fizzbuzz}++ }
        elsif ($number % 5 == 0)                   { $seen{buzz}++ }
        elsif ($number % 3 == 0)                   { $seen{fizz}++ }
        elsif ($number & 1 && $number % 7 != 0)    { $seen{odd}++ }
        else                                       { $seen{other}++ unless $number % 2 }
    }
    return join ',', map {"$_$seen{$_}"} sort keys %seen;
}

# --- sieve

sub ph_sieve {
    my $last  = 120_000;
    my @prime = (0, 0, (1) x ($last - 1));
    for my $i (2 .. int sqrt $last) {
        next if !$prime[$i];
        for (my $j = $i * $i; $j <= $last; $j += $i) { $prime[$j] = 0 }
    }
    return scalar grep {$_} @prime;
}

# --- string_evals

sub ph_string_evals {
    my $sum = 0;
    for my $i (1 .. 950) {
        my $same = eval 'my $x = 3; $x *= 2; $x + 1' or die;
        my $sub  = eval "sub { my (\$n) = \@_; return \$n + $i }" or die;
        $sum += $same + $sub->($i);
    }
    return $sum;
}

Phases::run(__FILE__);
