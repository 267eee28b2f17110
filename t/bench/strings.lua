local words = {}
for i = 1, 20000 do words[i] = "key" .. i % 700 .. "=" .. i end
local count = {}
for _ = 1, 6 do
  for _, word in ipairs(words) do
    local key, value = word:match("(%w+)=(%d+)")
    count[key] = (count[key] or 0) + tonumber(value)
    local s = word:upper():gsub("K", "k")
    if s:find("9", 1, true) then count.nine = (count.nine or 0) + 1 end
  end
end
local rows = {}
for key, n in pairs(count) do
  rows[#rows + 1] = string.format("%s %d", key, n)
end
table.sort(rows)
local text = table.concat(rows, "\n")
