-- For xt/lua-clients.t. The environment has DIR, PORT and CLIENTS.
local dir = os.getenv("DIR")
run_as_root = true
data_path = dir
pidfile = dir .. "/prosody.pid"
daemonize = false
plugin_paths = { os.getenv("CLIENTS") }
modules_enabled = { "fib" }
modules_disabled = { "s2s", "c2s", "admin_shell", "offline" }
http_ports = { tonumber(os.getenv("PORT")) }
http_interfaces = { "127.0.0.1" }
https_ports = {}
log = { info = "*console" }
VirtualHost "localhost"
VirtualHost "127.0.0.1"
