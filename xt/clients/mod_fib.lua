-- A module of prosody: /fib/N is answered with the Nth Fibonacci number, after a wait in the server's loop.
module:depends("http")

local timer = require "util.timer"

local function fib(n)
  if n < 3 then return 1 end
  return fib(n - 1) + fib(n - 2)
end

module:provides("http", {
  route = {
    ["GET /*"] = function(event, n)
      if not n:match("^%d+$") then return 404 end
      timer.add_task(0.01, function()
        event.response:send(fib(tonumber(n)) .. "\n")
      end)
      return true
    end,
  },
})
