-- Tests by luaunit: some pass, two fail, one has an error, one is skipped.
os.time, os.date = function() return 0 end, function() return "today" end
math.randomseed(7)
local unit = require "luaunit"

local log = {}
TestTables = {}
function TestTables:setUp() self.list = {3, 1, 2} log[#log + 1] = "setUp" end
function TestTables:tearDown() self.list = nil end
function TestTables:testSort() table.sort(self.list) unit.assertEquals(self.list, {1, 2, 3}) end
function TestTables:testItems() unit.assertItemsEquals(self.list, {1, 2, 3}) end
function TestTables:testFails() unit.assertEquals(self.list, {1, 2, {3}}) end
function TestTables:testDeep() unit.assertEquals({a = {b = {c = {1, 2}}}}, {a = {b = {c = {1, 2}}}}) end

TestErrors = {}
function TestErrors:testRaised() unit.assertErrorMsgContains("boom", function() error("boom") end) end
function TestErrors:testTable() unit.assertErrorMsgEquals({code = 1}, function() error({code = 1}) end) end
function TestErrors:testNone() unit.assertError(function() end) end
function TestErrors:testError() local t = nil return t.field end
function TestErrors:testSkipped() unit.skip("not today") end

TestCoroutines = {}
function TestCoroutines:testGenerator()
  local sum = 0
  for i in coroutine.wrap(function() for i = 1, 100 do coroutine.yield(i) end end) do sum = sum + i end
  unit.assertEquals(sum, 5050)
end
function TestCoroutines:testStrings() unit.assertStrMatches(("x"):rep(10), "x+") unit.assertIsNumber(#log) end

os.exit(unit.LuaUnit.run())
