#!/usr/bin/python3
"""amalgamation.py - the core as two files, to be dropped into a program.

    amalgamation.py SOURCE_FOLDER XXHASH_HEADER OUT_FOLDER FILE[:HOW...]...

Writes OUT_FOLDER/seenset.h, which has all public headers, and
OUT_FOLDER/seenset.c, which has everything else: the given files of C, in that
order, each once, with the headers that they include before their first use.

Files of C keep names to themselves (static functions, types, constants), and
in one file those would meet. So a name that another file has too gets its
file's name before it. Some headers are a file's own: what they define depends
on what that file defined before (a kernel's test of a line), or on the
instructions that it is compiled for. Such a header is written again for each
file, and its names are that file's.

HOW is an option of the compiler (-mavx2): the file is compiled for those
instructions by attributes of its functions, so that one command without options
compiles all, and the program chooses at run time, as the library does. Or it is
a macro, NAME or !NAME: the file counts only where that is defined, or is not.
"""
import os
import re
import sys

TOKEN = re.compile(r'''
    (?P<comment>/\*.*?\*/|//[^\n]*)
  | (?P<string>"(?:\\.|[^"\\\n])*"|'(?:\\.|[^'\\\n])*')
  | (?P<directive>^[ \t]*\#(?:\\\n|/\*.*?\*/|[^\n])*)
  | (?P<number>\.?[0-9](?:[eEpP][+-]|[0-9a-zA-Z_.])*)
  | (?P<name>[A-Za-z_][A-Za-z0-9_]*)
  | (?P<space>\s+)
  | (?P<mark>->|\.\.\.|.)
''', re.X | re.S | re.M)
INCLUDE = re.compile(r'^[ \t]*#[ \t]*include[ \t]*(["<])([^">]+)[">].*$', re.M)
DEFINE = re.compile(r'^[ \t]*#[ \t]*define[ \t]+([A-Za-z_]\w*)', re.M)
MACRO = re.compile(r'^#define (\w+)\((\w+)[^)]*\)((?:\\\n|[^\n])*)', re.M)
GUARD = re.compile(r'^#ifndef (\w+_H)\n#define \1\n', re.M)
# What a file asks of the system's headers; asked once for all at the top.
FEATURE = re.compile(r'^#define _(?:POSIX_C|GNU|DEFAULT)_SOURCE.*\n', re.M)
# Macros that say what a file is compiled for.
TARGET = re.compile(r'__(?:AVX\w*|BMI\w*)__')
KEYWORDS = set('''auto break case char const continue default do double else enum
    extern float for goto if inline int long register restrict return short
    signed sizeof static struct switch typedef union unsigned void volatile
    while _Bool _Static_assert __attribute__ __extension__'''.split())


class Problem(Exception):
    """The files are not what this program expects."""


def tokens_of(text):
    return [(m.lastgroup, m.group()) for m in TOKEN.finditer(text)]


def significant(tokens):
    """Those that are not space, comments or directives."""
    return [t for t in tokens if t[0] in ('name', 'mark', 'number', 'string')]


def skip_group(tokens, at):
    """From an opening bracket to the place after the closing one."""
    depth = 0
    while at < len(tokens):
        if tokens[at][1] in ('(', '[', '{'):
            depth += 1
        elif tokens[at][1] in (')', ']', '}'):
            depth -= 1
            if depth == 0:
                return at + 1
        at += 1
    raise Problem('a bracket is never closed')


def constants_of(tokens):
    """The names in the braces of an enum."""
    found, is_name = [], True
    at = 1
    while at < len(tokens) - 1:
        kind, text = tokens[at]
        if text in ('(', '[', '{'):
            at = skip_group(tokens, at)
            continue
        if kind == 'name' and is_name:
            found.append(text)
        is_name = text == ','
        at += 1
    return found


