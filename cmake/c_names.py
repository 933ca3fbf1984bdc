"""c_names.py - which names a file of C defines, and the file with other names.

For amalgamation.py: it reads C by its tokens, as far as this project's files
need it, and no more.
"""
import re

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
