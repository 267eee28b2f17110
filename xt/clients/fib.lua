-- Run by lighttpd for each request, with global variables of its own: /N is answered with the Nth Fibonacci number,
-- /eval/N by way of a new text.
local function fib(n)
  if n < 3 then return 1 end
  return fib(n - 1) + fib(n - 2)
end

local function evaluated(n)
  return load("-- " .. math.random(1 << 40) .. "\nlocal fib = ...\nreturn function(n) return (fib(n)) end")(fib)(n)
end

local eval, n = lighty.env["uri.path"]:match("^/(e?v?a?l?/?)(%d+)$")
if not n then return 404 end
lighty.content = { eval == "" and fib(tonumber(n)) or evaluated(tonumber(n)), "\n" }
return 200
