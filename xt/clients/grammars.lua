-- Grammars by lpeg's module re: captures by functions in Lua, recursion, substitution, errors from captures.
local re, lpeg = require "re", require "lpeg"

local function number(text) return tonumber(text) end
local function fold(first, ...)
  local total = first
  for i = 1, select("#", ...), 2 do
    local operator, value = select(i, ...)
    if operator == "+" then total = total + value
    elseif operator == "-" then total = total - value
    elseif operator == "*" then total = total * value
    elseif value == 0 then error("division by zero", 0)
    else total = total / value end
  end
  return total
end
local calculator = re.compile([[
  sum     <- (product ({[+-]} product)*) -> fold
  product <- (value ({[*/]} value)*) -> fold
  value   <- {[0-9]+} -> number / '(' sum ')'
]], {number = number, fold = fold})
for _, text in ipairs {"1+2*3", "(1+2)*3", "10/4-1", "((((7))))", "2*(3+4)*5", "1/0", "x"} do
  print(text, pcall(calculator.match, calculator, text))
end
print(type(select(2, pcall(re.compile, "a <- "))), pcall(re.compile, "a <- %unknown"))

local json = re.compile([[
  document <- s value !.
  value    <- object / array / string / number / 'true' s / 'false' s / 'null' s
  object   <- '{' s (pair (',' s pair)*)? '}' s
  pair     <- string ':' s value
  array    <- '[' s (value (',' s value)*)? ']' s
  string   <- '"' ([^"\] / '\' .)* '"' s
  number   <- '-'? [0-9]+ ('.' [0-9]+)? s
  s        <- %s*
]])
local parts = {}
for i = 1, 500 do parts[i] = string.format('{"id": %d, "tags": ["a", "b\\n", null], "value": -%d.5}', i, i) end
local text = "[" .. table.concat(parts, ", ") .. "]"
print("json", json:match(text) == #text + 1)
print("json", json:match(text:sub(1, -2)))
print(re.gsub("hello wide world", "%w+", function(word) return word:sub(1, 1):upper() .. word:sub(2) end))
print(re.find("the number 423 is odd", "[0-9]+"))
local words = lpeg.Ct((lpeg.C(lpeg.R("az") ^ 1) + 1) ^ 0)
local count = 0
for _ = 1, 200 do count = count + #words:match("one two three, four") end
print(count)
local co = coroutine.wrap(function()
  re.gsub("a b c", "%w", function(c) coroutine.yield(c) end)
end)
print(pcall(co))
