-- SPDX-License-Identifier: MIT
-- What exports have to cope with: recursion, tail calls, coroutines, functions in C, loaded chunks, methods.
local Stack = {}
Stack.__index = Stack
function Stack.new() return setmetatable({n = 0}, Stack) end
function Stack:push(x) self.n = self.n + 1; self[self.n] = x end
function Stack:pop() local x = self[self.n]; self[self.n] = nil; self.n = self.n - 1; return x end

local function fib(n) if n < 2 then return n end return fib(n - 1) + fib(n - 2) end
local function count(n) if n == 0 then return 0 end return count(n - 1) end

local producer = coroutine.wrap(function() for i = 1, 100 do coroutine.yield(i) end end)
local stack = Stack.new()
for _ = 1, 100 do stack:push(producer()) end
while stack.n > 0 do string.rep("x", stack:pop()) end
fib(12)
count(200)
for i = 1, 20 do load("return function(n) return n * " .. i .. " end", "=made" .. i)()(i) end
table.sort({5, 3, 9, 1, 7}, function(a, b) return a < b end)
