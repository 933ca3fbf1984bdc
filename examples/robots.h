/*
 * robots.h - what a site's robots.txt asks of one crawler (RFC 9309).
 *
 * The file has groups: the names of crawlers, then rules for them. The rules
 * are those of all groups with this crawler's name, or, if there is none, with
 * the name *:
 *
 *     User-agent: *
 *     Disallow: /search          each path that begins so
 *     Allow: /search/about       the longest rule decides, and Allow a draw
 *     Disallow: /a*.pdf$         * is any bytes, $ at the end the path's end
 *     Crawl-delay: 2             seconds; not in the RFC, but often there
 *
 * Only Allow and Disallow end the names of a group: a Crawl-delay among them is
 * for all of them.
 *
 * A path is compared with %XX in one spelling: as the byte itself if that is
 * the same in a URL (letters, digits, "-._~" and, after its first ?, ":/?@"),
 * and in capitals otherwise. Bytes that a URL may not have are escaped, but a %
 * of no escape stays. A rule asks for a * or a $ of a URL as %2A or %24. A file
 * may have any bytes in it, of which those that make no sense are passed over.
 *
 * The file may be hostile. A rule is compared piece by piece, and a piece that
 * was found is not looked for again, so an answer takes as many steps as the
 * rules have bytes, and the path twice more for each rule with a *.
 */
#ifndef ROBOTS_H
#define ROBOTS_H

#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <strings.h>

typedef struct robots_rule {
    char *path;      /* in one spelling, with a zero for each *, and no $ */
    size_t path_len; /* its last zero is not counted */
    char *query;     /* as path, but spelled as in a query from its start */
    bool is_whole;   /* it ended with $ */
    bool is_allowed;
} robots_rule;

/* Start from {0}. */
typedef struct robots {
    robots_rule *rules;
    size_t count;
    double delay_seconds; /* 0: it asks for none */
} robots;

static inline void robots_free(robots *it)
{
    for (size_t i = 0; i < it->count; i++) {
        free(it->rules[i].path);
        free(it->rules[i].query);
    }
    free(it->rules);
    *it = (robots){0};
}

/* ---- one spelling ---- */

static inline bool robots_is_letter(unsigned char byte)
{
    return (byte >= 'a' && byte <= 'z') || (byte >= 'A' && byte <= 'Z');
}

static inline bool robots_is_plain(unsigned char byte)
{
    return robots_is_letter(byte) || (byte >= '0' && byte <= '9') ||
           (byte > 0 && strchr("-._~", byte) != NULL);
}

/* %XX at `at`, or -1. */
static inline int robots_escaped(const char *at, size_t len)
{
    const char digits[] = {len > 2 ? at[1] : '\0', len > 2 ? at[2] : '\0', 0};
    if (len < 3 || at[0] != '%' ||
        strspn(digits, "0123456789abcdefABCDEF") != 2)
        return -1;
    return (int)strtol(digits, NULL, 16);
}

/* Is it the same in a URL whether it is escaped or not? In a query, these four
 * separate nothing. */
static inline bool robots_is_same(unsigned char byte, bool is_in_query)
{
    return robots_is_plain(byte) ||
           (is_in_query && byte > 0 && strchr(":/?@", byte) != NULL);
}

/* Does a byte that is not escaped stay so? In a rule, * and $ are special. The
 * others are those of RFC 3986, section 2.2, and the % of no escape. */
static inline bool robots_is_kept(unsigned char byte, bool is_rule,
                                  bool is_last)
{
    if (byte == '*' || byte == '$')
        return is_rule && (byte == '*' || is_last);
    return robots_is_plain(byte) ||
           (byte > 0 && strchr(":/?#[]@!&'()+,;=%", byte) != NULL);
}

/* The bytes in one spelling, to be freed; NULL: no memory. */
static inline char *robots_spell(const char *bytes, size_t len, bool is_rule,
                                 bool is_in_query)
{
    char *spelled = malloc(3 * len + 1), *to = spelled;
    for (size_t i = 0; i < len && to != NULL; i++) {
        int escaped = robots_escaped(bytes + i, len - i);
        unsigned char byte = (unsigned char)bytes[i];
        is_in_query |= byte == '?';
        if (escaped >= 0) {
            byte = (unsigned char)escaped;
            i += 2;
        }
        if (robots_is_same(byte, is_in_query) ||
            (escaped < 0 && robots_is_kept(byte, is_rule, i + 1 == len)))
            *to++ = (char)byte;
        else
            to += sprintf(to, "%%%02X", byte);
    }
    if (to != NULL)
        *to = '\0';
    return spelled;
}

/* ---- reading ---- */

