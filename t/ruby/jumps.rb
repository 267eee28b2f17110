# SPDX-License-Identifier: MIT
# Calls that are left otherwise than by their end: raise, throw, break, next, return from a block, fibers.
def deep(n)
  raise ArgumentError, "bottom" if n == 0
  deep(n - 1)
ensure
  $ensured = ($ensured || 0) + 1
end

def rescuer
  deep(5)
rescue ArgumentError => e
  e.message
else
  1
end

def thrower
  [1, 2, 3].each { |x| throw :out, x if x == 2 }
end

def returner
  [1, 2, 3].each { |x| return x if x == 2 }
end

def retrier
  tries = 0
  begin
    tries += 1
    Integer("x") if tries < 3
  rescue ArgumentError
    retry
  end
  tries
end

3.times { puts rescuer }
puts catch(:out) { thrower }
puts returner
puts [5, 6, 7].each { |x| break x * 2 if x == 6 }
puts retrier

gen = Fiber.new do
  3.times do |i|
    Fiber.yield i
  end
  begin
    deep(2)
  rescue ArgumentError
    :over
  end
end
4.times { p gen.resume }

e = [1, 2, 3].each
begin
  loop { p e.next }
end

def leaver(e)
  e.next
end
squares = Enumerator.new { |y| (1..).each { |n| y << n * n } }
5.times { leaver(squares) }
p squares.lazy.select(&:even?).first(2)

begin
  [1].each { |x| raise StopIteration }
rescue StopIteration
  puts "stopped"
end
def unwound
  yield
ensure
  $ensured += 1
end
unwound { 1 } and catch(:far) { unwound { unwound { throw :far } } }
p $ensured
