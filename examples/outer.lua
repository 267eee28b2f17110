-- SPDX-License-Identifier: MIT
-- outer.lua - who calls whom? outer_method calls inner_method_1, _2 and _3, and inner_method_3 calls inner_most_method:
-- a call graph of five nodes and four edges below the main chunk. outer.pl is the same program.
--
--     nytprof run --dot=outer.dot examples/outer.lua
--     nytprof callers inner_most_method

local function inner_most_method() return 1 end
local function inner_method_1() return 1 end
local function inner_method_2() return 2 end
local function inner_method_3() local most = inner_most_method() return 2 + most end

local function outer_method()
  local sum = inner_method_1() + inner_method_2()
  return (sum + inner_method_3())
end

outer_method()
