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
complete -c seenset -n '__seenset_needs_command' -a remove -d 'Take keys out of a counting set file'
complete -c seenset -n '__seenset_needs_command' -a count -d 'Print how often a counting set has each key'
complete -c seenset -n '__seenset_needs_command' -a intersect -d 'Make one set file of what several have in common'
complete -c seenset -n '__seenset_needs_command' -a similarity -d 'How alike two set files are'
complete -c seenset -n '__seenset_needs_command' -a seal -d 'Make a set of all its keys at once'
complete -c seenset -n '__seenset_needs_command' -a info -d 'Show what a set file is'
complete -c seenset -n '__seenset_needs_command' -a verify -d 'Check set files whole'
complete -c seenset -n '__seenset_needs_command' -a merge -d 'Make one set file of several'
complete -c seenset -n '__seenset_needs_command' -a plan -d 'How large for how many keys, at what rate'
complete -c seenset -n '__seenset_needs_command' -a queue -d 'A to-visit queue that survives crashes'
complete -c seenset -n '__seenset_in queue' -a 'push pop ack nack stat verify repair'
complete -c seenset -n '__seenset_needs_command' -a help -d 'Show help'
complete -c seenset -n '__seenset_needs_command' -l version -d 'Show the version'
complete -c seenset -l help -d 'Show help'

complete -c seenset -n '__seenset_in help' -f -a 'dedup new add has remove count info verify merge intersect similarity seal plan queue'
complete -c seenset -n '__seenset_in plan' -f

complete -c seenset -n '__seenset_in dedup new plan' -s n -x -d 'Number of different keys'
complete -c seenset -n '__seenset_in dedup new seal plan' -s p -x -d 'False-positive rate'
complete -c seenset -n '__seenset_in new plan' -s m -x -d 'Size: 18MB, 64MiB, 9585058b'
complete -c seenset -n '__seenset_in new seal plan' -s k -x -d 'Bits that a key sets'
complete -c seenset -n '__seenset_in new' -l layout -x -a 'blocked bloom counting' -d 'Layout'
complete -c seenset -n '__seenset_in plan' -l layout -x -a 'blocked bloom' -d 'Layout'
complete -c seenset -n '__seenset_in new' -l counter-bits -x -a '4 8 16' -d 'Bits of a counter'
complete -c seenset -n '__seenset_in dedup new' -l window -x -d 'Remember so many keys, or seconds: 24h'
complete -c seenset -n '__seenset_in new' -l window-tables -x -d 'Tables of a window'
complete -c seenset -n '__seenset_in new' -l scheme -x -a 'murmur2a+fnv1a murmur3-128 polynomial md5-divmod enhanced-double' -d 'Index scheme'
complete -c seenset -n '__seenset_in dedup new seal' -l keyed -d 'Hash under a secret'
complete -c seenset -n '__seenset_in dedup new add has remove count info merge intersect similarity seal' -l secret-file -r -d 'The file of the secret'
complete -c seenset -n '__seenset_in info' -s v -l verbose -d 'Show every table'
complete -c seenset -n '__seenset_in info' -l bits -d 'Print only the bits'
complete -c seenset -n '__seenset_in info' -l picture -r -d 'Draw the fill to a PNG file'
complete -c seenset -n '__seenset_in new' -l on-full -x -a 'grow rotate refuse degrade' -d 'What to do past the capacity'
complete -c seenset -n '__seenset_in new info merge intersect seal' -l force -d 'Replace the file if it exists'
complete -c seenset -n '__seenset_in info similarity plan' -l json -d 'Print a JSON object'
complete -c seenset -n '__seenset_in dedup' -l set -r -d 'Remember what was seen in a file'
complete -c seenset -n '__seenset_in dedup' -l threads -x -d 'Work on so many threads'
complete -c seenset -n '__seenset_in dedup' -s v -l repeated -d 'Print only the repeats'
complete -c seenset -n '__seenset_in dedup' -s c -l count -d 'Print only counts'
complete -c seenset -n '__seenset_in dedup add' -l stats -d 'Print statistics when done'
complete -c seenset -n '__seenset_in dedup add has remove count seal' -s 0 -l null -d 'NUL ends a line'
complete -c seenset -n '__seenset_in has' -s v -l unseen -d 'Print the keys that were not seen'
complete -c seenset -n '__seenset_in has' -s q -l quiet -d 'Print nothing'
