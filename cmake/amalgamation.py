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
The text at the top of seenset.c defines SS_ON_LINUX, SS_ON_POSIX or
SS_ON_WINDOWS, by which a platform's files count.
"""
import os
import re
import sys

from c_names import (DEFINE, INCLUDE, Problem, functions_of, own_names,
                     pasted_names, renamed, tokens_of, without_comments)

GUARD = re.compile(r'^#ifndef (\w+_H)\n#define \1\n', re.M)
# What a file asks of the system's headers, on some systems or on all; asked once
# for all at the top.
ASKS = r'#define _(?:POSIX_C|XOPEN|GNU|DEFAULT|DARWIN_C|NETBSD)_SOURCE.*\n'
FEATURE = re.compile(rf'^(?:#if .*\n(?:#el.*\n|{ASKS})+#endif\n|{ASKS})', re.M)
# Headers of one platform, by their folder, and the macro under which they count.
PLATFORMS = {'base/posix': '!SS_ON_WINDOWS', 'base/windows': 'SS_ON_WINDOWS'}
# Types of Windows' headers, whose names a file may have for something else.
WINDOWS = {'BOOL', 'BYTE', 'CHAR', 'FLOAT', 'INT', 'LONG', 'POINT', 'POINTS',
           'RECT', 'SHORT', 'SIZE', 'UINT', 'ULONG', 'USHORT', 'VOID', 'WORD'}
# Macros that say what a file is compiled for.
TARGET = re.compile(r'__(?:AVX\w*|BMI\w*)__')


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
        self.taken = set(WINDOWS)  # names
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
        condition = [m for folder, m in PLATFORMS.items()
                     if os.path.dirname(name) == folder]
        self.begin_condition(condition)
        self.out.append(self.without_includes(text))
        self.out += ['#endif\n' for _ in condition]

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
        self.out += ['#endif\n' for _ in condition]

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
 * -DSEENSET_NO_SIMD leaves out what is compiled for some processors only,
 * -DSEENSET_NO_THREADS the threads, for programs with one, and
 * -DSEENSET_NO_FILES all that opens a file: sets are in memory, and bytes. The
 * last is for your program as well, since seenset.h has fewer calls then.
 * -DSEENSET_POSIX_ONLY asks Linux for what POSIX.1-2008 has, and nothing else.
 */
#if defined(__clang__)
#pragma clang diagnostic ignored "-Wunused-function"
#endif
#if defined(_WIN32)
#define SS_ON_WINDOWS 1
#elif defined(__linux__) && !defined(SEENSET_POSIX_ONLY)
#define SS_ON_LINUX 1
#else
#define SS_ON_POSIX 1
#endif

/* What is asked of the system's headers. A BSD shows all of them if
 * nothing is asked. */
#if !defined(_FILE_OFFSET_BITS)
#define _FILE_OFFSET_BITS 64
#endif
#if defined(SS_ON_LINUX)
#if !defined(_GNU_SOURCE)
#define _GNU_SOURCE 1
#endif
#elif defined(__APPLE__)
#if !defined(_DARWIN_C_SOURCE)
#define _DARWIN_C_SOURCE 1
#endif
#elif defined(__NetBSD__)
#if !defined(_NETBSD_SOURCE)
#define _NETBSD_SOURCE 1
#endif
#elif defined(SS_ON_POSIX) && !defined(__FreeBSD__) && \\
    !defined(__OpenBSD__) && !defined(__DragonFly__)
#if !defined(_POSIX_C_SOURCE)
#define _POSIX_C_SOURCE 200809L
#endif
#endif
/* For 32 bits: files of any length, and times after 2038. */
#if !defined(_FILE_OFFSET_BITS)
#define _FILE_OFFSET_BITS 64
#endif
#if !defined(_TIME_BITS) && _FILE_OFFSET_BITS == 64
#define _TIME_BITS 64
#endif
#define SEENSET_EXTRA
/* The x87 computes with longer numbers, by which other sizes are planned. */
#if defined(__i386__) && !defined(__SSE2_MATH__)
#if defined(__clang__)
#error "for i386, compile with -msse2 -mfpmath=sse"
#elif defined(__GNUC__)
#pragma GCC target("sse2,fpmath=sse")
#endif
#endif
#include "seenset.h"

/* gcc for Windows: its vectors of 32 bytes need an option, as said below. */
#if defined(__x86_64__) && !defined(SEENSET_NO_SIMD) && \\
    !(defined(_WIN32) && defined(__GNUC__) && !defined(__clang__) && \\
      !defined(SEENSET_UNALIGNED_VECTOR_MOVES))
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
    write('seenset/foreign.h')
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
