# SPDX-License-Identifier: MIT
package Devel::NYTProf::FileHandle;

use strict;
use warnings;

use Devel::NYTProf::Constants;

our $VERSION = $Devel::NYTProf::Core::VERSION;

Devel::NYTProf::Core::_boot_filehandle(__PACKAGE__, $VERSION);

sub CLONE_SKIP { return 1 }    # a thread does not write its parent's file

1;

__END__

=head1 NAME

Devel::NYTProf::FileHandle - write a profile in Devel::NYTProf's format 5

=head1 SYNOPSIS

    use Devel::NYTProf::FileHandle;

    my $out = Devel::NYTProf::FileHandle::open('new.out', 'w') or die "new.out: $!\n";
    $out->write_header(5, 0);
    $out->write_attribute(ticks_per_sec => 10_000_000);
    $out->start_deflate_write_tag_comment;
    $out->write_new_fid(1, 0, 0, 2, 0, 0, '/tmp/x.pl');
    $out->write_time_line(25, 0, 1, 7);
    $out->close == 0 or die "new.out: $!\n";

=head1 DESCRIPTION

For programs that make or change profiles: this module writes all records that L<Devel::NYTProf::ReadStream> reads. It
does not check that the records fit together, or that the header comes first.

The profiler itself writes another format, unless C<NYTPROF> contains C<format=5>; all tools read both.

=head1 METHODS

The function C<open($path, $mode)> returns an object, or an empty list with C<$!> set; the mode is C<w> or C<a>.
C<close> returns 0 or an error number; an object that is destroyed is closed. All other methods return the number of
bytes that they wrote, before compression, or 0 if they failed.

=over 4

=item write_header($major, $minor)

=item write_comment($text), write_attribute($key, $value), write_option($key, $value)

=item start_deflate_write_tag_comment($level = 6)

Everything that follows is compressed; a comment and a tag tell readers so.

=item start_deflate($level = 6)

The same without comment and tag.

=item write_process_start($pid, $parent_pid, $time), write_process_end($pid, $time)

=item write_new_fid($fid, $eval_fid, $eval_line, $flags, $size, $mtime, $name)

=item write_time_line($ticks, $overflow, $fid, $line)

=item write_time_block($ticks, $overflow, $fid, $line, $block_line, $sub_line)

The overflow should be 0: another number is ignored, with a warning.

=item write_discount

=item write_call_entry($caller_fid, $caller_line)

=item write_call_return($depth, $name, $inclusive_ticks, $exclusive_ticks)

=item write_sub_info($fid, $name, $first_line, $last_line)

=item write_sub_callers($fid, $line, $caller, $count, $inclusive, $exclusive, $recursive, $depth, $called)

=item write_src_line($fid, $line, $text)

=item write($bytes)

Writes the bytes unchanged.

=back

=head1 SEE ALSO

L<Devel::NYTProf::ReadStream>

=cut
