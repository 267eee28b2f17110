-- Calls: what is called and how, arguments and results, methods, recursion, tail calls, __call, C functions that call
-- back, chunks from readers, and what the debug library says of the calls that run.
local is_54 = _VERSION == "Lua 5.4"

-- types and globals
assert(type(print) == "function" and type(function() end) == "function")
assert(not pcall(type), "type without a value")
local function f(x) return a and a(x) or x end
a = f
print(f == a, rawequal(f, function() end))
a = nil

-- missing and surplus arguments, adjusted results
local function three(x, y, z) return z, y, x end
print(three(1), three(1, 2), (three(1, 2, 3)), three(1, 2, 3, 4))
print(select("#", three()), select("#", (three())), select("#", three(), three()))
local t = {three(1, 2, 3), three(4, 5, 6), n = three(7, 8, 9)}
print(#t, t[1], t[2], t[3], t[4], t.n)
print(({three(1, 2, 3), nil})[2], #{(three(1, 2, 3))})

-- methods, and where self comes from
local object = {n = 0}
function object:add(n) self.n = self.n + (n or 1) return self end
function object.plain(...) return select("#", ...) end
print(object:add():add(5):add().n, object:plain(1, 2), object.plain())
local deep = {a = {b = {c = object}}}
function deep.a.b.c.method(self, x) return self == object and x end
print(deep.a.b.c:method(42), deep.a.b.c.method(deep, 1))
print(("x"):rep(3), #"abc", ("%d"):format(7))

-- calls without parentheses
local function id(x) return x end
print(id"text", id[[long]], type(id{1}), id{k = id"v"}.k)

-- recursion: by name, mutual, through a fixed point, local before its value
local function factorial(n) if n <= 1 then return 1 end return n * factorial(n - 1) end
print(factorial(10))
local function Y(h)
  return (function(x) return x(x) end)(function(x) return h(function(...) return x(x)(...) end) end)
end
print(Y(function(self) return function(n) return n == 0 and 1 or n * self(n - 1) end end)(12))
local is_even, is_odd
function is_even(n) if n == 0 then return true else return is_odd(n - 1) end end
function is_odd(n) if n == 0 then return false else return is_even(n - 1) end end
print(is_even(10000), is_odd(10001), is_even(7))
local function ackermann(m, n)
  if m == 0 then return n + 1 end
  if n == 0 then return ackermann(m - 1, 1) end
  return ackermann(m - 1, ackermann(m, n - 1))
end
print(ackermann(2, 6))

-- tail calls: deep, with varying numbers of values, into C and back, as a method, of a value that is called
local function count(n, ...) if n == 0 then return ... end return count(n - 1, n, ...) end
print(select("#", count(200)), (count(200)))
local function down(n, total) if n == 0 then return total end return down(n - 1, total + n) end
print(down(100000, 0))
local function into_c(...) return select(2, ...) end
local function through(...) return pcall(into_c, ...) end
print(into_c(1, 2, 3), through(4, 5, 6))
function object:tail(n) if n == 0 then return "bottom" end return self:tail(n - 1) end
print(object:tail(1000))
local function info_of(level) return debug.getinfo(level, "t").istailcall end
local function tail() return info_of(2) end
local function plain() local x = info_of(2) return x end
local function call_tail() return tail() end
print(tail(), plain(), call_tail())

-- __call: once, in a chain, in tail position, with arguments put before
local callable = setmetatable({}, {__call = function(self, ...) return self, select("#", ...), ... end})
print(select(2, callable(1, nil, 3)), select("#", callable()))
local chain = print
for i = 1, 12 do
  chain = setmetatable({i}, {__call = i == 1 and function(...) return select("#", ...) end or chain})
end
print((pcall(chain, "x")))
local function call_it(c, ...) return c(...) end
print(select(2, call_it(callable, "a", "b")))
local counter = setmetatable({n = 0}, {__call = function(self, n)
  self.n = self.n + 1
  if n > 0 then return self(n - 1) end
  return self.n
end})
print(counter(5000))

-- C functions that call back
local words = {}
for w in string.gmatch("the quick brown fox", "%a+") do words[#words + 1] = w end
table.sort(words, function(x, y) return #x == #y and x < y or #x < #y end)
print(table.concat(words, " "))
print((string.gsub("one two", "%w+", function(w) return id(w):upper() end)))
print(pcall(pcall, pcall, id, 1), select("#", pcall(pcall)))
local sorted = {}
for i = 1, 50 do sorted[i] = (i * 37) % 53 end
local comparisons = 0
table.sort(sorted, function(x, y) comparisons = comparisons + 1 return x > y end)
print(sorted[1], sorted[50], comparisons)

-- chunks: from text, from a reader, with an environment, binary, with and without debug information
print(load("return ...")(1, 2), load("return 1 +"))
local pieces = {"local x = ", "...", " return ", "x * 2"}
local at = 0
print(load(function() at = at + 1 return pieces[at] end, "=pieces")(21))
local environment = {print = print}
load("x = 10 y = x + 1", "=env", "t", environment)()
print(environment.x, environment.y, rawget(_G, "x"))
for _, strip in ipairs({false, true}) do
  local binary = string.dump(function(n) local s = 0 for i = 1, n do s = s + i end return s end, strip)
  print(load(binary, "binary", "b")(100), (load(binary, "binary", "t")))
end
print(pcall(load, function() return {} end))
print(load(function() error("in the reader", 0) end))
local nested = "return 1"
for _ = 1, 20 do nested = "return load(" .. string.format("%q", nested) .. ")()" end
print(load(nested, "=nested")())

-- what runs, as the debug library sees it
local function where()
  local names = {}
  for level = 1, 4 do
    local i = debug.getinfo(level, "Slnt")
    if not i then break end
    names[level] = (i.name or "?") .. ":" .. i.what .. ":" .. i.currentline .. (i.istailcall and " tail" or "")
  end
  return table.concat(names, " ")
end
local function from_here() local s = where() return s end
local function from_tail() return where() end
print(from_here())
print(from_tail())
local parameters = debug.getinfo(three, "u")
print(parameters.nparams, parameters.isvararg, debug.getinfo(object.plain, "u").isvararg, parameters.nups)
print((debug.traceback("trace", 1)))
local lines = {}
for l in pairs(debug.getinfo(plain, "L").activelines) do lines[#lines + 1] = l end
print(#lines)

-- many arguments and results
local many = {}
for i = 1, 250 do many[i] = i end
print(select("#", table.unpack(many)), math.max(table.unpack(many)), (string.char(table.unpack(many, 65, 90))))
print(pcall(table.unpack, {}, 1, 1e8))
print(select("#", pcall(load("return " .. string.rep("1, ", 240) .. "1"))))
if is_54 then
  print(load("local x <const> = 5; local function g() return x end; return g() + x")())
end
print("calls done")
