-- Errors: messages and what they name, error values of all types, levels, pcall and xpcall, handlers that fail, stack
-- overflow of all kinds, errors in metamethods, and how calls go on after them.
local is_54 = _VERSION == "Lua 5.4"

local function message(f, ...) return select(2, pcall(f, ...)) end

-- what messages say: variables, fields, upvalues, constants, arithmetic, comparison, concatenation
local function complaint(code)
  local f, e = load(code, "=code")
  if not f then return e end
  return (message(f))
end
for _, code in ipairs {
  "local a = {} a.b.c = 1", "a_global.x = 1", "local a; a()", "a_global()", "local a = {} a.b()", "local a = {} a:m()",
  "return 1 + nil", "return {} .. 'x'", "return {} < {}", "return 1 < 'x'", "return #nil", "return -{}", "return 2^{}",
  "local s = 'a' return s + 1", "return 1 // 0", "return 1 % 0", "return 1.5 | 1", "return 'a' | 1", "return 2^63 | 1",
  "local t = {} t[nil] = 1", "local t = {} t[0/0] = 1", "for i = 1, 10, 0 do end", "for i = 'a', 2 do end",
  "for i = 1, {} do end", "for x in 1 do end", "local x = 1 local function f() x() end f()", "return ('x').y.z",
  "string.rep()", "('x'):rep({})", "setmetatable(1, {})", "io.open()", "math.floor('x')", "string.format('%d', 1.5)",
  "string.char(256)", "tostring()", "ipairs()", "select(0)", "rawset(1, 2, 3)", "table.concat({1, {}, 3})",
  "table.insert({}, 5, 1)", "utf8.char(-1)", "string.pack('i17', 1)", "('x'):bad()", "assert(false)", "assert(nil, 'm')",
  "assert()", "error()", "error(nil)", "coroutine.wrap(1)", "collectgarbage('x')",
  "x = = 1", "for", "goto nowhere", "break", "::a:: ::a::", "local x <const> = 1 x = 2", "return '\\q'", "return \"abc",
  "x = 1e", "[[", "local function f( end", "return ...", "function f() return ... end", "if x then", "local 1", "a.b:c = 1",
} do
  print((tostring(complaint(code)):gsub("no field.*", "no field ...")))
end

-- error values, levels, rethrowing
local function raiser(value, level) error(value, level) end
for _, value in ipairs {"text", 12, 1.5, true, print, {}} do print(message(raiser, value, 0) == value) end
print(message(raiser), select("#", pcall(raiser)))
print(message(raiser, "one", 1), message(raiser, "two", 2), message(raiser, "none", 0), message(raiser, "far", 50))
local object = setmetatable({code = 7}, {__tostring = function(self) return "object " .. self.code end})
print(tostring(message(raiser, object)), message(raiser, object).code)
print(message(function()
  local ok, e = pcall(raiser, "first", 0)
  error(e .. " then second", 0)
end))
local function rethrow(n) if n == 0 then error({depth = 0}) end
  local _, e = pcall(rethrow, n - 1)
  e.depth = e.depth + 1
  error(e)
end
print(message(rethrow, 50).depth)

-- xpcall: arguments, handlers with tracebacks, that fail, that are no functions
print(xpcall(function(...) return select("#", ...), ... end, print, 1, nil, 3))
print(xpcall(raiser, function(m) return m:upper(), "second" end, "loud", 0))
local function level3() error("deep trouble") end
local function level2() level3() return 1 end
local function level1() level2() return 1 end
print(select(2, xpcall(level1, debug.traceback)))
print(select(2, xpcall(level1, function(m) return debug.traceback("handled " .. m, 2) end)))
print(xpcall(raiser, function(m) return debug.getinfo(2, "n").name .. debug.getinfo(3, "l").currentline end, "x"))
print(xpcall(raiser, function() error("in handler", 0) end, "x") == false)
print(type(select(2, xpcall(raiser, function(m) if type(m) == "string" then error({}) end return m end, "x"))))
print(pcall(xpcall), pcall(xpcall, print), xpcall(raiser, function(m) return pcall(error, m) end, "inner", 0))
local function nested(n)
  if n == 0 then error("bottom", 0) end
  return select(2, xpcall(nested, function(m) return m .. n end, n - 1))
end
print(pcall(nested, 8))

