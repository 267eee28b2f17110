# SPDX-License-Identifier: MIT
# Methods of all kinds, blocks, and what runs them.
class Shape
  attr_reader :sides

  def initialize(sides)
    @sides = sides
  end

  def each_side
    return to_enum(:each_side) unless block_given?
    @sides.times { |i| yield i }
  end

  def self.square = new(4)

  class << self
    def triangle
      new(3)
    end
  end

  define_method(:double) { |by = 2| @sides * by }
  define_method(:name) do
    "shape" +
      sides.to_s
  end
end

module Loud
  def name
    super.upcase
  end
end

class Square < Shape
  include Loud
  prepend(Module.new { def sides = super + 0 })
  def method_missing(what, *) = what == :area ? 16 : super
  def respond_to_missing?(*) = true
end

def fib(n)
  n < 2 ? n : fib(n - 1) + fib(n - 2)
end

s = Shape.square
s.each_side { |i| fib(i) }
2.times { Shape.triangle }
s.double
s.double(3)
puts s.name
sq = Square.new(4)
puts sq.name, sq.area, sq.sides
fib(10)
add = ->(a, b) { a + b }
add.(1, 2)
add.call(3, 4)
%w[a bb ccc].map(&:length)
%w[a bb ccc].each_with_index.map { |word, i|
  [word,
   i].inspect
}
def s.own = 1
s.own
[3, 1, 2].sort { |a, b| b <=> a }.each do |x|
  next if x == 2
  fib x
end
i = 0
i += 1 while i < 10
puts [1, 2, 3].inject { |a, b| a + b }
Point = Struct.new(:x, :y) do
  def far = Math.sqrt(x * x + y * y)
end
puts Point.new(3, 4).far
