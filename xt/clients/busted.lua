-- The command busted; the first line of the installed one names another Lua.
arg[0] = "busted"
require "busted.runner" {standalone = false}
