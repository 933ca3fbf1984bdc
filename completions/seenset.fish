# fish completion of seenset: commands, options, layouts, file names.

function __seenset_needs_command
    test (count (commandline -opc)) -eq 1
end

function __seenset_in
    set -l words (commandline -opc)
    test (count $words) -gt 1; and contains -- $words[2] $argv
end

function __seenset_needs_subcommand
    set -l words (commandline -opc)
    test (count $words) -eq 2; and test $words[2] = queue
end

function __seenset_in_queue
    set -l words (commandline -opc)
    test (count $words) -gt 2; and test $words[2] = queue; and contains -- $words[3] $argv
end

complete -c seenset -n '__seenset_needs_command' -f
complete -c seenset -n '__seenset_needs_command' -a dedup -d 'Print each line the first time it is seen'
complete -c seenset -n '__seenset_needs_command' -a new -d 'Make an empty set file'
complete -c seenset -n '__seenset_needs_command' -a add -d 'Add keys to a set file'
complete -c seenset -n '__seenset_needs_command' -a has -d 'Print the keys that a set file has seen'
complete -c seenset -n '__seenset_needs_command' -a remove -d 'Remove keys from a counting set file'
complete -c seenset -n '__seenset_needs_command' -a count -d 'Print how often each key is in a counting set'
complete -c seenset -n '__seenset_needs_command' -a intersect -d 'Make the intersection of set files'
complete -c seenset -n '__seenset_needs_command' -a similarity -d 'Estimate how similar two set files are'
complete -c seenset -n '__seenset_needs_command' -a seal -d 'Make the smallest kind of set, of all keys at once'
complete -c seenset -n '__seenset_needs_command' -a info -d 'Show what a set file is'
complete -c seenset -n '__seenset_needs_command' -a verify -d 'Check set files for damage'
complete -c seenset -n '__seenset_needs_command' -a merge -d 'Make the union of set files'
complete -c seenset -n '__seenset_needs_command' -a rekey -d 'Make a set under a new secret, from its keys'
complete -c seenset -n '__seenset_needs_command' -a rename -d 'Give a set file another name, with its secret'
complete -c seenset -n '__seenset_needs_command' -a plan -d 'Find the size of a set for a number of keys'
complete -c seenset -n '__seenset_needs_command' -a queue -d 'A to-visit queue for crawlers'
complete -c seenset -n '__seenset_needs_subcommand' -f
complete -c seenset -n '__seenset_needs_subcommand' -a push -d 'Append lines that were never seen'
complete -c seenset -n '__seenset_needs_subcommand' -a pop -d 'Hand out the oldest, each under a lease'
complete -c seenset -n '__seenset_needs_subcommand' -a ack -d 'End leases: their items are done'
complete -c seenset -n '__seenset_needs_subcommand' -a nack -d 'Give leases back'
complete -c seenset -n '__seenset_needs_subcommand' -a stat -d 'Show the state of a queue'
complete -c seenset -n '__seenset_needs_subcommand' -a verify -d 'Check every byte of a queue'
complete -c seenset -n '__seenset_needs_subcommand' -a repair -d 'Make a damaged queue usable again'
complete -c seenset -n '__seenset_needs_subcommand' -a delete -d 'Delete a queue and its folder'
complete -c seenset -n '__seenset_needs_command' -a help -d 'Show help'
complete -c seenset -n '__seenset_needs_command' -l version -d 'Show the version'
complete -c seenset -l help -d 'Show help'

complete -c seenset -n '__seenset_in help' -f -a 'dedup new add has remove count info verify merge intersect similarity seal rekey rename plan queue'
complete -c seenset -n '__seenset_in plan' -f

