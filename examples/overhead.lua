-- SPDX-License-Identifier: MIT
-- overhead.lua - what does the profiler cost, and does it say so? f(7) calls f(6) seven times, and so on: 13,700
-- calls, 8 levels deep. There are twenty rounds, so f is called 274,000 times, from the main chunk 20 times. The
-- profile is exact in this, and has the time of the program, not that of the profiler. overhead.pl is the same program.
--
--     nytprof run --compare 5 examples/overhead.lua -- nytprof run -o overhead.out examples/overhead.lua
--     nytprof graph overhead.out

local function f(depth)
  for _ = 1, depth do
    f(depth - 1)
  end
end

for _ = 1, 20 do
  f(7)
end
