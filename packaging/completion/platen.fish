# Completion of platen for fish; asked of the program itself.

function __platen_commands
    platen --help 2>/dev/null | string match -rg '^  platen ([a-z]+) '
end

function __platen_tools
    platen tools 2>/dev/null | string replace -rf '^([a-z-]+) +(.*)$' '$1\t$2'
end

# The options of the command at hand, or of the tool that is to run.
function __platen_options
    set -l words (commandline -opc)
    if test (count $words) -ge 3; and test $words[2] = run
        platen tools $words[3] 2>/dev/null | string replace -rf '^  (--\S+) +(.*)$' '$1\t$2'
        printf '%s\n' -o
    else if test (count $words) -ge 2
        platen $words[2] --help 2>/dev/null | string replace -rf '^  (--\S+) +(.*)$' '$1\t$2'
        printf '%s\n' --config
    end
end

complete -c platen -n 'test (count (commandline -opc)) -eq 1' -f -a '(__platen_commands) --help --version'
complete -c platen -n '__fish_seen_subcommand_from run tools; and test (count (commandline -opc)) -eq 2' -f -a '(__platen_tools)'
complete -c platen -n '__fish_seen_subcommand_from key; and test (count (commandline -opc)) -eq 2' -f -a 'create list revoke rotate'
complete -c platen -n 'string match -q -- "-*" (commandline -ct)' -a '(__platen_options)'