class Declaration:
    """What one declaration or definition at the outermost level names."""

    def __init__(self, tokens):
        self.names = []       # all of it
        self.is_static = any(t[1] == 'static' for t in tokens)
        self.is_typedef = tokens[0][1] == 'typedef'
        self.is_body = tokens[-1][1] == '}'
        self._read(tokens)

    def _read(self, tokens):
        at, rest = 0, []
        while at < len(tokens):
            text = tokens[at][1]
            if text in ('struct', 'union', 'enum'):
                at = self._read_tag(tokens, at, rest)
            elif text == '__attribute__':
                at = skip_group(tokens, at + 1)
            else:
                rest.append(tokens[at])
                at += 1
        name = self._declared(rest)
        if name is not None:
            self.names.append(name)

    def _read_tag(self, tokens, at, rest):
        is_enum = tokens[at][1] == 'enum'
        at += 1
        rest.append(('name', 'int'))
        tag = None
        if tokens[at][0] == 'name':
            tag = tokens[at][1]
            at += 1
        if at < len(tokens) and tokens[at][1] == '{':
            end = skip_group(tokens, at)
            if tag is not None:
                self.names.append(tag)
            if is_enum:
                self.names += constants_of(tokens[at:end])
            at = end
        return at

    def _declared(self, tokens):
        """The name before the first bracket, comma, = or end, or in (*...)."""
        for at, (kind, text) in enumerate(tokens):
            if text == '(' and at + 1 < len(tokens) and \
                    tokens[at + 1][1] == '*':
                return tokens[at + 2][1]
            if text in ('(', '[', '=', ',', ';', '{'):
                before = tokens[at - 1] if at > 0 else ('mark', '')
                is_one = before[0] == 'name' and before[1] not in KEYWORDS
                return before[1] if is_one else None
        return None


def declarations_of(text):
    """Each declaration at the outermost level of a file."""
    tokens = significant(tokens_of(text))
    macros = set(DEFINE.findall(text))
    at, start = 0, 0
    while at < len(tokens):
        mark = tokens[at][1]
        if at == start and mark in macros and tokens[at + 1][1] == '(':
            at = start = skip_group(tokens, at + 1)
        elif mark in ('(', '['):
            at = skip_group(tokens, at)
        elif mark == '{':
            end = skip_group(tokens, at)
            is_body = at > start and tokens[at - 1][1] == ')'
            at = end
            if is_body:
                yield Declaration(tokens[start:end])
                start = at
        elif mark == ';':
            yield Declaration(tokens[start:at + 1])
            at += 1
            start = at
        else:
            at += 1


def own_names(text):
    """The names that a file of C, or a header that is its own, keeps to
    itself: all but functions and objects that others can link to."""
    found = set()
    for one in declarations_of(text):
        last_is_linked = not one.is_static and not one.is_typedef and one.names
        tags = one.names[:-1] if last_is_linked and is_linked(one) else one.names
        found.update(tags)
    return found


def pasted_names(text):
    """What macros of the text define by `stem_##argument`."""
    found = set()
    for macro in MACRO.finditer(text):
        name, parameter, body = macro.groups()
        stems = re.findall(r'\b(\w+_)##' + parameter + r'\b', body)
        uses = re.findall(r'^' + name + r'\((\w+)', text, re.M)
        found.update(stem + use for stem in stems for use in uses)
    return found


def is_linked(one):
    """Does the declaration end with a function or object with linkage?"""
    return one.names[-1].startswith(('ss_', 'seenset_', 'TWIN_'))


def functions_of(text):
    """The functions that a header defines."""
    return {d.names[-1] for d in declarations_of(text)
            if d.is_static and d.is_body and d.names}


def without_comments(text):
    return ''.join(t for k, t in tokens_of(text) if k != 'comment')


