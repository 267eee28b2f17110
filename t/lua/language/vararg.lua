-- Varargs: counting, selecting, packing, passing on, nils in the middle, in main chunks, methods, coroutines, tail
-- calls, constructors, closures and pcall; very many; and what the debug library says of them.
local is_54 = _VERSION == "Lua 5.4"

print(select("#", ...), arg and arg[0] ~= nil)

-- counting and selecting, from both ends
local function count(...) return select("#", ...) end
print(count(), count(nil), count(nil, nil), count(1, nil, 3), count(table.unpack({}, 1, 10)))
local function all(...) return ... end
print(all(1, nil, 3)) print((all(1, 2, 3))) print(all(all(), all()), all(all(1, 2), all(3, 4)))
print(select(2, "a", "b", "c")) print((select(-1, "a", "b", "c"))) print(select(-2, "a", "b", "c"))
print(pcall(select, 0), pcall(select, -5, 1), select(5, 1), count(select(3, 1, 2, 3, 4)))

-- fixed parameters before them
local function mixed(a, b, ...) return count(...), b, a, ... end
print(mixed()) print(mixed(1)) print(mixed(1, 2)) print(mixed(1, 2, 3)) print(mixed(1, 2, nil, nil))
local function few(a, b) return a, b end
print(few(all(1, 2, 3)), (few(all())))
local object = {}
function object:method(...) return self == object, count(...), ... end
print(object:method()) print(object:method(nil, "x"))

-- in constructors, assignments, expressions, conditions, returns in the middle
local function constructors(...)
  local t, u, v = {...}, {..., "end"}, {"begin", ...}
  return #t, #u, u[1], #v, v[#v]
end
print(constructors(1, 2, 3)) print(constructors("only"))
local function assign(...)
  local a, b = ...
  local c, d, e = "c", ...
  a, b = b, a
  local f = ...
  return a, b, c, d, e, f
end
print(assign(1, 2, 3)) print(assign())
print((function(...) if ... then return "some" end return "none" end)(false), (function(...) return not ... end)())
print((function(...) return ... + 1, -..., #(...) end)("4"))
print((function(...) local s = "" for i, v in ipairs {...} do s = s .. i .. v end return s end)("a", "b", "c"))

-- table.pack and unpack, with nils and ranges
local packed = table.pack(1, nil, 3, nil)
print(packed.n, packed[1], packed[3], count(table.unpack(packed, 1, packed.n)), count(table.unpack(packed, 1, 3)))
print(table.unpack({1, 2, 3}, 2)) print(table.unpack({1, 2, 3}, 2, 5)) print(table.unpack({1, 2}, 3))
print(table.unpack({[-1] = "x", [0] = "y"}, -1, 0)) print(pcall(table.unpack, {}, 1, 1 << 30))
print(table.unpack({}, math.maxinteger, math.mininteger), count(table.unpack({}, math.maxinteger, math.maxinteger)))
print(table.unpack(setmetatable({}, {__index = function(_, k) return k * 2 end}), 1, 4))

-- passed on: through calls, tail calls, pcall, xpcall, coroutines, metamethods
local function pass(...) return all(...) end
local function pass_twice(...) local a = count(...) return a, pass(...) end
print(pass(1, nil, nil), count(pass(1, nil, nil)), pass_twice("x", "y"))
local function shrink(...) if count(...) == 0 then return "empty" end return shrink(select(2, ...)) end
print(shrink(table.unpack({}, 1, 150)))
local function grow(n, ...) if n == 0 then return count(...) end return grow(n - 1, n, ...) end
print(grow(180))
local function reverse(first, ...) if count(...) == 0 then return first end
  local t = table.pack(reverse(...))
  t[t.n + 1] = first
  return table.unpack(t, 1, t.n + 1)
end
print(reverse(1, 2, 3, 4, 5))
local function sum(first, ...) if first then return first + sum(...) end return 0 end
print(sum(1, 2, 3, 4, 5, 6, 7, 8, 9, 10))
print(pcall(all, 1, nil, 3), count(pcall(all, nil, nil)), xpcall(all, print, "a", nil))
print(pcall(function(...) error(count(...), 0) end, 1, nil, nil))
local co = coroutine.wrap(function(...) local n = count(...) while true do n = count(coroutine.yield(n, ...)) end end)
print(co(1, nil, 3), co(), co(nil, nil), count(co()))
local callable = setmetatable({}, {__call = function(_, ...) return count(...), ... end})
print(callable(), callable(nil), callable(1, 2))
print(count(setmetatable({}, {__index = function(...) return count(...) end}).x, 1))

-- kept by closures, in tables, as strings
local function keep(...) local t = table.pack(...) return function(i) if i then return t[i] end return t.n end end
local kept = keep("a", nil, "c")
print(kept(), kept(1), kept(2), kept(3))
local function join(...) local t = table.pack(...) for i = 1, t.n do t[i] = tostring(t[i]) end return table.concat(t, ",") end
print(join(1, nil, true, "x"), join(), join(nil))
print(string.format("%s %d %q", all("s", 7, "q")), math.max(all(3, 9, 2)), (string.byte("abc", 1, -1)))

-- main chunks have them
print(load("return ...")("x", nil), count(load("return ...")(nil, nil)), load("local a, b = ... return b")(1, 2))
print(load("return select('#', ...)")(table.unpack({}, 1, 100)))
print(load("return function(...) return ... end")()(5), load("return function() return ... end"))

-- very many
local many = {}
for i = 1, 10000 do many[i] = i end
print(count(table.unpack(many)), (select(9999, table.unpack(many))), math.min(table.unpack(many)))
local function pass_many(n, ...) if n == 0 then return count(...) end return pass_many(n - 1, ...) end
print(pass_many(50, table.unpack(many)))
local function hold(n, ...) if n == 0 then return count(...) end local r = hold(n - 1, ...) return r end
print(hold(20, table.unpack(many)))
print((pcall(string.char, table.unpack(many, 1, 255))), #string.char(table.unpack(many, 1, 255)))

-- as the debug library has them
local function shown(a, ...) local b = "b" return debug.getlocal(1, -1), select(2, debug.getlocal(1, -2)), debug.getlocal(1, 1) end
print(shown("a", "first", "second"))
local function change(...) debug.setlocal(1, -1, "changed") return ... end
print(change("original", 2), debug.getinfo(change, "u").isvararg, debug.getinfo(change, "u").nparams)
local function level() return debug.getlocal(2, -2) end
print((function(...) local name, value = level() return name, value end)("p", "q"))
if is_54 then
  print(load("local function f(...) local a <close> = nil return select('#', ...), ... end return f(1, nil)")())
end
print("vararg done")
