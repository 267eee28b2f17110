-- Garbage collection: what is kept and what is freed, weak tables, finalizers that call, fail, revive and make more of
-- their kind, collections by steps and in both modes, long chains, strings, closures, coroutines and chunks by the
-- thousand, and the end of the program with things still to be finalized.
local is_54 = _VERSION == "Lua 5.4"

-- memory comes back: what a loop makes and drops is not there afterwards
local function kilobytes() collectgarbage() collectgarbage() return collectgarbage("count") end
local function leaks(make)
  make(100)
  local before = kilobytes()
  make(2000)
  return kilobytes() - before > 60
end
print("tables", leaks(function(n) for i = 1, n do local _ = {i, {i}, x = {y = {i}}} end end))
print("strings", leaks(function(n) local s = "" for i = 1, n do s = (s .. i):sub(-500) end end))
print("closures", leaks(function(n) local f for i = 1, n do local g = f f = function() return i, g and 1 end f() end end))
print("coroutines", leaks(function(n) for i = 1, n do coroutine.wrap(function() coroutine.yield(i) end)() end end))
print("errors", leaks(function(n) for i = 1, n do pcall(error, {i}) end end))
print("cycles", leaks(function(n) for _ = 1, n do local a, b = {}, {} a.b = b b.a = a end end))
print("userdata", leaks(function(n) for _ = 1, n / 20 do io.tmpfile():close() end end))

-- weak keys, values and both; what is never weak; ephemerons
local weak = setmetatable({}, {__mode = "k"})
for i = 1, 100 do weak[{}] = i end
for i = 1, 10 do weak[i] = i weak["string" .. i] = i end
local key = {}
weak[key] = "kept"
collectgarbage()
local n = 0
for _ in pairs(weak) do n = n + 1 end
print(n, weak[key])
weak = setmetatable({}, {__mode = "v"})
for i = 1, 100 do weak[i] = {} end
for i = 101, 120 do weak[i] = i .. "x" end
local value = {}
weak.value = value
collectgarbage()
n = 0
for _ in pairs(weak) do n = n + 1 end
print(n, weak.value == value)
weak = setmetatable({}, {__mode = "kv"})
weak[1] = string.rep("a", 100) weak[string.rep("b", 100)] = {} weak[{}] = 1 weak[key] = value
collectgarbage()
n = 0
for _ in pairs(weak) do n = n + 1 end
print(n)
local ephemeron = setmetatable({}, {__mode = "k"})
local chain = {}
local link = chain
for _ = 1, 100 do local following = {} ephemeron[link] = following link = following end
collectgarbage()
n = 0
for _ in pairs(ephemeron) do n = n + 1 end
chain, link = nil, nil
collectgarbage()
print(n, next(ephemeron))

-- finalizers: order, once each, with errors, that make objects again, that revive, that collect, that yield
local order = {}
local function finalized(name, f)
  return setmetatable({name = name}, {__gc = f or function(self) order[#order + 1] = self.name end})
end
do local _ = {finalized(1), finalized(2), finalized(3)} end
collectgarbage()
print(table.concat(order, " "))
local revived
finalized("phoenix", function(self) revived = self end)
collectgarbage()
print(revived.name, getmetatable(revived).__gc ~= nil)
revived = nil
collectgarbage()
print(revived)
local generations = 0
local function generation(self)
  generations = generations + 1
  if generations < 5 then finalized("again", generation) end
end
finalized("first", generation)
for _ = 1, 6 do collectgarbage() end
print(generations)
local inside = {}
finalized("calls", function()
  local function recursive(k) if k == 0 then return 0 end return 1 + recursive(k - 1) end
  inside[1] = recursive(100)
  inside[2] = pcall(error, "within")
  inside[3] = select("#", table.unpack({}, 1, 50))
  local co = coroutine.wrap(function() coroutine.yield(1) return 2 end)
  inside[4] = co() + co()
  inside[5] = load("return 'loaded'")()
end)
collectgarbage()
print(table.unpack(inside, 1, 5))
finalized("yields", function() inside[6] = pcall(coroutine.yield) end)
collectgarbage()
print(inside[6])
finalized("fails", function() error("a finalizer fails", 0) end)
local ok, e = pcall(collectgarbage)
print(ok, is_54 or e:match("__gc") ~= nil)
local late = setmetatable({}, {})
getmetatable(late).__gc = function() order[#order + 1] = "too late" end
late = nil
collectgarbage()
print(order[#order])

-- in the middle of work: finalizers between the lines of functions, loops and coroutines
local freed, made = 0, 0
local mt = {__gc = function() freed = freed + 1 end}
local function work(k)
  local list = {}
  for i = 1, k do
    made = made + 1
    list[i % 10] = setmetatable({}, mt)
  end
  return #list
end
for _ = 1, 20 do work(500) coroutine.wrap(function() work(100) coroutine.yield() work(100) end)() end
collectgarbage()
print(made, made - freed < 20)

-- steps, pauses, stopping, modes
collectgarbage("stop")
print(collectgarbage("isrunning"))
local before = collectgarbage("count")
for _ = 1, 1000 do local _ = {1, 2, 3} end
print(collectgarbage("count") > before)
collectgarbage("restart")
local cycles = 0
repeat cycles = cycles + 1 until collectgarbage("step", 100) or cycles > 100000
print(collectgarbage("isrunning"), cycles <= 100000)
if is_54 then
  print(collectgarbage("generational"), leaks(function(k) for i = 1, k do local _ = {i, tostring(i)} end end))
  work(5000)
  print(collectgarbage("incremental", 200, 100), collectgarbage("incremental"))
end
print(type(collectgarbage("setpause", 150)), type(collectgarbage("setstepmul", 300)), pcall(collectgarbage, "bad"))

-- deep structures, chunks by the thousand, addresses that are used again
local list = nil
for i = 1, 100000 do list = {list, i} end
n = 0
while list do n = n + list[2] list = list[1] end
print(n)
local sum = 0
for i = 1, 1500 do
  local f = load("local a = " .. i .. " return function() return a end", "=chunk" .. i % 7)
  sum = sum + f()()
  if i % 250 == 0 then collectgarbage() end
end
print(sum)
local seen = {}
for i = 1, 300 do
  local co = coroutine.create(function(...) local a = ... a = a + coroutine.yield(a) error {a} end)
  coroutine.resume(co, i)
  local _, caught = coroutine.resume(co, i)
  seen[i % 10] = caught[1]
  co = nil
  if i % 20 == 0 then collectgarbage() end
end
print(table.concat(seen, " ", 0, 9))

-- debug information of what is gone, and collections in hooks of the program's own
local hooked = 0
debug.sethook(function() hooked = hooked + 1 if hooked % 50 == 0 then collectgarbage("step") end end, "l")
for i = 1, 200 do
  local _ = {i}
end
debug.sethook()
print(hooked > 200)
print(collectgarbage("count") < 20000)
print("gc done")

-- the end: these are finalized when Lua is closed, last one first, and may still call
for i = 1, 3 do _G["closing" .. i] = finalized("closing" .. i, function(self)
  print(self.name, pcall(error, "at the end"), coroutine.wrap(function() return "still runs" end)())
end) end
