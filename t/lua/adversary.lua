-- Everything that leaves calls without a word or uses addresses again: errors, tail calls, coroutines that fail or are
-- closed, metamethods, C functions that call back, stack overflow, thousands of chunks and closures under collection.
local is_54 = _VERSION == "Lua 5.4"

local function fail(n) if n == 0 then error("deep") end fail(n - 1) return n end
local function guarded(n) return pcall(fail, n) end
for i = 1, 100 do guarded(i % 17) end
for i = 1, 50 do
  xpcall(fail, function(m) return pcall(fail, 2), m end, i % 5)
end

local function tail(n) if n == 0 then return n end return tail(n - 1) end
local function tail_error(n) if n == 0 then error("tail") end return tail_error(n - 1) end
tail(1000)
for _ = 1, 10 do pcall(tail_error, 30) end
local function into_c(t) return table.concat(t) end
for _ = 1, 20 do into_c {"a", "b"} end
pcall(into_c, 1)

-- coroutines: errors before and after yields, nested ones, wrapped ones, dead and closed ones
local function body(n)
  for i = 1, n do
    coroutine.yield(i)
    if i == 3 then error("three") end
  end
  return tail(5)
end
for n = 1, 60 do
  local co = coroutine.create(body)
  for _ = 1, n % 7 do coroutine.resume(co, n % 5) end
  if is_54 and coroutine.status(co) == "suspended" and n % 2 == 0 then coroutine.close(co) end
  local wrapped = coroutine.wrap(body)
  pcall(function() for _ = 1, 6 do wrapped(4) end end)
  local outer = coroutine.wrap(function()
    local inner = coroutine.wrap(function() coroutine.yield(pcall(fail, 3)) error("inner") end)
    inner()
    coroutine.yield()
    pcall(inner)
    return tail(3)
  end)
  outer()
  outer()
end
for i = 1, 2000 do
  coroutine.wrap(function() coroutine.yield(i) end)()
  if i % 500 == 0 then collectgarbage() end
end

-- metamethods that call, fail and yield
local mt = {}
mt.__index = function(t, k) if k == "bad" then error("bad key") end return tail(2) end
mt.__newindex = function(t, k, v) rawset(t, k, v) end
mt.__add = function(a, b) return tail(3) end
mt.__lt = function() return guarded(2) end
mt.__le = function() error("le") end
mt.__concat = function() return coroutine.isyieldable() and coroutine.yield("concat") or "c" end
mt.__call = function(self, n) return tail(n) end
mt.__len = function() return 3 end
mt.__eq = function() return true end
mt.__tostring = function() return "object" end
mt.__gc = function() tail(2) end
for i = 1, 200 do
  local a, b = setmetatable({}, mt), setmetatable({}, mt)
  local _ = a.x, pcall(function() return a.bad end), a + b, a < b, pcall(function() return a <= b end)
  a.y = i
  _ = a .. b, a(3), #a, a == b, tostring(a)
  local co = coroutine.wrap(function() return a .. b end)
  co()
  co("done")
end

-- C functions that call back, and errors through them
for i = 1, 50 do
  pcall(table.sort, {5, 3, 1, 4, i}, function(a, b) if a == 4 then error("four") end return a < b end)
  pcall(string.gsub, "hello", ".", function(c) if c == "o" then error("o") end return c end)
  for word in string.gmatch("a b c", "%a") do tail(1) end
  select(2, pcall(error, {code = i}))
end
local function overflow(n) return 1 + overflow(n + 1) end
pcall(overflow, 1)
pcall(string.rep, "x", -1, 5, 6)
pcall(load, function() error("reader") end)

if is_54 then
  load([[
    local tail = ...
    local function closing(n)
      return setmetatable({}, {__close = function(_, e) tail(n) if n == 3 then error("close") end end})
    end
    for i = 1, 40 do
      pcall(function()
        local a <close> = closing(1)
        local b <close> = closing(i % 5)
        if i % 3 == 0 then error("body") end
        return tail(2)
      end)
    end
  ]])(tail)
end

-- chunks and closures by the thousand
for i = 1, 2600 do
  local pad = string.rep("-", i % 7)
  local f = load("-- " .. pad .. i .. " a text that is not short enough to be kept once\n" .. string.rep("\n", i % 3) ..
    "local n = ...\nlocal function inner(x)\n  return x + 1\nend\nreturn inner(n), function() return inner(2) end")
  local _, g = f(i)
  g()
  if i % 10 == 0 then load(string.dump(g)) end
  if i % 100 == 0 then collectgarbage() end
end
goto finish
do tail(1) end
::finish::
print("survived")