complete -c seenset -n '__seenset_in dedup new plan' -s n -l capacity -x -d 'Number of different keys'
complete -c seenset -n '__seenset_in dedup new seal plan' -s p -l rate -x -d 'False-positive rate'
complete -c seenset -n '__seenset_in new plan' -s m -x -d 'Size: 18MB, 64MiB, 9585058b'
complete -c seenset -n '__seenset_in new plan' -s k -x -d 'Bits that a key sets'
complete -c seenset -n '__seenset_in seal' -s k -x -a '3 4' -d '4: smallest, 3: faster'
complete -c seenset -n '__seenset_in new' -l layout -x -a 'blocked bloom counting split_block' -d 'Layout'
complete -c seenset -n '__seenset_in plan' -l layout -x -a 'blocked bloom counting sealed split_block' -d 'Layout'
complete -c seenset -n '__seenset_in new plan' -l counter-bits -x -a '2 3 4 6 8 12 16' -d 'Bits of a counter'
complete -c seenset -n '__seenset_in dedup new' -l window -x -d 'Remember the last W keys, or for a time: 24h'
complete -c seenset -n '__seenset_in dedup new' -l sliding -d 'The time of a key starts again when it is seen'
complete -c seenset -n '__seenset_in new' -l window-tables -x -d 'Tables of a window'
complete -c seenset -n '__seenset_in new plan' -l scheme -x -a 'murmur2a+fnv1a murmur3-128 polynomial md5-divmod enhanced-double clickhouse-bloom clickhouse-tokenbf' -d 'Index scheme'
complete -c seenset -n '__seenset_in new plan seal' -l seed -x -d 'Seed of the hash'
complete -c seenset -n '__seenset_in new plan' -l seeds -x -d 'Factors of the polynomial hashes'
complete -c seenset -n '__seenset_in new plan' -l units -x -a '8 16' -d 'Bits of a unit of a key'
complete -c seenset -n '__seenset_in new' -l bits -r -d 'Make the set of these bits'
complete -c seenset -n '__seenset_in dedup new seal' -l keyed -d 'Hash under a secret'
complete -c seenset -n '__seenset_in dedup new add has remove count info merge intersect similarity seal rekey' -l secret-file -r -d 'The file with the secret'
complete -c seenset -n '__seenset_in info' -s v -l verbose -d 'List all tables'
complete -c seenset -n '__seenset_in info' -l bits -d 'Print only the bits, or write them to a file'
complete -c seenset -n '__seenset_in info' -l format -x -a 'text json prometheus' -d 'The form of the figures'
complete -c seenset -n '__seenset_in info' -l counters -d 'Print only the counters'
complete -c seenset -n '__seenset_in info' -l picture -r -d 'Draw how full the set is, in a PNG file'
complete -c seenset -n '__seenset_in new' -l on-full -x -a 'grow rotate refuse degrade' -d 'What to do when the set is full'
complete -c seenset -n '__seenset_in new info merge intersect seal rekey rename' -l force -d 'Replace the file if it exists'
complete -c seenset -n '__seenset_in info similarity plan' -l json -d 'Print a JSON object'
complete -c seenset -n '__seenset_in plan' -l table -d 'Rates by bits per key and k'
complete -c seenset -n '__seenset_in plan' -l plot -d 'Draw the rate by the number of keys, in a file .svg or .png'
complete -c seenset -n '__seenset_in dedup' -l set -r -d 'Remember what was seen in a file'
complete -c seenset -n '__seenset_in dedup add' -l save-every -x -d 'Also save every 1M lines, or every 60s'
complete -c seenset -n '__seenset_in dedup' -l threads -x -d 'Number of threads'
complete -c seenset -n '__seenset_in dedup' -s v -l repeated -d 'Print only the repeats'
complete -c seenset -n '__seenset_in dedup' -s c -l count -d 'Print only counts'
complete -c seenset -n '__seenset_in dedup' -s o -l output -r -d 'Print to a file, whole or not at all'
complete -c seenset -n '__seenset_in dedup' -l repeats-to -r -d 'Print the repeats to a file'
complete -c seenset -n '__seenset_in dedup' -l times -x -d 'Let each line through N times'
complete -c seenset -n '__seenset_in dedup' -l dry-run -d 'Change nothing'
complete -c seenset -n '__seenset_in dedup' -l exit-status -d 'Exit with 1 if nothing was new'
complete -c seenset -n '__seenset_in dedup add' -l stats -d 'Print statistics when done'
complete -c seenset -n '__seenset_in dedup add has remove count seal rekey' -s 0 -l null -d 'Lines end with NUL'
complete -c seenset -n '__seenset_in dedup add has remove count seal rekey' -s z -l compressed -d 'Input that is not compressed is an error'
complete -c seenset -n '__seenset_in dedup add has remove count seal rekey' -l no-decompress -d 'Read compressed input as it is'
complete -c seenset -n '__seenset_in add has remove count seal rekey' -l from -r -d 'Keys are the lines of a file'
complete -c seenset -n '__seenset_in dedup add has remove count seal rekey' -l normalise -x -a 'off url' -d 'Keys are URLs, in normal form'
complete -c seenset -n '__seenset_in dedup add has remove count seal rekey' -l strict -d 'An error if lines were left out, too'
complete -c seenset -n '__seenset_in rekey' -l partial -d 'Even if keys are missing'
complete -c seenset -n '__seenset_in dedup new add has info' -l audit -d 'Measure the false-positive rate'
complete -c seenset -n '__seenset_in has' -s v -l unseen -d 'Print the keys that were not seen'
complete -c seenset -n '__seenset_in has' -l annotate -d 'Print every line after hit or miss'
complete -c seenset -n '__seenset_in has' -s q -l quiet -d 'Print nothing'

