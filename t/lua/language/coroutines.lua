-- Coroutines: states, values in and out, wrap, errors, yields across pcall, metamethods and iterators, closing,
-- generators, schedulers, and what the debug library says of threads.
local is_54 = _VERSION == "Lua 5.4"
local create, resume, yield, status, wrap =
  coroutine.create, coroutine.resume, coroutine.yield, coroutine.status, coroutine.wrap

-- states and values
local co
co = create(function(a, b)
  assert(status(co) == "running" and coroutine.running() == co and coroutine.isyieldable())
  local c = yield(a + b)
  local d, e = yield(c * 2)
  return d, e, nil
end)
print(status(co), resume(co, 1, 2))
print(status(co), resume(co, 10))
print(status(co), select("#", resume(co, "d", "e")))
print(status(co), resume(co))
local main, is_main = coroutine.running()
print(type(main), is_main, coroutine.isyieldable(), status(main))
print(pcall(yield, 1))
print(pcall(create, 1), pcall(resume, 1), pcall(wrap))

-- a coroutine that runs another is normal
local outer
outer = create(function()
  local inner = wrap(function() yield(status(outer)) return "inner ends" end)
  yield(inner())
  return inner()
end)
print(resume(outer)) print(resume(outer)) print(resume(outer))

-- itself and the one that waits cannot be resumed
print(select(2, resume(create(function() return resume(coroutine.running()) end))))
local waiting
waiting = create(function() return wrap(function() return resume(waiting) end)() end)
print(resume(waiting))

-- generators
local function range(n) return wrap(function() for i = 1, n do yield(i) end end) end
local total = 0
for i in range(100) do total = total + i end
print(total)
local function permutations(list, n)
  n = n or #list
  if n <= 1 then yield(table.concat(list)) end
  for i = 1, n do
    list[n], list[i] = list[i], list[n]
    permutations(list, n - 1)
    list[n], list[i] = list[i], list[n]
  end
