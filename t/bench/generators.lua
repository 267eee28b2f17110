local function values(n)
  return coroutine.wrap(function()
    for i = 1, n do
      coroutine.yield(i)
    end
  end)
end
local sum = 0
for v in values(400000) do
  sum = sum + v
end
local echo = coroutine.create(function(x)
  while true do
    x = coroutine.yield(x + 1)
  end
end)
for i = 1, 400000 do
  local _, x = coroutine.resume(echo, i)
  sum = sum + x
end
for i = 1, 20000 do
  for v in values(3) do sum = sum + v end
end
