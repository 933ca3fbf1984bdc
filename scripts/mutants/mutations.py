"""What can go wrong in a line of C: the mutants of a source file.

A mutation replaces a stretch of one file's text by another, as a tired
programmer would: a check left out, < for <=, a sync forgotten. Comments,
strings and preprocessor lines are blanked before it looks, so that only code
is changed; line breaks stay, so that lines keep their numbers.
"""
import re
from collections import namedtuple

Mutation = namedtuple("Mutation", "file line kind start end text")

NOT_CODE = re.compile(
    r'/\*.*?\*/|//[^\n]*|"(?:\\.|[^"\\\n])*"|\'(?:\\.|[^\'\\\n])*\''
    r"|^[ \t]*#(?:[^\n\\]|\\.|\\\n)*", re.S | re.M)

# Replaced one for one. Binary operators have a space on both sides, which is
# how clang-format tells them from signs, addresses and arrows.
SWAPS = [
    ("compare", r" (<) ", ["<="]), ("compare", r" (<=) ", ["<"]),
    ("compare", r" (>) ", [">="]), ("compare", r" (>=) ", [">"]),
    ("equal", r" (==) ", ["!="]), ("equal", r" (!=) ", ["=="]),
    ("logic", r" (&&)\s", ["||"]), ("logic", r" (\|\|)\s", ["&&"]),
    ("one off", r"( [+-] 1)\b(?![.\w])", [""]),
    ("mask", r"( & [\w.]+(?:->\w+)*)(?![\w(\[])", [""]),
    ("or", r" (\|=) ", ["="]),
    # To add to a bool is to OR; by their names, those are bools.
    ("or", r"(?<!\w)(?!(?:is|has|knows)_)\w[^\s;]* (\|=) ", ["+="]),
    ("constant", r"(?<![\w.])(0)(?![\w.])", ["1"]),
    ("constant", r"(?<![\w.])(1)(?![\w.])", ["0"]),
    ("constant", r"(?<![\w.])(true)\b", ["false"]),
    ("constant", r"(?<![\w.])(false)\b", ["true"]),
    ("error", r"(?:return |[,?:] |(?<![=!])= )(SEENSET_E[A-Z]+)\b",
     ["SEENSET_OK"]),
]
SYNC = re.compile(r"(?<![.\w>])(?:(?P<int>io->(?:data)?sync|fsync|fdatasync)"
                  r"|\w*sync_folder\w*|ss_folder_sync)(?=\()")
# clang-format lets nothing else begin a line at its left end.
OWNER = re.compile(r"^\w[^\n;(={]*?(\w+)(?:\[\w*\])?(?:\(| = )", re.M)
JUMP = re.compile(r"\s*(?:return\b[^;{}]*|break|continue);")


def blank(text):
    """The text, with a space for each character that isn't code."""
    return NOT_CODE.sub(
        lambda found: re.sub(r"[^\n]", " ", found.group()), text)


def closing(code, start):
    """Where the parenthesis that opens at start is closed."""
    depth = 0
    for at in range(start, len(code)):
        depth += {"(": 1, ")": -1}.get(code[at], 0)
        if depth == 0:
            return at
    raise ValueError("a parenthesis is never closed")


def of_conditions(code):
    """`if` with its meaning turned round, and left out with what it guards."""
    for found in re.finditer(r"\bif (\()", code):
        start, end = found.start(1), closing(code, found.start(1)) + 1
        yield "negate", start, end, f"(!{code[start:end]})"
        jump = JUMP.match(code, end)
        is_alone = jump and not re.match(r"\s*else\b", code[jump.end():])
        if is_alone and code[:found.start()].rstrip()[-4:] != "else":
            yield "drop check", found.start(), jump.end(), ";"


def of_syncs(code):
    """A call that makes something durable, left out."""
    for found in SYNC.finditer(code):
        end = closing(code, found.end()) + 1
        line = code[code.rfind("\n", 0, found.start()) + 1:found.start()]
        if not re.match(r"(?:static )?(?:bool|int) $", line):
            yield ("drop sync", found.start(), end,
                   "0" if found.group("int") else "true")


def of_tokens(code):
    for kind, pattern, replacements in SWAPS:
        for found in re.finditer(pattern, code):
            for text in replacements:
                yield kind, found.start(1), found.end(1), text


def mutations(file, text):
    """All mutations of a file, in the order of their place in it."""
    code = blank(text)
    found = [*of_conditions(code), *of_syncs(code), *of_tokens(code)]
    for kind, start, end, new in sorted(found, key=lambda each: each[1]):
        breaks = text.count("\n", start, end) - new.count("\n")
        yield Mutation(file, text.count("\n", 0, start) + 1, kind, start, end,
                       new + "\n" * breaks)


def apply(mutation, text):
    return text[:mutation.start] + mutation.text + text[mutation.end:]


def owner(mutation, text):
    """The function, or table, whose text it is in."""
    names = OWNER.findall(text, 0, mutation.start)
    return names[-1] if names else ""


def describe(mutation, text):
    """The lines it touches, before and after, each as one line."""
    first = text.rfind("\n", 0, mutation.start) + 1
    last = text.find("\n", mutation.end)
    after = text[first:mutation.start] + mutation.text
    after += text[mutation.end:last]
    return tuple(" ".join(each.split()) for each in (text[first:last], after))