/* A line: its key, and its value. Neither ends with a zero. */
typedef struct robots_line {
    const char *key, *value;
    size_t key_len, value_len;
} robots_line;

static inline bool robots_is_blank(char byte)
{
    return byte == ' ' || byte == '\t';
}

static inline size_t robots_trim(const char **text, size_t len)
{
    while (len > 0 && robots_is_blank(**text)) {
        ++*text;
        len--;
    }
    while (len > 0 && robots_is_blank((*text)[len - 1]))
        len--;
    return len;
}

/* Cuts the next line off the text. False: there is none. */
static inline bool robots_next_line(const char **text, const char *end,
                                    robots_line *line)
{
    const char *start = *text, *stop = start;
    if (start >= end)
        return false;
    while (stop < end && *stop != '\n' && *stop != '\r')
        stop++;
    *text = stop + 1;
    const char *comment = memchr(start, '#', (size_t)(stop - start));
    stop = comment != NULL ? comment : stop;
    const char *colon = memchr(start, ':', (size_t)(stop - start));
    *line = (robots_line){.key = start, .value = stop};
    if (colon != NULL) {
        line->key_len = robots_trim(&line->key, (size_t)(colon - start));
        line->value = colon + 1;
        line->value_len =
            robots_trim(&line->value, (size_t)(stop - line->value));
    }
    return true;
}

static inline bool robots_is_key(const robots_line *line, const char *key)
{
    return line->key_len == strlen(key) &&
           strncasecmp(line->key, key, line->key_len) == 0;
}

/* Is it the name of this crawler? A version may follow it. */
static inline bool robots_is_name(const robots_line *line, const char *name)
{
    size_t len = strlen(name);
    if (line->value_len < len || strncasecmp(line->value, name, len) != 0)
        return false;
    return line->value_len == len ||
           !(robots_is_letter((unsigned char)line->value[len]) ||
             line->value[len] == '-' || line->value[len] == '_');
}

/* Cuts a rule at each * and at the $ of its end, which *is_whole becomes.
 * Returns how many bytes are left. */
static inline size_t robots_cut(char *path, bool *is_whole)
{
    size_t len = strlen(path);
    *is_whole = len > 0 && path[len - 1] == '$';
    len -= *is_whole;
    path[len] = '\0';
    for (char *star = path; (star = strchr(star, '*')) != NULL;)
        *star++ = '\0';
    return len;
}

static inline bool robots_add(robots *to, const robots_line *line,
                              bool is_allowed)
{
    if (line->value_len == 0) /* "Disallow:" forbids nothing */
        return true;
    robots_rule *rules =
        realloc(to->rules, (to->count + 1) * sizeof *to->rules);
    if (rules == NULL)
        return false;
    to->rules = rules;
    robots_rule *rule = &rules[to->count++];
    *rule = (robots_rule){
        .path = robots_spell(line->value, line->value_len, true, false),
        .query = robots_spell(line->value, line->value_len, true, true),
        .is_allowed = is_allowed};
    if (rule->path == NULL || rule->query == NULL)
        return false;
    (void)robots_cut(rule->query, &rule->is_whole);
    rule->path_len = robots_cut(rule->path, &rule->is_whole);
    return true;
}

/* The delay of a line; 0: it makes no sense. */
static inline double robots_delay(const robots_line *line)
{
    char digits[32] = "";
    if (line->value_len < sizeof digits)
        memcpy(digits, line->value, line->value_len);
    double seconds = strtod(digits, NULL);
    return seconds > 0 && seconds <= 1e9 ? seconds : 0;
}

/* Where the reading is. */
typedef struct robots_group {
    bool is_ours, has_rules;
    double delay_seconds; /* its longest; it may come before our name */
} robots_group;

/* A name after rules begins a group. */
static inline void robots_take_name(robots_group *group, bool is_ours)
{
    if (group->has_rules)
        *group = (robots_group){0};
    group->is_ours |= is_ours;
}

/* Takes the rules of all groups of a name: 1, 0 (there is none) or -1 (no
 * memory). */
static inline int robots_read_groups(robots *to, const char *text, size_t len,
                                     const char *name)
{
    const char *end = text + len;
    robots_group group = {.has_rules = true};
    int found = 0;
    robots_line line;
    while (robots_next_line(&text, end, &line)) {
        bool is_allow = robots_is_key(&line, "allow");
        bool is_rule = is_allow || robots_is_key(&line, "disallow");
        if (robots_is_key(&line, "user-agent"))
            robots_take_name(&group, robots_is_name(&line, name));
        if (robots_is_key(&line, "crawl-delay") &&
            robots_delay(&line) > group.delay_seconds)
            group.delay_seconds = robots_delay(&line);
        group.has_rules |= is_rule;
        found |= group.is_ours;
        if (group.is_ours && group.delay_seconds > to->delay_seconds)
            to->delay_seconds = group.delay_seconds;
        if (group.is_ours && is_rule && !robots_add(to, &line, is_allow))
            return -1;
    }
    return found;
}

