local records = {}
for i = 1, 100000 do
  records[i] = {id = i, key = (i * 7919) % 100003, name = "n" .. i}
end
table.sort(records, function(a, b)
  return a.key < b.key
end)
local groups = {}
for _, r in ipairs(records) do
  local g = groups[r.key % 100]
  if not g then
    g = {}
    groups[r.key % 100] = g
  end
  g[#g + 1] = r
end
local sieve = {}
for i = 2, 1000000 do sieve[i] = true end
for i = 2, 1000 do
  if sieve[i] then
    for j = i * i, 1000000, i do
      sieve[j] = false
    end
  end
end
