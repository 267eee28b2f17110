-- SPDX-License-Identifier: MIT
-- squares.lua - which function is expensive? main calls find_many_square_roots and find_many_squares three times each;
-- both run their loop 5000 times a call, and the roots take most of the time. squares.pl and squares.rb are the same
-- program.
--
--     nytprof run --flat examples/squares.lua
--     nytprof annotate --filter find_many_square_roots

-- By Newton's method, which takes 20 steps here.
local function find_many_square_roots()
  local root
  for number = 1, 5000 do
    root = number; for _ = 1, 20 do root = (root + number / root) / 2 end
  end
  return root
end

local function find_many_squares()
  local square
  for number = 1, 5000 do
    square = number * number
  end
  return square
end

local function main()
  for _ = 1, 3 do
    find_many_square_roots()
    find_many_squares()
  end
end

main()
