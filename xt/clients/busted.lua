-- The command busted, whose first line names another Lua.
arg[0] = "busted"
require "busted.runner" {standalone = false}
