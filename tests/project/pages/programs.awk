# The names of the programs that a script of the shell calls: what is in the
# place of a command, once for each place, as "NAME LINE FILE". A name that is
# made at run time (it has a "$" in it, or a path) is left out, and so is what is
# in quotes, but for the commands in "$(...)". "function NAME" is one that a
# script defines.
#
# A machine with a stack of what is open: c a list of commands in "$(" or "(",
# d double quotes, b the braces of a variable, a arithmetic, p the words of an
# array. Words are gathered in `word`; `place` is true where the next word is a
# command.

function begins() { place = 1; after = "" }
function push(kind) { stack[++depth] = kind; places[depth] = place }
function pop() { place = places[depth]; depth-- }

# What comes after these is a command as well.
function is_keyword(w) {
    return w ~ /^(if|then|else|elif|do|while|until|!|\{|\}|fi|done|esac|time)$/
}
function is_wrapper(w) {
    return w ~ /^(exec|nice|nohup|env|xargs|sudo|timeout|builtin|setsid)$/
}

function take_command(w) {
    if (w ~ /^[A-Za-z_][A-Za-z0-9_]*\+?(\[.*\])?\+?=/)
        return
    if (after == "value") { # of an option, as in xargs -d X, env -u X
        after = "wrapper"
        return
    }
    if (after == "wrapper" && w ~ /^(-.*|[0-9.]+[smh]?)$/) {
        if (w ~ /^-[udIPns]$/)
            after = "value"
        return
    }
    if (w == "for" || w == "case" || w == "select") {
        after = w
        place = 0
        return
    }
    if (w == "esac") {
        patterns[depth] = 0
        return
    }
    if (is_keyword(w))
        return
    if (w == "command") {
        after = "command"
        place = 0
        return
    }
    if (is_wrapper(w)) {
        after = "wrapper"
        print w, line, file
        return
    }
    place = 0
    after = ""
    if (w ~ /^[A-Za-z_][A-Za-z0-9_.+-]*$/)
        print w, line, file
}

function end_word(    w) {
    w = word
    word = ""
    if (w == "")
        return
    if (target) { # of a redirection
        target = 0
    } else if (patterns[depth] == 1) { # the words before a ")"
        if (w == "esac") {
            patterns[depth] = 0
            place = 1
        }
    } else if (place) {
        take_command(w)
    } else if (after == "case" && w == "in") {
        patterns[depth] = 1
        after = ""
    } else if (after == "command") {
        if (w !~ /^-/)
            take_command(w)
        after = ""
    }
}

# The lines of a document in the script; its first line is next.
function skip_documents(    i, end) {
    for (i = 1; i <= documents; i++)
        while (at <= length(text)) {
            end = index(substr(text, at), "\n")
            if (end == 0)
                end = length(text) - at + 2
            current = substr(text, at, end - 1)
            at += end
            line++
            if (strips[i])
                sub(/^\t+/, "", current)
            if (current == marks[i])
                break
        }
    documents = 0
}

function start_document(    rest) {
    rest = substr(text, at)
    match(rest, /^<<-?[ \t]*["'\\]?[A-Za-z_]+["']?/)
    if (RSTART != 1) {
        at += 2
        return
    }
    current = substr(rest, 1, RLENGTH)
    at += RLENGTH
    documents++
    strips[documents] = current ~ /^<<-/
    gsub(/[^A-Za-z_]/, "", current)
    marks[documents] = current
}

# after a "$": is something open now?
function dollar() {
    if (substr(text, at, 3) == "$((") {
        push("a")
        level = 2
        at += 3
    } else if (substr(text, at, 2) == "$(") {
        words[depth + 1] = word "$"
        push("c")
        patterns[depth] = 0
        word = ""
        begins()
        at += 2
    } else if (substr(text, at, 2) == "${") {
        word = word "$"
        push("b")
        at += 2
    } else {
        word = word "$"
        at++
    }
}

# At a character outside quotes.
function bare(c,    two) {
    two = substr(text, at, 2)
    if (c == "\\") {
        if (substr(text, at + 1, 1) == "\n")
            line++
        else
            word = word "\\" substr(text, at + 1, 1)
        at += 2
    } else if (c == "'") {
        word = word "$" # a quoted name is not looked at
        at++
        while (at <= length(text) && substr(text, at, 1) != "'") {
            if (substr(text, at, 1) == "\n")
                line++
            at++
        }
        at++
    } else if (c == "\"") {
        word = word "$"
        push("d")
        at++
    } else if (c == "$") {
        dollar()
    } else if (c == "#" && word == "") {
        while (at <= length(text) && substr(text, at, 1) != "\n")
            at++
    } else if (two == "<<" && substr(text, at, 3) != "<<<") {
        end_word()
        start_document()
    } else if (c == "<" || c == ">" || two == "&>") {
        if (word ~ /^[0-9]+$/)
            word = ""
        end_word()
        while (substr(text, at, 1) ~ /[<>&|]/)
            at++
        if (substr(text, at, 1) != "(")
            target = 1
    } else if (c == "(" && word ~ /^[A-Za-z_0-9]+$/ &&
            substr(text, at, 2) == "()") {
        print "function", word
        word = ""
        at += 2
        begins()
    } else if (c == "(" && word ~ /=$/) {
        word = ""
        push("p")
        place = 0
        at++
    } else if (two == "((" && word == "") {
        push("a")
        level = 2
        at += 2
    } else if (c == "(") {
        if (patterns[depth] == 1) {
            at++
            return
        }
        end_word()
        words[depth + 1] = ""
        push("c")
        patterns[depth] = 0
        begins()
        at++
    } else if (c == ")") {
        if (patterns[depth] == 1) {
            word = ""
            patterns[depth] = 2
            begins()
        } else {
            end_word()
            if (depth > 0) {
                word = words[depth]
                pop()
            }
        }
        at++
    } else if (two == ";;") {
        end_word()
        patterns[depth] = 1
        at += 2
    } else if (c ~ /[;&|\n]/) {
        end_word()
        target = 0
        if (patterns[depth] != 1)
            begins()
        at++
        if (c == "\n") {
            line++
            if (documents)
                skip_documents()
        }
    } else if (c ~ /[ \t]/) {
        end_word()
        at++
    } else {
        word = word c
        at++
    }
}

function inside(kind, c) {
    if (kind == "d") {
        if (c == "\\") {
            at += 2
            return
        }
        if (c == "$") {
            dollar()
            return
        }
        if (c == "\"")
            depth--
    } else if (kind == "b") {
        if (c == "$") {
            dollar()
            return
        }
        if (c == "}")
            depth--
    } else if (kind == "a") {
        if (c == "(")
            level++
        if (c == ")" && --level == 0) {
            depth--
            word = word "$"
        }
    }
    at++
}

function read_script() {
    at = line = 1
    depth = documents = target = 0
    word = ""
    delete patterns
    begins()
    while (at <= length(text)) {
        c = substr(text, at, 1)
        kind = depth ? stack[depth] : "c"
        if (kind ~ /[dba]/) {
            if (c == "\n")
                line++
            inside(kind, c)
        } else if (kind == "p" && c == ")") {
            word = ""
            pop()
            place = 1
            at++
        } else {
            bare(c)
            if (kind == "p")
                place = 0
        }
    }
    end_word()
}

FNR == 1 {
    if (NR > 1)
        read_script()
    file = FILENAME
    text = ""
}
{ text = text $0 "\n" }
END { read_script() }
