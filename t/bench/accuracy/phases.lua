-- Runs a program that measures the time of its own phases, as Phases.pm does. The program is a series of sections
--
--     -- --- name
--     ... the functions of the phase ...
--     function ph_name() ... return result end
--
-- and ends with return { { "name", ph_name }, ... }. This file calls the phases in this order, each once, and prints
-- "NAME SECONDS RESULT" for each, seconds of CPU time. Results show that all runs did the same work.
local phases = dofile((...))
local done = {}
for i, phase in ipairs(phases) do
  collectgarbage()
  local begin = os.clock()
  local result = phase[2]()
  done[i] = string.format("%s %.6f %s", phase[1], os.clock() - begin, tostring(result))
end
print(table.concat(done, "\n"))