-- errors out of C functions, metamethods, iterators, tail calls
print(message(table.sort, {3, 2, 1, 5, 4}, function() error("compare", 0) end))
print(message(string.gsub, "abc", "%w", function(c) error("replace " .. c, 0) end))
print(message(load, function() error("reader", 0) end))
print((message(table.sort, {1, 2, 3, "x"})))
local faulty = setmetatable({}, {__index = function(_, k) error("index " .. k, 0) end,
  __newindex = function(_, k) error("newindex " .. k, 0) end, __call = function() error("call", 0) end,
  __add = function() error("add", 0) end, __eq = function() error("eq", 0) end, __lt = function() error("lt", 0) end,
  __concat = function() error("concat", 0) end, __len = function() error("len", 0) end,
  __unm = function() error("unm", 0) end, __tostring = function() error("tostring", 0) end, __name = "Faulty"})
print(message(function() return faulty.x end), message(function() faulty.y = 1 end), message(faulty),
  message(function() return faulty + 1 end), message(function() return faulty == setmetatable({}, getmetatable(faulty)) end),
  message(function() return faulty < 1 end), message(function() return "x" .. faulty end),
  message(function() return #faulty end), message(function() return -faulty end), message(tostring, faulty))
print(message(string.rep, setmetatable({}, {__name = "Typed"})))
print(message(function() for _ in function() error("iterator", 0) end do end end))
print(message(function() return error("tail", 0) end))
print(message(tostring, setmetatable({}, {__tostring = function() return 1 end})))

-- loops that are left by errors, again and again
local survived = 0
for i = 1, 500 do
  local ok = pcall(function()
    for j = 1, 10 do
      for k in pairs {1, 2, 3} do
        if i % 7 == 0 and j == 5 then error(i) end
      end
    end
    if i % 3 == 0 then error() end
  end)
  if ok then survived = survived + 1 end
end
print(survived)

-- too much: recursion in Lua, in C, in metamethods, in handlers, in patterns, in the parser, in errors of errors
local function short(e) return (tostring(e):gsub("\n.*", ""):match("stack overflow") or tostring(e):sub(1, 60)) end
local function endless(n) return 1 + endless(n + 1) end
print(short(message(endless, 1)))
local loop = setmetatable({}, {})
getmetatable(loop).__index = function(t, k) return t[k .. "x"] end
print(short(message(function() return loop.x end)))
local chained = {}
for _ = 1, 2500 do chained = setmetatable({}, {__index = chained}) end
print(message(function() return chained.x end))
print(short(message(function() local function s() return tostring(setmetatable({}, {__tostring = s})) end s() end)))
print(short(message(string.gsub, "x", "x", function() local function g(s) return (s:gsub(".", g)) end return g("x") end)))
print((short(select(2, xpcall(endless, function(m) return short(m) end, 1)))))
print(pcall(xpcall, endless, endless, 1))
local function recursive_pcall(n) return pcall(recursive_pcall, n + 1) end
print(type(recursive_pcall(1)))
print(short(select(2, load("return " .. string.rep("(", 1000) .. "1" .. string.rep(")", 1000)))))
print(pcall(string.find, string.rep("a", 50000) .. "b", string.rep("a?", 300) .. "b$"))
print(pcall(string.rep, "x", 1 << 40, "y"))
print(message(level1))

-- variables to be closed when an error passes
if is_54 then
  load([[
    local order = {}
    local function closing(name, fails)
      return setmetatable({}, {__close = function(_, e)
        order[#order + 1] = name .. "(" .. tostring(e) .. ")"
        if fails then error("close " .. name, 0) end
      end})
    end
    print(pcall(function()
      local a <close> = closing("a")
      local b <close> = closing("b", true)
      local c <close> = closing("c")
      error("body", 0)
    end))
    print(table.concat(order, " "))
    print(pcall(function() local x <close> = 42 end))
    print(pcall(function() for i = 1, 3 do local d <close> = closing("d" .. i, i == 2) end end))
    print(pcall(function() for k in pairs({1}), nil, nil, closing("e") do end return "after for" end))
    local function returns() local f <close> = closing("f") return table.unpack({1, 2, 3}) end
    print(returns())
    print(table.concat(order, " "))
    warn("@on") warn("a warning ", "in pieces") warn("@off") warn("unheard")
  ]], "=closing")()
end
io.stderr:write("to standard error\n")
print("errors done")
error(object)
