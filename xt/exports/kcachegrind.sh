#!/bin/sh
# SPDX-License-Identifier: MIT
# sh kcachegrind.sh DIR FILE FUNCTION...
#
# Loads a callgrind file into kcachegrind, without a screen, and selects each function in turn: it prints the line for
# that function of the call graph that kcachegrind gives to dot, which has the inclusive cost. What kcachegrind says is
# on standard error. DIR is for its settings. Runs in a D-Bus session of its own, by which it drives kcachegrind.
set -eu
dir=$1 file=$2
shift 2

mkdir -p "$dir/bin"
chmod 700 "$dir"
cat >"$dir/kcachegrindrc" <<END
[TipOfDay]
RunOnStart=false
[GeneralSettings]
ShowPercentage=false
[MainView-TabView-1]
ActiveBottom=CallGraphView
ActiveItemType=Function
ActiveItemName=$1
END
cat >"$dir/bin/dot" <<END
#!/bin/sh
cat >"$dir/graph.\$\$" && mv "$dir/graph.\$\$" "$dir/graph"
END
chmod +x "$dir/bin/dot"

export LC_ALL=C HOME="$dir" XDG_CONFIG_HOME="$dir" XDG_CACHE_HOME="$dir" XDG_RUNTIME_DIR="$dir" PATH="$dir/bin:$PATH"
export QT_QPA_PLATFORM=offscreen QT_FORCE_STDERR_LOGGING=1 QT_LOGGING_RULES='default.debug=true'
kcachegrind "$file" &
viewer=$!
trap 'kill "$viewer"' EXIT

asks() {
    dbus-send --session --print-reply --dest="org.kde.kcachegrind-$viewer" /kcachegrind/MainWindow_1 "$@"
}

# Before the file is loaded kcachegrind has no functions to select.
for function; do
    rm -f "$dir/graph"
    until grep -hsF "** $function" "$dir/graph"; do
        asks org.kde.kcachegrind.setFunction "string:$function" >"$dir/reply" 2>&1 || kill -0 "$viewer"
        sleep 0.2
    done
done
asks org.kde.KMainWindow.activateAction string:file_quit >"$dir/reply"
wait "$viewer"
trap - EXIT
