# fish completion of seenset: commands, options, layouts, file names.

function __seenset_needs_command
    test (count (commandline -opc)) -eq 1
end

function __seenset_in
    set -l words (commandline -opc)
    test (count $words) -gt 1; and contains -- $words[2] $argv
end

complete -c seenset -n '__seenset_needs_command' -f
complete -c seenset -n '__seenset_needs_command' -a dedup -d 'Print each line the first time it is seen'
complete -c seenset -n '__seenset_needs_command' -a new -d 'Make an empty set file'
complete -c seenset -n '__seenset_needs_command' -a add -d 'Add keys to a set file'
complete -c seenset -n '__seenset_needs_command' -a has -d 'Print the keys that a set file has seen'
complete -c seenset -n '__seenset_needs_command' -a info -d 'Show what a set file is'
complete -c seenset -n '__seenset_needs_command' -a verify -d 'Check set files whole'
complete -c seenset -n '__seenset_needs_command' -a merge -d 'Make one set file of several'
complete -c seenset -n '__seenset_needs_command' -a plan -d 'How large for how many keys, at what rate'
complete -c seenset -n '__seenset_needs_command' -a queue -d 'A to-visit queue that survives crashes'
complete -c seenset -n '__seenset_in queue' -a 'push pop ack nack stat verify repair'
complete -c seenset -n '__seenset_needs_command' -a help -d 'Show help'
complete -c seenset -n '__seenset_needs_command' -l version -d 'Show the version'
complete -c seenset -l help -d 'Show help'

complete -c seenset -n '__seenset_in help' -f -a 'dedup new add has info verify merge plan queue'
complete -c seenset -n '__seenset_in plan' -f

complete -c seenset -n '__seenset_in dedup new plan' -s n -x -d 'Number of different keys'
complete -c seenset -n '__seenset_in dedup new plan' -s p -x -d 'False-positive rate'
complete -c seenset -n '__seenset_in plan' -s m -x -d 'Size: 18MB, 64MiB, 9585058b'
complete -c seenset -n '__seenset_in plan' -s k -x -d 'Bits that a key sets'
complete -c seenset -n '__seenset_in new plan' -l layout -x -a 'blocked bloom' -d 'Layout'
complete -c seenset -n '__seenset_in new' -l on-full -x -a 'degrade refuse' -d 'What to do past the capacity'
complete -c seenset -n '__seenset_in new merge' -l force -d 'Replace the file if it exists'
complete -c seenset -n '__seenset_in info plan' -l json -d 'Print a JSON object'
complete -c seenset -n '__seenset_in dedup' -l set -r -d 'Remember what was seen in a file'
complete -c seenset -n '__seenset_in dedup' -l threads -x -d 'Work on so many threads'
complete -c seenset -n '__seenset_in dedup' -s v -l repeated -d 'Print only the repeats'
complete -c seenset -n '__seenset_in dedup' -s c -l count -d 'Print only counts'
complete -c seenset -n '__seenset_in dedup add' -l stats -d 'Print statistics when done'
complete -c seenset -n '__seenset_in dedup add has' -s 0 -l null -d 'NUL ends a line'
complete -c seenset -n '__seenset_in has' -s v -l unseen -d 'Print the keys that were not seen'
complete -c seenset -n '__seenset_in has' -s q -l quiet -d 'Print nothing'