/* Reads what the file asks of the crawler of that name, the product token of
 * its User-Agent, into an empty *to. Returns 0, or -1: no memory. */
static inline int robots_read(robots *to, const char *text, size_t len,
                              const char *name)
{
    if (len >= 3 && memcmp(text, "\xef\xbb\xbf", 3) == 0) {
        text += 3; /* the mark of UTF-8 */
        len -= 3;
    }
    int found = robots_read_groups(to, text, len, name);
    if (found == 0)
        found = robots_read_groups(to, text, len, "*");
    return found < 0 ? -1 : 0;
}

/* ---- asking ---- */

/* A piece of a rule, in both its spellings. */
typedef struct robots_piece {
    const char *path, *query;
} robots_piece;

static inline void robots_next_piece(robots_piece *piece)
{
    piece->path += strlen(piece->path) + 1;
    piece->query += strlen(piece->query) + 1;
}

/* The bytes of `text` from `from` on that are in its query. */
static inline const char *robots_query_from(const char *from, const char *query)
{
    return from > query ? from : query;
}

/* Where the piece ends that is found first; NULL: there is none. What begins
 * in the query is spelled so, and from there on nothing else is looked for. */
static inline const char *robots_find(const char *from, const char *query,
                                      const robots_piece *piece)
{
    const char *at = from < query ? strstr(from, piece->path) : NULL;
    if (at != NULL)
        return at + strlen(piece->path);
    at = strstr(robots_query_from(from, query), piece->query);
    return at == NULL ? NULL : at + strlen(piece->query);
}

static inline bool robots_is_end(const char *text, const char *piece)
{
    size_t len = strlen(text), piece_len = strlen(piece);
    return len >= piece_len && strcmp(text + len - piece_len, piece) == 0;
}

static inline bool robots_ends_with(const char *from, const char *query,
                                    const robots_piece *piece)
{
    return robots_is_end(from, piece->path) ||
           robots_is_end(robots_query_from(from, query), piece->query);
}

/* The path begins with the first piece, and has each other one after those
 * before it. Its query begins at `query`, its end if it has none. */
static inline bool robots_matches(const robots_rule *rule, const char *path,
                                  const char *query)
{
    robots_piece piece = {rule->path, rule->query};
    const char *end = rule->path + rule->path_len;
    size_t len = strlen(piece.path);
    if (strncmp(path, piece.path, len) != 0)
        return false;
    path += len;
    while (piece.path + strlen(piece.path) < end) {
        robots_next_piece(&piece);
        if (rule->is_whole && piece.path + strlen(piece.path) == end)
            return robots_ends_with(path, query, &piece);
        path = robots_find(path, query, &piece);
        if (path == NULL)
            return false;
    }
    return !rule->is_whole || *path == '\0';
}

/* How many bytes decide between two rules. */
static inline size_t robots_rank(const robots_rule *rule)
{
    return rule->path_len + rule->is_whole;
}

/* The path and the query of a URL in one spelling, as robots_spell does. Both
 * "http://a.example" and "http://a.example?x" ask for the path "/". */
static inline char *robots_spell_url(const char *url)
{
    const char *host = strstr(url, "://");
    const char *path = host == NULL ? url : host + 3;
    path += strcspn(path, "/?#");
    size_t len = strcspn(path, "#"), slash_len = *path != '/';
    char *whole = malloc(len + 1);
    if (whole == NULL)
        return NULL;
    whole[0] = '/';
    memcpy(whole + slash_len, path, len);
    char *spelled = robots_spell(whole, slash_len + len, false, false);
    free(whole);
    return spelled;
}

/* May it ask for this URL? Without memory to find out, it may not. */
static inline bool robots_allow(const robots *it, const char *url)
{
    char *path = robots_spell_url(url);
    if (path == NULL)
        return false;
    const char *query = path + strcspn(path, "?");
    query += *query == '?';
    bool is_allowed = true;
    size_t longest = 0;
    for (size_t i = 0; i < it->count; i++) {
        const robots_rule *rule = &it->rules[i];
        size_t rank = robots_rank(rule);
        if (rank < longest || (rank == longest && !rule->is_allowed) ||
            !robots_matches(rule, path, query))
            continue;
        longest = rank;
        is_allowed = rule->is_allowed;
    }
    free(path);
    return is_allowed;
}

#endif
