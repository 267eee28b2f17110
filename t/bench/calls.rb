# SPDX-License-Identifier: MIT
# Calls of small methods.
def fib(n)
  if n < 2
    n
  else
    fib(n - 1) + fib(n - 2)
  end
end
fib(27)
