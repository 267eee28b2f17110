# SPDX-License-Identifier: MIT
# squares.rb - which method is expensive? main calls find_many_square_roots and find_many_squares three times each; both
# run their loop 5000 times a call, and the roots take most of the time. squares.pl and squares.lua are the same
# program.
#
#     nytprof run --flat examples/squares.rb
#     nytprof annotate --filter find_many_square_roots

# By Newton's method, which takes 20 steps here.
def find_many_square_roots
  root = 0.0
  1.upto(5000) do |number|
    root = number.to_f; 20.times { root = (root + number / root) / 2 }
  end
  root
end

def find_many_squares
  square = 0
  1.upto(5000) do |number|
    square = number * number
  end
  square
end

def main
  3.times do
    find_many_square_roots
    find_many_squares
  end
end

main
