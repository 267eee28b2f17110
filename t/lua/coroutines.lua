-- Generators, exchanges, coroutines in coroutines, errors inside, wrapped ones, ones that never end and are collected.
local function generate(n)
  for i = 1, n do
    coroutine.yield(i)
  end
  return "end"
end

local generator = coroutine.create(generate)
local ok, value = coroutine.resume(generator, 5)
while coroutine.status(generator) ~= "dead" do
  ok, value = coroutine.resume(generator)
end
print(ok, value)

local function outer()
  local inner = coroutine.create(function(x)
    while x < 10 do
      x = x + coroutine.yield(x)
    end
    error({x})
  end)
  local good, x = coroutine.resume(inner, 1)
  while good do
    coroutine.yield(x)
    good, x = coroutine.resume(inner, 2)
  end
  return type(x)
end

local seen = {}
local o = coroutine.create(outer)
repeat
  local _, x = coroutine.resume(o)
  seen[#seen + 1] = tostring(x)
until coroutine.status(o) == "dead"
print(table.concat(seen, " "))

local function short(i)
  local co = coroutine.create(function(a)
    local b = coroutine.yield(a + 1)
    return b
  end)
  coroutine.resume(co, i)
  if i % 2 == 0 then coroutine.resume(co, i) end
end
for i = 1, 500 do
  short(i)
  if i % 100 == 0 then collectgarbage() end
end

local function through_pcall()
  return pcall(function()
    coroutine.yield("from pcall")
    error("late", 0)
  end)
end
local p = coroutine.create(through_pcall)
print(coroutine.resume(p))
print(coroutine.resume(p))
