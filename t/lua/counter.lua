-- Counts lines and calls with a hook written in Lua, which shares nothing with the profiler: lua counter.lua OUT PROGRAM
-- ARGUMENT... Rows "line N", "function FIRST-LINE N" of the program's own, and "c NAME N" of C functions in the library.
local out, program = arg[1], arg[2]
local lines, functions, c_functions, name_of = {}, {}, {}, {}
local source = "@" .. program

for _, library in pairs({"string", "table", "math", "coroutine"}) do
  for field, value in pairs(package.loaded[library]) do
    if type(value) == "function" then name_of[value] = library .. "." .. field end
  end
end
for _, name in ipairs({"pcall", "xpcall", "error", "select", "load", "setmetatable", "assert", "tostring"}) do
  name_of[_G[name]] = name
end

local getinfo, sethook, create, wrap = debug.getinfo, debug.sethook, coroutine.create, coroutine.wrap

local function add(to, key) to[key] = (to[key] or 0) + 1 end

local function hook(event, line)
  if event == "line" then
    if getinfo(2, "S").source == source then add(lines, line) end
  else
    local info = getinfo(2, "Sf")
    if info.what == "Lua" and info.source == source then add(functions, info.linedefined) end
    if info.what == "C" and name_of[info.func] then add(c_functions, name_of[info.func]) end
  end
end

-- Lua has a hook for each thread.
function coroutine.create(body)
  local thread = create(body)
  sethook(thread, hook, "lc")
  return thread
end
name_of[coroutine.create] = nil

function coroutine.wrap(body)
  local thread = coroutine.create(body)
  return function(...)
    local function pass(ok, ...)
      if not ok then error(..., 0) end
      return ...
    end
    return pass(coroutine.resume(thread, ...))
  end
end

local main = assert(loadfile(program))
table.move(arg, 3, #arg, 1)
sethook(hook, "lc")
main()
sethook()
local file = assert(io.open(out, "w"))
for line, n in pairs(lines) do file:write("line ", line, " ", n, "\n") end
for first, n in pairs(functions) do file:write("function ", first, " ", n, "\n") end
for name, n in pairs(c_functions) do file:write("c ", name, " ", n, "\n") end
file:close()
