-- Jumps and loops: goto in all directions, continue, nested loops, labels of the same name, loops over every kind of
-- range and iterator, break, repeat, numbers at the ends of their range, and conditions.

-- continue
local said = {}
for i = 1, 10 do
  if i % 3 ~= 0 then goto continue end
  said[#said + 1] = i
  ::continue::
end
print(table.concat(said, " "))
local i = 0
while i < 10 do
  i = i + 1
  if i % 2 == 0 then goto continue end
  said[#said + 1] = i
  ::continue::
end
i = 0
repeat
  i = i + 1
  if i == 2 then goto continue end
  said[#said + 1] = -i
  ::continue::
until i > 4
print(table.concat(said, " "))

-- out of nested loops, and over them
local steps = 0
for a = 1, 10 do
  for b = 1, 10 do
    for c = 1, 10 do
      steps = steps + 1
      if a * b * c == 60 then said = {a, b, c} goto found end
    end
  end
end
::found::
print(steps, table.concat(said, "*"))

-- back: loops made of goto, in a line and over many, thousands of rounds
do
  local k = 0
  ::top::
  k = k + 1
  if k < 5000 then goto top end
  print(k)
end
do local k = 0 ::a:: k = k + 1 if k < 5000 then goto a end print(k) end
do
  local k = 0
  goto middle
  ::first::
  k = k + 1
  goto last
  ::middle::
  k = k + 10
  goto first
  ::last::
  k = k * 2
  print(k)
end

-- a machine of states
local function accepts(text)
  local at = 0
  local c
  ::even::
  at = at + 1
  c = text:sub(at, at)
  if c == "a" then goto odd elseif c == "" then return true else return false end
  ::odd::
  at = at + 1
  c = text:sub(at, at)
  if c == "a" then goto even end
  return false
end
print(accepts "", accepts "a", accepts "aa", accepts "aaaaaaa", accepts "aaaaaaaa", accepts "ab")

-- a new variable in each round; jumps over closures; labels in blocks and functions by the same name
do
  local fs, k = {}, 1
  ::again::
  local x = k * k
  fs[k] = function() x = x + 1 return x end
  k = k + 1
  if k <= 3 then goto again end
  print(fs[1](), fs[2](), fs[3](), fs[1]())
end
do goto done do ::done:: end ::done:: end
local function same() goto l1 do return "skipped" end ::l1:: local function inner() goto l1 ::l1:: return "inner" end return inner() end
print(same())
for _ = 1, 2 do do goto out end print("never") ::out:: end
if true then goto chosen else goto other end
do ::chosen:: end
::chosen::
::other::

-- what the compiler refuses
for _, code in ipairs {
  "goto l1; do ::l1:: end", "do ::l1:: end goto l1", "goto l1; local a; ::l1:: print(a)", "::l1:: ::l1::", "goto l1",
  "repeat if x then goto cont end local y; ::cont:: until y", "break", "for i = 1, 2 do local function f() break end end",
  "do goto l1 end; local a ::l1:: a = 1", "goto = 1", "::a.b::",
} do print(load(code, "=refused")) end
print(load("goto l1; local a; ::l1::;;", "=accepted") ~= nil, load("::l1:: do ::l2:: end goto l1", "=accepted") ~= nil)

-- numeric loops: directions, fractions, steps, none at all, ends of the range, the variable of its own
local function rounds(from, to, step)
  local k, last = 0, nil
  for x = from, to, step or 1 do k = k + 1 last = x x = 0 if k > 1000 then break end end
  return k .. ":" .. tostring(last)
end
print(rounds(1, 10), rounds(10, 1), rounds(10, 1, -1), rounds(1, 10, 3), rounds(1, 0), rounds(0.5, 2.5), rounds(1, 2, 0.25))
print(rounds(math.maxinteger - 2, math.maxinteger), rounds(math.mininteger + 2, math.mininteger, -1),
  rounds(math.maxinteger, math.huge), rounds(1, -math.huge), rounds(1, 0 / 0), rounds(1, 3.9), rounds(-1, -3.9, -1))
print(rounds(math.mininteger, math.maxinteger, math.maxinteger), rounds(3, 1, math.mininteger), rounds(1.0, 3))

-- loops over iterators: stateless, closures, next while it is cleared, __pairs, ipairs with __index, strings, nothing
local function iterate(s, k) if k < s then return k + 1, (k + 1) ^ 2 end end
local sum = 0
for _, square in iterate, 10, 0 do sum = sum + square end
print(sum)
local t = {}
for k = 1, 100 do t["k" .. k] = k end
for k in pairs(t) do t[k] = nil end
print(next(t))
for k, v in pairs(setmetatable({}, {__pairs = function() return iterate, 2, 0 end})) do print(k, v) end
for k, v in ipairs(setmetatable({1}, {__index = function(_, k) if k < 4 then return k * 10 end end})) do print(k, v) end
for word, number in ("a=1, b=2"):gmatch("(%w+)=(%w+)") do io.write(word, number, " ") end
for _ in pairs({}) do print("never") end
for _ in function() end do print("never") end
print(pcall(function() for _ in nil do end end))

-- while and repeat: scope of until, values of conditions, break at once
local k = 0
repeat local stop = k >= 3 k = k + 1 until stop
print(k)
while true do break end
repeat break until false
while nil do print("never") end
for _ = 1, 3 do repeat if k > 0 then break end until true k = k + 1 end
print(k, not nil, not 0, nil and 1, false or "else", 1 and 2 or 3, nil == false, (nil and error()) == nil)
local function choose(x)
  if x == 1 then return "one" elseif x == 2 then return "two" elseif x then return "more" end
  return "none"
end
print(choose(1), choose(2), choose(3), choose())

-- loops on one line, within one line, and blocks without any
for a = 1, 3 do for b = 1, 3 do k = k + a * b end end print(k)
do do do end end end
for _ = 1, 1000 do end
while k > 0 do k = k - 1 end
print(k)

-- sieve and sorting with jumps
local composite, primes = {}, {}
for n = 2, 500 do
  if composite[n] then goto next end
  primes[#primes + 1] = n
  for m = n * n, 500, n do composite[m] = true end
  ::next::
end
print(#primes, primes[#primes])
local list = {}
for n = 1, 60 do list[n] = (n * 41) % 61 end
::pass::
for n = 1, #list - 1 do
  if list[n] > list[n + 1] then
    list[n], list[n + 1] = list[n + 1], list[n]
    goto pass
  end
end
print(list[1], list[30], list[60])
print("goto done")