complete -c seenset -n '__seenset_in_queue push' -s n -l capacity -x -d 'A new queue: distinct URLs to plan for'
complete -c seenset -n '__seenset_in_queue push' -s p -l rate -x -d 'A new queue: chance that a new URL is dropped'
complete -c seenset -n '__seenset_in_queue push' -l on-full -x -a 'grow degrade refuse' -d 'A new queue: what to do at its capacity'
complete -c seenset -n '__seenset_in_queue push' -l normalise -x -a 'off url' -d 'A new queue: one spelling of each URL'
complete -c seenset -n '__seenset_in_queue push' -l window -x -d 'A new queue: forget URLs after so many, or so long'
complete -c seenset -n '__seenset_in_queue push' -l sliding -d 'A new queue: a push renews a URL'
complete -c seenset -n '__seenset_in_queue push' -l layout -x -a 'blocked bloom split_block counting' -d 'A new queue: the filter'
complete -c seenset -n '__seenset_in_queue push' -l scheme -x -d 'A new queue: bits of another system'
complete -c seenset -n '__seenset_in_queue push' -l exact -d 'A new queue: the URLs themselves'
complete -c seenset -n '__seenset_in_queue push' -l keyed -d 'A new queue: hash under a secret'
complete -c seenset -n '__seenset_in_queue push pop ack nack stat verify repair delete' -l secret-file -r -d 'The secret of a keyed queue'
complete -c seenset -n '__seenset_in_queue delete' -l force -d 'Also if items are not acked'
complete -c seenset -n '__seenset_in_queue push' -l durability -x -a 'each interval none' -d 'When to sync'
complete -c seenset -n '__seenset_in_queue push' -s v -l verbose -d 'Print NEW or SEEN and the URL'
complete -c seenset -n '__seenset_in_queue push' -l strict -d 'An error if lines were left out, too'
complete -c seenset -n '__seenset_in_queue push pop ack nack verify repair delete' -l wait -d 'Seconds to wait while the queue is in use'
complete -c seenset -n '__seenset_in_queue push pop' -l data -d 'With the data of each URL'
complete -c seenset -n '__seenset_in_queue pop' -s n -l count -x -d 'Pop at most COUNT items'
complete -c seenset -n '__seenset_in_queue pop' -l deliveries -d 'Print how often an item was handed out'
complete -c seenset -n '__seenset_in_queue pop' -l ack -d 'Ack the items after printing them'
complete -c seenset -n '__seenset_in_queue pop' -l lease -x -d 'Seconds until an item is popped again'
complete -c seenset -n '__seenset_in_queue nack' -l delay -x -d 'Seconds until the item can be popped'
complete -c seenset -n '__seenset_in_queue pop' -l json -d 'Print lines of JSON'
complete -c seenset -n '__seenset_in_queue stat' -l watch -d 'Look again and again, after so many seconds'
complete -c seenset -n '__seenset_in_queue stat' -s n -l count -x -d 'Look so often'
complete -c seenset -n '__seenset_in_queue stat' -l json -d 'Print one line of JSON'
