-- Calls that never return: errors through pcall and xpcall, out of C functions, metamethods and deep recursion.
local function fail(depth)
  if depth == 0 then error("deep", 0) end
  fail(depth - 1)
  return depth
end

local function guarded(...)
  return pcall(...)
end

for depth = 0, 20 do
  guarded(fail, depth)
end
print(xpcall(fail, function(message)
  return message .. "!"
end, 3))

local strict = setmetatable({}, {
  __index = function(_, key)
    error("no " .. key, 0)
  end,
})
print(pcall(function() return strict.field end))
print(pcall(string.rep))
print(pcall(table.sort, {3, 1, 2}, function()
  error("cannot compare", 0)
end))
print(pcall(string.gsub, "abc", ".", function(c)
  if c == "b" then error("not b", 0) end
  return c
end))

local function deep(n)
  if n == 1000 then error("deep enough", 0) end
  return 1 + deep(n + 1)
end
print(pcall(deep, 1))

local function after()
  local total = 0
  for i = 1, 10 do
    total = total + i
  end
  return total
end
print(after(), select("#", pcall(error)))
goto done
print("never")
::done::
print(after())
