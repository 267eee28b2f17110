-- For luarocks: luarocks make, in this directory. What builds it is the same as for Perl, so perl and make have to be
-- there, and zlib's header should, perhaps libdeflate's. source.url and a homepage are the owner's to fill in.
rockspec_format = "1.0"
package = "nytprof"
version = "7.00-1"
source = { url = "." }
description = {
  summary = "Exact profiler for Lua 5.4 and 5.3 that costs little",
  detailed = "Counts and times lines and calls, and makes reports for the browser and for other tools.",
  license = "MIT",
}
supported_platforms = { "linux" }
dependencies = { "lua >= 5.3, < 5.5" }
build = {
  type = "command",
  build_command = "export CPATH='$(LUA_INCDIR)' && perl Makefile.PL && make pure_all",
  install_command = [[V=$('$(LUA)' -e 'io.write((_VERSION:gsub("Lua ", "")))') && mkdir -p '$(LIBDIR)' &&
    cp "build/lua$V/nytprof.so" "build/lua$V/nytprof-preload.so" '$(LIBDIR)' &&
    mkdir -p '$(PREFIX)/include' && cp xs/lua/nytprof.h '$(PREFIX)/include']],
  install = { bin = { nytprof = "build/nytprof" } },
}
