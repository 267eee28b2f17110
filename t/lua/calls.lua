-- Recursion, tail calls, methods, closures, C functions that call back, varargs.
local function fib(n)
  if n < 2 then return n end
  return fib(n - 1) + fib(n - 2)
end

local function count_down(n)
  if n == 0 then return "done" end
  return count_down(n - 1)
end

local even, odd
function even(n) if n == 0 then return true end return odd(n - 1) end
function odd(n)
  if n == 0 then return false end
  return even(n - 1)
end

local Account = {}
Account.__index = Account
Account.__add = function(a, b)
  return Account.new(a.balance + b.balance)
end
function Account.new(balance)
  return setmetatable({balance = balance}, Account)
end
function Account:deposit(n)
  self.balance = self.balance + n
  return self
end

local function counter()
  local n = 0
  return function()
    n = n + 1
    return n
  end
end

local function sum(...)
  local total = 0
  for i = 1, select("#", ...) do
    total = total + (select(i, ...))
  end
  return total
end

print(fib(12), count_down(50), even(20), odd(21))
local a, b = Account.new(1), Account.new(2)
for i = 1, 20 do
  a:deposit(i):deposit(1)
end
print((a + b).balance)
local first, second = counter(), counter()
for _ = 1, 7 do first() second() end
print(first(), second(), sum(), sum(1, 2, 3))
local list = {}
for i = 1, 30 do list[i] = (i * 7) % 31 end
table.sort(list, function(x, y)
  return x < y
end)
print(table.concat(list, " "))
print(string.gsub("hello world", "%w+", function(word)
  return string.upper(word)
end))
