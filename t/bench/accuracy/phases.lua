-- Programs that know where their time goes, as those of Phases.pm: each is a series of sections
--
--     -- --- name
--     ... the functions that the phase is made of ...
--     function ph_name() ... return result end
--
-- and ends with return { { "name", ph_name }, ... }. This runs it: calls the phases in that order, each once, and prints
-- "NAME SECONDS RESULT" for each, seconds of CPU time. A result tells that all runs did the same.
local phases = dofile((...))
local done = {}
for i, phase in ipairs(phases) do
  collectgarbage()
  local begin = os.clock()
  local result = phase[2]()
  done[i] = string.format("%s %.6f %s", phase[1], os.clock() - begin, tostring(result))
end
print(table.concat(done, "\n"))