class Member:
    """Finds the tokens that name members of structs, which keep their names."""

    def __init__(self, tokens):
        self.members = set()
        depths, depth, awaited = [], 0, False
        for at, (kind, text) in enumerate(tokens):
            if text in ('struct', 'union'):
                awaited = True
            elif text == '{':
                depth += 1
                if awaited:
                    depths.append(depth)
                awaited = False
            elif text == '}':
                if depths and depths[-1] == depth:
                    depths.pop()
                depth -= 1
            elif text in (';', ')', '=', ','):
                awaited = False
            if kind != 'name':
                continue
            if self._before(tokens, at) in ('.', '->'):
                self.members.add(at)
            elif depths and self._after(tokens, at) in (';', ',', '[', ':', ')'):
                self.members.add(at)

    @staticmethod
    def _before(tokens, at):
        while at > 0:
            at -= 1
            if tokens[at][0] not in ('space', 'comment'):
                return tokens[at][1]
        return ''

    @staticmethod
    def _after(tokens, at):
        while at + 1 < len(tokens):
            at += 1
            if tokens[at][0] not in ('space', 'comment'):
                return tokens[at][1]
        return ''


def renamed(text, names):
    """The text, with other names for these (a dict)."""
    if not names:
        return text
    tokens = tokens_of(text)
    members = Member(tokens).members
    out = []
    for at, (kind, token) in enumerate(tokens):
        if kind == 'name' and at not in members and token in names:
            token = names[token]
        elif kind == 'directive' and not INCLUDE.match(token):
            token = re.sub(r'\b[A-Za-z_]\w*\b',
                           lambda m: names.get(m.group(), m.group()), token)
        out.append(token)
    return ''.join(out)


class Tree:
    """The files of the source folder, and what is known of each header."""

    def __init__(self, folder):
        self.folder = folder
        self.texts = {}
        self.own = set()

    def text(self, name):
        if name not in self.texts:
            for room in ('src', 'include'):
                path = os.path.join(self.folder, room, name)
                if os.path.exists(path):
                    with open(path, encoding='utf-8') as file:
                        self.texts[name] = file.read()
                    break
            else:
                raise Problem(f'{name} is not there')
        return self.texts[name]

    def includes(self, name):
        return [m.group(2) for m in INCLUDE.finditer(self.text(name))
                if m.group(1) == '"']

    def find_own(self, files):
        """Which headers are a file's own? Those without a guard, those that ask
        what they are compiled for, those with functions of plain names, and
        those that include or call one of these."""
        headers, left = set(), list(files)
        while left:
            new = set(self.includes(left.pop())) - headers
            headers |= new
            left += new
        headers = {h for h in headers if not h.startswith('seenset/')}
        self.own = {h for h in headers if self._is_plain(self.text(h))}
        while True:
            calls = re.compile(r'(?<![.>\w])(?:%s)\(' % '|'.join(
                sorted(f for h in self.own for f in functions_of(self.text(h)))))
            more = {h for h in headers - self.own
                    if calls.search(without_comments(self.text(h)))
                    or not self.own.isdisjoint(self.includes(h))}
            if not more:
                return
            self.own |= more

    @staticmethod
    def _is_plain(text):
        return (GUARD.search(text) is None or TARGET.search(text) is not None
                or any(not f.startswith('ss_') for f in functions_of(text)))

    def is_own(self, name):
        return name in self.own


