# Completion of platen for fish. The program itself says what may follow (platen complete).

function __platen_complete
    set -l words (commandline -opc) (commandline -ct)
    for line in ($words[1] complete $words[2..-1] 2>/dev/null)
        switch $line
            case ':files'
                __fish_complete_path (commandline -ct)
            case ':files *'
                for ending in (string split ' ' -- (string replace ':files ' '' -- $line))
                    __fish_complete_suffix $ending
                end
            case ':folders'
                __fish_complete_directories (commandline -ct)
            case '*'
                echo $line
        end
    end
end

complete -c platen -f -k -a '(__platen_complete)'
