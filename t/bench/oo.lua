local A = {} A.__index = A
function A.new(b) return setmetatable({b = b}, A) end
function A:deposit(n)
  self.b = self.b + n
end
function A:get()
  return self.b
end
local B = setmetatable({}, {__index = A}) B.__index = B
B.__add = function(x, y) return A.new(x.b + y.b) end
function B:withdraw(n)
  if self:get() >= n then
    self.b = self.b - n
  end
end
local b = setmetatable({b = 0}, B)
for i = 1, 600000 do
  b:deposit(10)
  b:withdraw(5)
  if i % 4 == 0 then
    local c = b + b
  end
end
