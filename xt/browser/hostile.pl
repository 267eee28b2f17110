# SPDX-License-Identifier: MIT
# A program with names that attack reports: subs, files and source that would be markup, script, a format
# of their own, or invalid UTF-8. Every sub runs long enough to be in all tables.
use strict;
use warnings;

use Sub::Util qw(set_subname);

sub burn { my $x = 0; $x += $_ * $_ for 1 .. 3000; return $x }

DB::mark('</text></svg><img src=x onerror=alert(1)>') if defined &DB::mark;
my $span = defined &DB::span && DB::span('"><script>alert(2)</script>');

my @names = (
    '</script><script>alert("sub")</script>', '"><img src=x onerror=alert(2)>', q{it's\', alert(3), '}, "nl\nname",
    "caf\xE9", "\xE6\xBC\xA2\xE5\xAD\x97", 'a&b', "tab\tx", 'semi;colon;stack 12', "\e[31mred", "\xE2\x80\xAEright",
);
for my $name (@names) {
    no strict 'refs';    ## no critic (ProhibitNoStrict)
    *{"main::$name"} = set_subname("main::$name", sub { burn() + burn() });
    &{"main::$name"}() for 1 .. 3;
    my $glob = "Evil::$name";
    *{$glob} = eval 'sub { main::burn() }' or die $@;    ## no critic (ProhibitStringyEval)
    &{$glob}();
}

# </script><script>alert('source')</script> ]]> <!--
for my $file ('</script><script>alert("file")</script>', 'javascript:alert(9)') {
    eval qq{#line 3 "$file"\nsub { main::burn() }->(); main::burn(); 1} or die $@;    ## no critic (ProhibitStringyEval)
}
