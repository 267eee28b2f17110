-- A module of prosody: /fib/N is answered with the Nth Fibonacci number, after a wait in the server's loop; /fib/now/N
-- without it, and /fib/eval/N by way of a new text.
module:depends("http")

local timer = require "util.timer"
local texts = 0

local function fib(n)
  if n < 3 then return 1 end
  return fib(n - 1) + fib(n - 2)
end

local function evaluated(n)
  texts = texts + 1
  return load("-- " .. texts .. "\nlocal fib = ...\nreturn function(n) return (fib(n)) end")(fib)(n)
end

module:provides("http", {
  route = {
    ["GET /*"] = function(event, path)
      local how, n = path:match("^(%l*)/?(%d+)$")
      if how == "now" then return fib(tonumber(n)) .. "\n" end
      if how == "eval" then return evaluated(tonumber(n)) .. "\n" end
      if how ~= "" then return 404 end
      timer.add_task(0.01, function()
        event.response:send(fib(tonumber(n)) .. "\n")
      end)
      return true
    end,
  },
})
