-- Run by lighttpd for each request: /N is answered with the Nth Fibonacci number.
local function fib(n)
  if n < 3 then return 1 end
  return fib(n - 1) + fib(n - 2)
end

local n = lighty.env["uri.path"]:match("^/(%d+)$")
if not n then return 404 end
lighty.content = { fib(tonumber(n)), "\n" }
return 200
