# SPDX-License-Identifier: MIT
# Plain lines: local variables, arrays, hashes.
sums = { even: 0, odd: 0 }
i = 0
while i < 1_500_000
  kind = i.even? ? :even : :odd
  last = sums[kind]
  sums[kind] = last + i
  if last > i
    low = i
  else
    low = last
  end
  i += 1
end
