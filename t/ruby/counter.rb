# SPDX-License-Identifier: MIT
# Counts what happens in $0, by Ruby's own TracePoint, and writes it to the file that the variable COUNTS names.
# Loaded by -r, before the program. A method in Ruby's own files is as good as one in C.
state = :loaded
counts = Hash.new(0)
trace = TracePoint.new(:line, :call, :b_call, :c_call, :class) do |t|
  state = :begun if state == :loaded && t.path == $0 && t.lineno > 0
  next if state != :begun
  if t.event == :c_call || t.event == :call && t.path.start_with?("<internal:")
    counts["c #{t.callee_id}"] += 1
  elsif t.path == $0
    counts["#{t.event} #{t.lineno}"] += 1
  end
end
at_exit do
  state = :over
  trace.disable
  File.write(ENV["COUNTS"], counts.map { |what, n| "#{what} #{n}\n" }.join)
end
trace.enable
