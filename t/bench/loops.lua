local s = 0
for i = 1, 3000 do
  for j = 1, 3000 do
    s = s + (i ~ j) * 3
    if s > 1000000 then
      s = s - 1000000
    end
  end
end
print(s)
