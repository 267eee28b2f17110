-- Phases of a program with objects, closures and data structures. phases.lua runs it.

-- --- accounts

local Account = {}
Account.__index = Account

function Account.new(balance)
  return setmetatable({ balance = balance, entries = 0 }, Account)
end

function Account:deposit(amount)
  self.balance = self.balance + amount
  self.entries = self.entries + 1
end

function Account:get()
  return self.balance
end

local Limited = setmetatable({}, { __index = Account })
Limited.__index = Limited

function Limited:withdraw(amount)
  if self:get() < amount then
    return false
  end
  self.balance = self.balance - amount
  return true
end

function ph_accounts()
  local account = setmetatable({ balance = 0, entries = 0 }, Limited)
  for i = 1, 100000 do
    account:deposit(10)
    account:withdraw(5)
  end
  return account:get()
end

-- --- vectors

local Vector = {}
Vector.__index = Vector
Vector.__add = function(a, b)
  return setmetatable({ x = a.x + b.x, y = a.y + b.y }, Vector)
end
Vector.__eq = function(a, b) return a.x == b.x and a.y == b.y end

function ph_vectors()
  local sum, step, n = setmetatable({ x = 0, y = 0 }, Vector), setmetatable({ x = 1, y = 2 }, Vector), 0
  for i = 1, 80000 do
    sum = sum + step
    if sum == step then n = n + 1 end
  end
  return sum.x + sum.y + n
end

-- --- closures

local function counter(step)
  local n = 0
  return function()
    n = n + step
    return n
  end
end

function ph_closures()
  local sum = 0
  for i = 1, 16000 do
    local next = counter(i)
    for j = 1, 20 do sum = sum + next() end
  end
  return sum
end

-- --- map

local function map(list, f)
  local result = {}
  for i, value in ipairs(list) do
    result[i] = f(value)
  end
  return result
end

function ph_map()
  local list, sum = {}, 0
  for i = 1, 1000 do list[i] = i end
  for round = 1, 130 do
    local doubled = map(list, function(x) return x * 2 end)
    local even = map(doubled, function(x)
      return x % 4 == 0 and x or 0
    end)
    sum = sum + even[#even]
  end
  return sum
end

-- --- queue

local function push(heap, value)
  local i = #heap + 1
  heap[i] = value
  while i > 1 do
    local parent = i // 2
    if heap[parent] <= heap[i] then break end
    heap[parent], heap[i] = heap[i], heap[parent]
    i = parent
  end
end

local function pop(heap)
  local top, n = heap[1], #heap
  heap[1] = heap[n]
  heap[n] = nil
  n = n - 1
  local i = 1
  while 2 * i <= n do
    local child = 2 * i
    if child < n and heap[child + 1] < heap[child] then child = child + 1 end
    if heap[i] <= heap[child] then break end
    heap[i], heap[child] = heap[child], heap[i]
    i = child
  end
  return top
end

function ph_queue()
  local heap, sum = {}, 0
  for i = 1, 20000 do push(heap, i * 7919 % 10007) end
  for i = 1, 20000 do sum = sum + pop(heap) * (i % 3) end
  return sum
end

-- --- tree

local function insert(node, key)
  if not node then return { key = key } end
  if key < node.key then
    node.left = insert(node.left, key)
  elseif key > node.key then
    node.right = insert(node.right, key)
  end
  return node
end

local function size(node)
  if not node then return 0 end
  return 1 + size(node.left) + size(node.right)
end

function ph_tree()
  local root
  for i = 1, 8000 do root = insert(root, i * 7919 % 8009) end
  return size(root)
end

-- --- generators

local function values(n)
  return coroutine.wrap(function()
    for i = 1, n do
      coroutine.yield(i)
    end
  end)
end

function ph_generators()
  local sum = 0
  for round = 1, 1300 do
    for value in values(100) do
      sum = sum + value
    end
  end
  return sum
end

-- --- matrix

function ph_matrix()
  local n, a, c = 80, {}, {}
  for i = 1, n do
    a[i], c[i] = {}, {}
    for j = 1, n do a[i][j] = i + j end
  end
  for i = 1, n do
    for j = 1, n do
      local s = 0
      for k = 1, n do
        s = s + a[i][k] * a[k][j]
      end
      c[i][j] = s
    end
  end
  return c[n][n]
end

-- --- sieve

function ph_sieve()
  local n, composite, count = 200000, {}, 0
  for i = 2, n do
    if not composite[i] then
      count = count + 1
      for j = i * i, n, i do composite[j] = true end
    end
  end
  return count
end

-- --- hanoi

local moves = 0
local function hanoi(n, from, to, by)
  if n == 0 then return end
  hanoi(n - 1, from, by, to)
  moves = moves + 1
  hanoi(n - 1, by, to, from)
end

function ph_hanoi()
  moves = 0
  hanoi(17, "a", "b", "c")
  return moves
end

-- --- events

local handlers = {}
local function on(name, handler)
  handlers[name] = handlers[name] or {}
  table.insert(handlers[name], handler)
end

local function emit(name, ...)
  for _, handler in ipairs(handlers[name] or {}) do
    handler(...)
  end
end

function ph_events()
  local n, sum = 0, 0
  on("tick", function(x) n = n + x end)
  on("tick", function(x) sum = sum + n % 3 end)
  on("tock", function(x, y)
    sum = sum + x * y
  end)
  for i = 1, 40000 do
    emit("tick", i)
    emit("tock", i, 2)
  end
  return sum
end

return {
  { "accounts", ph_accounts }, { "vectors", ph_vectors }, { "closures", ph_closures }, { "map", ph_map },
  { "queue", ph_queue }, { "tree", ph_tree }, { "generators", ph_generators }, { "matrix", ph_matrix },
  { "sieve", ph_sieve }, { "hanoi", ph_hanoi }, { "events", ph_events },
}
