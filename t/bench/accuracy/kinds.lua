-- Phases with one kind of event each. phases.lua runs them.
local numbers = {}
for i = 1, 5000 do numbers[i] = i * 7919 % 5003 end

-- --- lines

function ph_lines()
  local a, b, c = 0, 1, 0
  for i = 1, 800000 do
    a = a + i
    b = a - b
    c = c + 1
  end
  return a + b + c
end

-- --- c_calls

function ph_c_calls()
  local sum = 0
  for i = 1, 600000 do sum = sum + math.abs(i) end
  return sum
end

-- --- calls

local function tiny(x)
  return x
end

function ph_calls()
  local sum = 0
  for i = 1, 600000 do sum = sum + tiny(i) end
  return sum
end

-- --- medium

local function eight_lines(p, q)
  local r = p + q
  local s = r * 2
  r = r - p
  s = s - r
  p = s
  q = p + 1
  return q
end

function ph_medium()
  local sum = 0
  for i = 1, 250000 do sum = sum + eight_lines(i, 3) end
  return sum
end

-- --- recursion

local function fib(n)
  if n < 2 then
    return n
  end
  return fib(n - 1) + fib(n - 2)
end

function ph_recursion()
  return fib(26)
end

-- --- tail_calls

local function count_down(n, sum)
  if n == 0 then return sum end
  return count_down(n - 1, sum + n)
end

function ph_tail_calls()
  local sum = 0
  for i = 1, 600 do sum = sum + count_down(1000, 0) end
  return sum
end

-- --- tables

function ph_tables()
  local n = 0
  for i = 1, 200000 do
    local t = { i, i + 1, x = i }
    n = n + #t
  end
  return n
end

-- --- coroutines

local function echo(x)
  while true do
    x = coroutine.yield(x + 1)
  end
end

function ph_coroutines()
  local thread, sum = coroutine.create(echo), 0
  for i = 1, 200000 do
    local _, x = coroutine.resume(thread, i)
    sum = sum + x
  end
  return sum
end

-- --- protected

local function fails(i)
  if i % 4 == 0 then error("four") end
  return i
end

function ph_protected()
  local n = 0
  for i = 1, 160000 do
    if pcall(fails, i) then n = n + 1 end
  end
  return n
end

-- --- sort

local function less(a, b) return a < b end

function ph_sort()
  local sum = 0
  for round = 1, 6 do
    local copy = table.move(numbers, 1, #numbers, 1, {})
    table.sort(copy, less)
    sum = sum + copy[round]
  end
  return sum
end

-- --- long_c

function ph_long_c()
  local n = 0
  for i = 1, 10 do
    local copy = table.move(numbers, 1, #numbers, 1, {})
    table.sort(copy)
    n = n + #table.concat(copy, ",")
  end
  return n
end

-- --- one_line

function ph_one_line() local s = 0 for i = 1, 1500000 do s = s + i % 7 end return s end

return {
  { "lines", ph_lines }, { "c_calls", ph_c_calls }, { "calls", ph_calls }, { "medium", ph_medium },
  { "recursion", ph_recursion }, { "tail_calls", ph_tail_calls }, { "tables", ph_tables },
  { "coroutines", ph_coroutines }, { "protected", ph_protected }, { "sort", ph_sort }, { "long_c", ph_long_c },
  { "one_line", ph_one_line },
}