class Writer:
    """Writes seenset.c."""

    def __init__(self, tree, xxhash):
        self.tree = tree
        self.xxhash = xxhash
        self.shared = set()  # headers that were written
        self.system = set()
        self.taken = set()   # names
        self.out = []

    # ---- headers that are everybody's ----

    def write_shared(self, name):
        """A header with guards, and before it those that it includes."""
        if name in self.shared or name.startswith('seenset/'):
            return
        self.shared.add(name)
        for other in self.tree.includes(name):
            self.write_shared(other)
        text = self.tree.text(name)
        self.taken |= own_names(text)
        self.out.append(self.without_includes(text))

    def without_includes(self, text):
        """Headers of the project stand before; those of the system stay."""
        def one(match):
            if match.group(1) == '"':
                return ''
            if match.group(2) == 'xxhash.h':
                return self.xxhash
            return match.group(0)
        return INCLUDE.sub(one, text)

    # ---- a file of C ----

    def shared_of(self, name, seen):
        """Writes the shared headers that a file needs, through its own too."""
        for other in self.tree.includes(name):
            if other in seen:
                continue
            seen.add(other)
            if self.tree.is_own(other):
                self.shared_of(other, seen)
            else:
                self.write_shared(other)

    def whole(self, name, written):
        """The file's text with its own headers where they are included."""
        def one(match):
            other = match.group(2)
            if match.group(1) == '<' or not self.tree.is_own(other):
                return match.group(0) if match.group(1) == '<' else ''
            has_guard = GUARD.search(self.tree.text(other)) is not None
            if has_guard and other in written:
                return ''
            written.add(other)
            return '\n' + self.whole(other, written) + '\n'
        text = INCLUDE.sub(one, self.tree.text(name))
        # written once for each file, so the guard would hide the others
        guard = GUARD.search(text)
        if guard is not None:
            text = GUARD.sub('', text)
            text = text[:text.rindex('#endif')]
        return text

    def write_file(self, name, ways):
        options = [w for w in ways if w.startswith('-')]
        condition = [w for w in ways if not w.startswith('-')]
        self.shared_of(name, set())
        text = self.whole(name, set())
        prefix = 'ss_' + re.sub(r'\W', '_', name[:-len('.c')]) + '_'
        pasted = sorted(pasted_names(text))
        names = {n: prefix + re.sub('^ss_', '', n)
                 for n in own_names(text) if n in self.taken}
        self.taken |= own_names(text)
        macros = sorted(set(DEFINE.findall(FEATURE.sub('', text))))
        text = FEATURE.sub('', text)
        text = renamed(text, names)
        self.out.append(f'\n/* ==== {name} ==== */\n')
        self.begin_condition(condition)
        # What macros put together is seen by other macros only.
        self.out += [f'#define {n} {prefix}{n}\n' for n in pasted]
        self.begin_target(options)
        self.out.append(TARGET.sub(lambda m: 'SS_FOR' + m.group()[1:-2], text)
                        if options else text)
        self.end_target(options)
        self.out += [f'#undef {m}\n' for m in macros + pasted]
        if condition:
            self.out.append('#endif\n')

    def begin_condition(self, condition):
        for macro in condition:
            word = 'ifndef' if macro.startswith('!') else 'ifdef'
            self.out.append(f'#{word} {macro.lstrip("!")}\n')

    # ---- instructions ----

    @staticmethod
    def features(options):
        return [o[2:] for o in options]

    def begin_target(self, options):
        if not options:
            return
        features = self.features(options)
        joined = ','.join(features)
        self.out.append('#if SS_HAS_TARGETS\n')
        self.out += [f'#define SS_FOR_{f.upper()} 1\n'
                     for f in self.implied(features)]
        self.out.append(
            '#if defined(__clang__)\n'
            f'#pragma clang attribute push(__attribute__((target("{joined}")))'
            ', apply_to = function)\n'
            '#else\n#pragma GCC push_options\n'
            f'#pragma GCC target("{joined}")\n#endif\n#endif\n')

    def end_target(self, options):
        if not options:
            return
        self.out.append('#if SS_HAS_TARGETS\n#if defined(__clang__)\n'
                        '#pragma clang attribute pop\n#else\n'
                        '#pragma GCC pop_options\n#endif\n#endif\n')
        self.out += [f'#undef SS_FOR_{f.upper()}\n'
                     for f in self.implied(self.features(options))]

    @staticmethod
    def implied(features):
        """Every processor with AVX-512 has AVX2."""
        is_wide = any(f.startswith('avx512') for f in features)
        return features + (['avx2'] if is_wide else [])


