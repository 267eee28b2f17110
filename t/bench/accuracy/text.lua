-- Phases of a program that works on text. phases.lua runs it.
local words = {}
for i = 1, 4000 do words[i] = "w" .. i * 37 % 1000 end
local text = table.concat(words, " ")

-- --- match

function ph_match()
  local n = 0
  for i = 1, 40000 do
    local key, value = ("key" .. i % 700 .. "=" .. i):match("(%w+)=(%d+)")
    n = n + tonumber(value) + #key
  end
  return n
end

-- --- gsub

function ph_gsub()
  local n = 0
  for round = 1, 60 do
    local changed, times = text:gsub("w(%d)", "v%1")
    n = n + times + #changed
  end
  return n
end

-- --- gsub_function

local function replace(word)
  return word .. "!"
end

function ph_gsub_function()
  local n = 0
  for round = 1, 24 do
    n = n + #text:gsub("%w+", replace)
  end
  return n
end

-- --- words

function ph_words()
  local count = {}
  for round = 1, 48 do
    for word in text:gmatch("%w+") do
      count[word] = (count[word] or 0) + 1
    end
  end
  return count.w37
end

-- --- format

function ph_format()
  local n = 0
  for i = 1, 36000 do
    n = n + #string.format("%5d %-8s %.2f", i, "name", i / 3)
  end
  return n
end

-- --- concat

function ph_concat()
  local n = 0
  for round = 1, 1500 do
    local line = ""
    for i = 1, 100 do
      line = line .. i .. ","
    end
    n = n + #line
  end
  return n
end

-- --- buffer

function ph_buffer()
  local n = 0
  for round = 1, 24 do
    local buffer = {}
    for i = 1, 5000 do
      buffer[#buffer + 1] = tostring(i)
    end
    n = n + #table.concat(buffer)
  end
  return n
end

-- --- bytes

function ph_bytes()
  local hash = 0
  for i = 1, #text do
    hash = (hash * 31 + text:byte(i)) % 1000003
  end
  for round = 1, 20 do
    for i = 1, #text do hash = hash ~ text:byte(i) end
  end
  return hash
end

-- --- json

local encode
local function encode_table(value)
  local parts = {}
  if #value > 0 then
    for i, item in ipairs(value) do parts[i] = encode(item) end
    return "[" .. table.concat(parts, ",") .. "]"
  end
  for key, item in pairs(value) do
    parts[#parts + 1] = '"' .. key .. '":' .. encode(item)
  end
  table.sort(parts)
  return "{" .. table.concat(parts, ",") .. "}"
end

function encode(value)
  local kind = type(value)
  if kind == "table" then
    return encode_table(value)
  elseif kind == "string" then
    return '"' .. value:gsub('["\\]', "\\%0") .. '"'
  end
  return tostring(value)
end

function ph_json()
  local n = 0
  for i = 1, 5000 do
    n = n + #encode({ id = i, name = "name", tags = { "a", "b", i }, nested = { x = i, y = true } })
  end
  return n
end

-- --- tokens

local function next_token(source, at)
  local from, to, token = source:find("^%s*(%a%w*)", at)
  if from then return "name", token, to + 1 end
  from, to, token = source:find("^%s*(%d+)", at)
  if from then return "number", token, to + 1 end
  from, to, token = source:find("^%s*(%p)", at)
  if from then return "other", token, to + 1 end
end

function ph_tokens()
  local source, count = string.rep("x1 = y + 42 * (z - 7); ", 200), { name = 0, number = 0, other = 0 }
  for round = 1, 24 do
    local at = 1
    while true do
      local kind, _, after = next_token(source, at)
      if not kind then break end
      count[kind] = count[kind] + 1
      at = after
    end
  end
  return count.name .. "/" .. count.number .. "/" .. count.other
end

-- --- file

function ph_file()
  local name, n = os.tmpname(), 0
  for round = 1, 8 do
    local out = assert(io.open(name, "w"))
    for i = 1, 8000 do
      out:write("line ", i, "\n")
    end
    out:close()
    for line in io.lines(name) do
      n = n + #line
    end
  end
  os.remove(name)
  return n
end

return {
  { "match", ph_match }, { "gsub", ph_gsub }, { "gsub_function", ph_gsub_function }, { "words", ph_words },
  { "format", ph_format }, { "concat", ph_concat }, { "buffer", ph_buffer }, { "bytes", ph_bytes }, { "json", ph_json },
  { "tokens", ph_tokens }, { "file", ph_file },
}
