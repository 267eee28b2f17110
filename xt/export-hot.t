# SPDX-License-Identifier: MIT
# vim jumps to the messages of `nytprof hot` (t/report-hot.t has Emacs's expression for messages). Wants vim.
use strict;
use warnings;

use FindBin;
use Test::More;

use lib "$FindBin::Bin/lib", "$FindBin::Bin/../t/lib";
use Exports qw(capture captures export scratch wants works);
use Tree qw(slurp spew);

my $quickfix = scratch() . '/quickfix';
my $script   = scratch() . '/list.vim';

# vim writes what it has made of the messages: FILE|LINE|TEXT. Names are of buffers, relative to the current directory.
spew($script, <<"END");
cgetfile \$MESSAGES
let lines = []
for item in getqflist()
  call add(lines, fnamemodify(bufname(item.bufnr), ':p') . '|' . item.lnum . '|' . item.text)
endfor
call writefile(lines, '$quickfix')
qa!
END

my $rows = 0;
for my $name (grep { $_ ne 'hostile' } captures()) {
    for my $by (qw(line block sub)) {
        my $messages = export('hot', "--by=$by", '--top=200', capture($name));
        local $ENV{MESSAGES} = $messages;
        works('vim', '-N', '-u', 'NONE', '-i', 'NONE', '-es', '-S', $script);
        my @expected = map { /^(.*?):(\d+): (.*)/ ? absolute($1) . "|$2| $3" : $_ } split /\n/, slurp($messages);
        $rows += @expected;
        is_deeply [ split /\n/, slurp($quickfix) ], \@expected, "$name: vim jumps to each " . $by;
    }
}
cmp_ok $rows, '>', 1000, 'and there were some';

done_testing;

sub absolute { my ($name) = @_; return $name =~ m{^/} ? $name : "$ENV{PWD}/$name" }
