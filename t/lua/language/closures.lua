-- Closures: what they share and what each has of its own, in loops, across calls, coroutines and collections; upvalues
-- as the debug library has them; functions as keys; many closures, deep nesting, and variables that go out of scope.
local is_54 = _VERSION == "Lua 5.4"

-- shared and separate variables
local function pair()
  local n = 0
  return function() n = n + 1 return n end, function() return n end, function(v) n = v end
end
local step, get, set = pair()
local other = pair()
step() step() other()
print(get(), other(), step()) set(10) print(step(), get(), other())

-- a new variable for each round of every kind of loop
local made = {}
for i = 1, 3 do made[#made + 1] = function() i = i + 10 return i end end
for k, v in ipairs {"a", "b"} do made[#made + 1] = function() v = v .. k return v end end
local n = 0
while n < 2 do local m = n made[#made + 1] = function() m = m + 0.5 return m end n = n + 1 end
repeat local r = n made[#made + 1] = function() r = r * 2 return r end n = n + 1 until r >= 3
do local c = 0 ::again:: local g = c made[#made + 1] = function() g = g - 1 return g end c = c + 1 if c < 3 then goto again end end
for _ = 1, 2 do
  local said = {}
  for i = 1, #made do said[i] = tostring(made[i]()) end
  print(table.concat(said, " "))
end

-- left by break, return, goto and errors, the variable lives on
local kept = {}
for i = 1, 10 do local x = i * i kept[1] = function() x = x + 1 return x end if i == 4 then break end end
local function leave() for i = 1, 10 do local y = i if i == 6 then return function() y = y + 1 return y end end end end
kept[2] = leave()
pcall(function() local z = 7 kept[3] = function() z = z + 1 return z end error("out") end)
do for i = 1, 5 do local w = i kept[4] = function() w = w + 1 return w end if i == 2 then goto out end end ::out:: end
for _ = 1, 2 do print(kept[1](), kept[2](), kept[3](), kept[4]()) end

-- several levels up, parameters, varargs, self
local function level1(a)
  return function(b) return function(c) return function(...) a = a + 1 return a, b, c, ... end end end
end
local f = level1(1)(2)(3)
f("x")
print(f("y", "z"))
print(select("#", level1(1)(nil)(nil)()))
local stack = {}
function stack.new() local items = {}
  local self = {}
  function self.push(...) for i = 1, select("#", ...) do items[#items + 1] = (select(i, ...)) end return self end
  function self.pop() return table.remove(items) end
  function self.size() return #items end
  return self
end
local s1, s2 = stack.new(), stack.new()
s1.push(1, 2, 3).push(4) s2.push("only")
print(s1.pop(), s1.size(), s2.pop(), s2.size())

-- functions of functions
local function compose(...)
  local fs = {...}
  return function(...)
    local results = table.pack(...)
    for i = #fs, 1, -1 do results = table.pack(fs[i](table.unpack(results, 1, results.n))) end
    return table.unpack(results, 1, results.n)
  end
end
local function curry(g, k) k = k or 2 if k < 2 then return g end
  return function(x) return curry(function(...) return g(x, ...) end, k - 1) end
end
print(compose(function(x) return x * 2 end, function(x, y) return x + y end)(3, 4), curry(math.max, 3)(1)(9)(5))
local function memoize(g) local memo = {} return function(x)
  local r = memo[x]
  if r == nil then r = g(x) memo[x] = r end
  return r
end end
local fibonacci
fibonacci = memoize(function(x) return x < 2 and x or fibonacci(x - 1) + fibonacci(x - 2) end)
print(fibonacci(80))
local function map(t, g) local r = {} for i = 1, #t do r[i] = g(t[i]) end return r end
local function fold(t, g, x) for i = 1, #t do x = g(x, t[i]) end return x end
local numbers = {}
for i = 1, 100 do numbers[i] = i end
print(fold(map(numbers, function(x) return x * x end), function(x, y) return x + y end, 0))
local church = {zero = function() return function(x) return x end end}
function church.next(k) return function(g) return function(x) return g(k(g)(x)) end end end
local number = church.zero
for _ = 1, 25 do number = church.next(number) end
print(number(function(x) return x + 1 end)(0))

-- two functions on one line, three on two, one that spans many
local p, q = function() return "p" end, function() return "q" end
local u, v, w = function() return "u" end, function(x)
  return "v" .. x end, function() return "w" end
print(p(), q(), p(), u(), v(1), w())
print((function(...) return (function(...) return (function(...) return ... end)(...) end)(...) end)("inmost"))

-- upvalues by the debug library: names, values, sharing
local first, second = 1, 2
local function uses() first = first + 1 return first, second end
local function uses_too() return second end
print(debug.getupvalue(uses, 1)) print(debug.getupvalue(uses, 2)) print(debug.getupvalue(uses, 3))
print(debug.setupvalue(uses, 2, "set"), second, uses_too())
print(debug.upvalueid(uses, 2) == debug.upvalueid(uses_too, 1), pcall(debug.upvalueid, uses, 99))
local third = "third"
local function joined() return third end
debug.upvaluejoin(uses_too, 1, joined, 1)
print(uses_too(), debug.getupvalue(string.gmatch("x", "."), 1))
local env = {tostring = tostring}
local isolated = load("x = (x or 0) + 1 return x", "=isolated", "t", env)
isolated() isolated()
print(env.x, debug.getupvalue(isolated, 1), debug.setupvalue(isolated, 1, {x = 41}), isolated())

-- in coroutines, shared with the outside, after the coroutine is dead or collected
local shared = 0
local co = coroutine.wrap(function()
  local inside = 100
  coroutine.yield(function() inside = inside + 1 shared = shared + 1 return inside end)
  inside = inside + 1000
  coroutine.yield(inside)
  error("dies")
end)
local reach = co()
reach()
print(reach(), co(), reach(), pcall(co), reach(), shared)
co = nil
collectgarbage()
print(reach(), shared)

-- identity, as keys, and thousands of them
local function maker() return function() end end
local keys, distinct = {}, 0
for _ = 1, 1000 do keys[maker()] = true end
for _ in pairs(keys) do distinct = distinct + 1 end
print(distinct <= 1000, distinct >= 1)
local weak = setmetatable({}, {__mode = "k"})
for i = 1, 1000 do weak[function() return i end] = i end
collectgarbage()
print(next(weak))
local total, list = 0, {}
for i = 1, 5000 do
  list[i % 100] = function(x) total = total + i + x return total end
  list[i % 100](1)
end
print(total)

-- as many variables, upvalues and levels as there may be
local declare, use = {}, {}
for i = 1, 60 do declare[i] = "v" .. i use[i] = "v" .. i end
print(load("local " .. table.concat(declare, ",") .. " = " .. string.rep("1,", 59) .. "1 return function() return " ..
  table.concat(use, "+") .. " end")()())
local source = "return 'core'"
for i = 1, 50 do source = "return (function(a" .. i .. ") " .. source .. " end)(" .. i .. ")" end
print(load(source)())
declare = {}
for i = 1, 256 do declare[i] = "local u" .. i .. " = " .. i end
print(select(2, load(table.concat(declare, "\n"))))
if is_54 then
  print(load("local t = {} for i = 1, 3 do local c <const> = i t[i] = function() return c end end return t[1]() + t[3]()")())
end
print("closures done")