PREAMBLE = '''/*
 * seenset.c - have I seen this before? The library as one file: compile it with
 * your program, and include seenset.h.
 *
 *     cc -std=c11 -O2 app.c seenset.c -lm
 *
 * Written by `make amalgamation` from seenset %s; do not edit it. It has
 * xxHash in it, whose licence stands there. All else is under the Apache License
 * 2.0, the LICENSE of seenset.
 *
 * -DSEENSET_NO_SIMD leaves out what is compiled for some processors only, and
 * -DSEENSET_NO_THREADS the threads: for programs with one.
 */
#if defined(__clang__)
#pragma clang diagnostic ignored "-Wunused-function"
#endif
#if !defined(_GNU_SOURCE) && defined(__linux__)
#define _GNU_SOURCE 1
#endif
#if !defined(_DEFAULT_SOURCE)
#define _DEFAULT_SOURCE 1
#endif
#if !defined(_POSIX_C_SOURCE)
#define _POSIX_C_SOURCE 200809L
#endif
#define SEENSET_EXTRA
#include "seenset.h"

#if defined(__x86_64__) && !defined(SEENSET_NO_SIMD)
#define SS_HAS_TARGETS 1
#include <immintrin.h>
#else
#define SS_HAS_TARGETS 0
#endif

'''

HEADER = '''/*
 * seenset.h - have I seen this before? All public headers of seenset %s in one
 * file, for programs that are compiled with seenset.c; made by
 * `make amalgamation`. Those of seenset/extra/, which have no promise
 * (docs/stability.md), stand at the end, for programs that define SEENSET_EXTRA.
 */
#ifndef SEENSET_AMALGAMATION_H
#define SEENSET_AMALGAMATION_H

'''


def public_header(tree):
    """The public headers, each after those that it includes."""
    written, parts = set(), []

    def write(name):
        if name in written:
            return
        written.add(name)
        for other in tree.includes(name):
            write(other)
        parts.append(INCLUDE.sub(
            lambda m: '' if m.group(1) == '"' else m.group(0),
            tree.text(name)))

    write('seenset/seenset.h')
    parts.append('\n#ifdef SEENSET_EXTRA\n')
    for name in ('bits', 'formulas', 'raw', 'inline'):
        write(f'seenset/extra/{name}.h')
    parts.append('\n#endif /* SEENSET_EXTRA */\n')
    return ''.join(parts)


def tidy(text):
    return re.sub(r'\n{3,}', '\n\n', text)


def xxhash_text(path):
    """The header, of whose comments only the licence stays."""
    with open(path, encoding='utf-8') as file:
        tokens = tokens_of(file.read())
    licence = next(t for k, t in tokens if k == 'comment')
    if 'BSD 2-Clause' not in licence:
        raise Problem(f'{path} does not begin with its licence')
    out = [re.sub(r'/\*.*?\*/', ' ', t, flags=re.S) if k == 'directive'
           else ' ' if k == 'comment' else t for k, t in tokens]
    text = re.sub(r'[ \t]+\n', '\n', ''.join(out))
    return licence + '\n' + tidy(text)


def main(arguments):
    folder, xxhash, out = arguments[:3]
    tree = Tree(folder)
    version = re.search(r'#define SEENSET_VERSION "([^"]+)"',
                        tree.text('seenset/base.h')).group(1)
    writer = Writer(tree, xxhash_text(xxhash))
    files = [argument.removeprefix('src/').split(':')
             for argument in arguments[3:]]
    tree.find_own([name for name, *_ in files])
    for name, *options in files:
        writer.write_file(name, options)
    os.makedirs(out, exist_ok=True)
    with open(os.path.join(out, 'seenset.h'), 'w', encoding='utf-8') as file:
        file.write(tidy(HEADER % version + public_header(tree)
                        + '\n#endif\n'))
    with open(os.path.join(out, 'seenset.c'), 'w', encoding='utf-8') as file:
        file.write(tidy(PREAMBLE % version + ''.join(writer.out)))


if __name__ == '__main__':
    try:
        main(sys.argv[1:])
    except Problem as problem:
        sys.exit(f'amalgamation: {problem}')