end
local all = {}
for p in wrap(function() permutations {"a", "b", "c", "d"} end) do all[#all + 1] = p end
print(#all, all[1], all[24])
local function filter(p, g) return wrap(function() for n in g do if n % p ~= 0 then yield(n) end end end) end
local function primes(n)
  return wrap(function()
    local g = wrap(function() for i = 2, n do yield(i) end end)
    while true do
      local p = g()
      if p == nil then break end
      yield(p)
      g = filter(p, g)
    end
  end)
end
local found = {}
for p in primes(120) do found[#found + 1] = p end
print(#found, found[#found])
local function walk(tree) if tree then walk(tree[1]) yield(tree[2]) walk(tree[3]) end end
local keys = {}
for k in wrap(function() walk {{nil, 1, {nil, 2}}, 3, {{nil, 4}, 5}} end) do keys[#keys + 1] = k end
print(table.concat(keys, " "))

-- many arguments, results, and levels of coroutines in coroutines
co = create(function(...)
  local n = select("#", ...)
  while true do n = select("#", yield(n, ...)) end
end)
print((select(2, resume(co, table.unpack({}, 1, 200)))), (select(2, resume(co, table.unpack({}, 1, 150)))))
local function nest(n) if n == 0 then return "bottom" end return wrap(nest)(n - 1) end
print(nest(100))
local _, too_deep = pcall(nest, 100000)
print(select(2, too_deep:gsub("coroutines.lua", "")), too_deep:match("[^:]*$"))

-- errors: leave it dead, with what was raised, a traceback of its own
for _, what in ipairs({"text", 42, {n = 1}, false}) do
  co = create(function() yield() error(what, 0) end)
  resume(co)
  local ok, e = resume(co)
  print(ok, e == what, status(co), resume(co))
end
co = create(function() local function inner() error("deep") end inner() end)
print(resume(co))
print((debug.traceback(co):gsub("%[C%]: in ", "C ")))
print(debug.traceback(co, "message", 1))
print(select(2, pcall(wrap(function() error("from wrap") end))))
print(type(select(2, pcall(wrap(function() error({}) end)))))

-- yields across pcall, xpcall, and errors after them
co = wrap(function()
  print(pcall(function() yield(1) error("after", 0) end))
  print(xpcall(function(...) yield(...) return "fine" end, debug.traceback, 2))
  print(xpcall(function() yield(3) error("handled", 0) end, function(m) return m .. "!" end))
  print(pcall(pcall, pcall, function() yield(4) error("nested", 0) end))
  return select(2, pcall(yield, 5))
end)
print(co(), co(), co(), co(), co(), co("end"))

-- yields in metamethods, iterators and concatenation
local mt = {}
for _, name in ipairs({"add", "sub", "unm", "concat", "index", "len", "lt", "le", "eq", "call", "idiv", "band"}) do
  mt["__" .. name] = function(x, y) return yield(name) end
end
mt.__newindex = function(t, k, v) yield("newindex") rawset(t, k, v) end
local x, y = setmetatable({}, mt), setmetatable({}, mt)
co = wrap(function()
  local r = {x + 1, 2 - x, -x, x .. "a", "b" .. y .. x, x.field, #x, x < y, x <= y, x == y, x(1), x // 2, x & 1}
  x.new = 1
  return #r, x.new
end)
local names, n, new = {}, nil, nil
local said = co()
while type(said) == "string" do
  names[#names + 1] = said
  said, new = co(said)
end
print(table.concat(names, " "), said, new)
co = wrap(function() for k, v in function(s, k) k = yield(k) return k, k end, nil, 0 do yield("body " .. v) end return "over" end)
print(co(), co(1), co(), co(2), co(), co(nil))

-- where it cannot be done
print(resume(create(function() table.sort({1, 2, 3}, function() yield() end) end)))
print(resume(create(function() string.gsub("a", "a", function() yield() end) end)))
print(resume(create(function() load(function() yield() end) end)))

-- closing, and variables that are to be closed
if is_54 then
  load([[
    local create, resume, yield, status, wrap =
      coroutine.create, coroutine.resume, coroutine.yield, coroutine.status, coroutine.wrap
    local function closing(name, e)
      return setmetatable({}, {__close = function(_, err) print("close", name, err) if e then error(e, 0) end end})
    end
    local co = create(function() local a <close> = closing("a") local b <close> = closing("b") yield(1) end)
    print(resume(co), coroutine.close(co), status(co))
    co = create(function() local a <close> = closing("c", "failed") yield(1) end)
    print(resume(co))
    print(coroutine.close(co))
    print(coroutine.close(create(print)), pcall(coroutine.close, coroutine.running()))
    co = wrap(function()
      local a <close> = setmetatable({}, {__close = function() yield("closing") end})
      return "result"
    end)
    print(pcall(co)) print(pcall(co)) -- before Lua 5.4.3 that is an error
    co = wrap(function() for i = 1, 2 do local a <close> = closing(i) yield(i) end error("then", 0) end)
    print(co(), co(), pcall(co))
  ]], "=closing")()
end

-- a scheduler with tasks that talk to each other, and collection while they live
local queue, log = {}, {}
local function spawn(body, ...) queue[#queue + 1] = {create(body), ...} end
for task = 1, 10 do
  spawn(function(id)
    for step = 1, id do log[#log + 1] = id * 100 + step yield() end
    if id % 5 == 0 then spawn(function() log[#log + 1] = -id end) end
  end, task)
end
while #queue > 0 do
  local task = table.remove(queue, 1)
  assert(resume(table.unpack(task)))
  if status(task[1]) ~= "dead" then queue[#queue + 1] = task end
  if #queue % 3 == 0 then collectgarbage("step") end
end
print(#log, log[1], log[#log], log[#log - 1])
local alive = {}
for i = 1, 3000 do
  local c = wrap(function() local held = {i} yield() return held[1] end)
  c()
  if i % 50 == 0 then alive[#alive + 1] = c end
end
collectgarbage()
total = 0
for _, c in ipairs(alive) do total = total + c() end
print(#alive, total)

-- what the debug library says of a thread
co = create(function(p) local q = p + 1 yield() return q end)
resume(co, 1)
print(debug.getinfo(co, 0, "n").name, debug.getinfo(co, 1, "l").currentline, debug.getinfo(co, 2))
print(debug.getlocal(co, 1, 1)) print(debug.getlocal(co, 1, 2))
print(debug.setlocal(co, 1, 2, "changed"), resume(co))
print("coroutines done")
