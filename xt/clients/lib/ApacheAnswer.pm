# SPDX-License-Identifier: MIT
package ApacheAnswer;

# A handler of mod_perl 2.

use strict;
use warnings;

use Apache2::Const -compile => qw(OK NOT_FOUND);
use Apache2::RequestIO  ();
use Apache2::RequestRec ();
use Apache2::Response   ();
use Work;

sub handler {
    my ($request) = @_;
    my $answer = Work::answer($request->uri);
    return Apache2::Const::NOT_FOUND() if !defined $answer;
    $request->content_type('text/plain');
    $request->set_content_length(length $answer);
    $request->print($answer);
    return Apache2::Const::OK();
}

1;
