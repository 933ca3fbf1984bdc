/*
 * types.c - prints the rows of figures.h as types: `types python`, or `types
 * typescript`; or as they are, a line for each: `types rows`.
 *
 * fronts/figures/types.sh puts the types into the stub of the Python module and
 * into the types of the JavaScript one. The test `figures` reads the rows.
 */
#include <ctype.h>
#include <stdio.h>
#include <string.h>

#include "figures/figures.h"

typedef struct row {
    const char *kind, *member, *name, *python, *redis, *meaning;
} row;

/* A struct, and what it is called and said to be in each language. */
typedef struct type {
    const char *c;
    const char *python;     /* NULL: Python has none */
    const char *typescript; /* NULL: JavaScript has none */
    const char *meaning;
    const row *rows; /* up to one without a name */
} type;

#define ROW(kind, member, name, python, redis, meaning)                        \
    {#kind, #member, #name, python, redis, meaning},
#define END                                                                    \
    {                                                                          \
        NULL, NULL, NULL, NULL, NULL, NULL                                     \
    }

static const row info[] = {FIGURES_INFO(ROW) END};
static const row stats[] = {FIGURES_STATS(ROW) END};
static const row estimate[] = {FIGURES_ESTIMATE(ROW) END};
static const row table[] = {FIGURES_TABLE(ROW) END};
static const row uniformity[] = {FIGURES_UNIFORMITY(ROW) END};
static const row overlap[] = {FIGURES_OVERLAP(ROW) END};
static const row plan[] = {FIGURES_PLAN(ROW) END};
static const row growth[] = {FIGURES_GROWTH(ROW) END};
static const row report[] = {FIGURES_QUEUE_REPORT(ROW) END};
static const row counts[] = {FIGURES_QUEUE_COUNTS(ROW) END};
static const row queue[] = {FIGURES_QUEUE(ROW) END};

static const type types[] = {
    {"seenset_info", "Info", "Info", "What a set is.", info},
    {"seenset_table_info", "Table", "TableInfo", "One of the tables of a set.",
     table},
    {"seenset_estimate", "Estimate", "Estimate", "How full a set is, at once.",
     estimate},
    {"seenset_stats", "Stats", "Stats", "How full a set is.", stats},
    {"seenset_uniformity", "Uniformity", "Uniformity",
     "How evenly the bits of a set are spread.", uniformity},
    {"seenset_overlap", "Overlap", "Overlap",
     "What two sets have in common: first the set that was asked.", overlap},
    {"seenset_plan", "Plan", "Figures", "How large a set is.", plan},
    {"seenset_plan_growth", NULL, "Growth",
     "A set that grows, once it has a number of keys.", growth},
    {"seenset_queue_report", "Report", NULL, "", report},
    {"seenset_queue_stats", "Counts", NULL, "", counts},
    {"seenset_queue_stats", "QueueStats", NULL, "", queue}};

/* What a kind is in each language. */
static const struct {
    const char *kind, *python, *typescript;
} kinds[] = {{"U32", "int", "number"},
             {"U64", "int", "number"},
             {"REAL", "float", "number"},
             {"WRONG", "float", "number"},
             {"FLAG", "bool", "boolean"},
             {"SLIDING", "bool", "boolean"},
             {"SHARED", "bool", "boolean"},
             {"LAYOUT", "str", "LayoutName"},
             {"ON_FULL", "str", "PolicyName"},
             {"SCHEME", "str", "SchemeName"},
             {"DURABILITY", "str", "string"},
             {"NORMALISE", "str", "string"},
             {"SITE", "str", "string"},
             {"TEXT", "str", "string"},
             {"SEED", "int", "bigint"},
             {"SEEDS", "tuple[int, ...]", "number[]"},
             {"QUEUE_SEEDS", "tuple[int, ...]", "number[]"},
             {"PRIORITIES", "tuple[int, ...]", "number[]"}};

static const char *of_kind(const char *kind, int is_python)
{
    for (size_t i = 0; i < sizeof kinds / sizeof kinds[0]; i++)
        if (strcmp(kinds[i].kind, kind) == 0)
            return is_python ? kinds[i].python : kinds[i].typescript;
    return "a kind that types.c does not know";
}

/* ---- Python ---- */

/* What a named tuple can do besides. */
static void print_methods(const char *name)
{
    if (strcmp(name, "Stats") == 0)
        fputs("    def plot(\n"
              "        self,\n"
              "        path: str | PathLike[str] | None = ...,\n"
              "        *,\n"
              "        earlier: Iterable[Stats] = ...,\n"
              "    ) -> Figure: ...\n",
              stdout);
}

static void print_python(const type *of)
{
    printf("@final\n"
           "class %s(structseq[Any], tuple[Any, ...]):\n"
           "    __match_args__: Final = (\n",
           of->python);
    for (const row *it = of->rows; it->name != NULL; it++)
        printf("        \"%s\",\n", it->python);
    fputs("    )\n", stdout);
    for (const row *it = of->rows; it->name != NULL; it++)
        printf("    @property\n    def %s(self) -> %s: ...\n", it->python,
               of_kind(it->kind, 1));
    print_methods(of->python);
    putchar('\n');
}

/* ---- TypeScript ---- */

static void print_camel(const char *name)
{
    for (; *name != '\0'; name++) {
        if (*name == '_' && name[1] != '\0')
            putchar(toupper((unsigned char)*++name));
        else
            putchar(*name);
    }
}

enum {
    WIDTH = 80,
    INDENT = 4
};

/* A comment of a line, or of as many as it takes. */
static void print_comment(const char *text)
{
    size_t used = 0;
    if (INDENT + strlen("/** . */") + strlen(text) <= WIDTH) {
        printf("    /** %c%s. */\n", toupper((unsigned char)*text), text + 1);
        return;
    }
    fputs("    /**\n     *", stdout);
    for (const char *word = text; *word != '\0';) {
        size_t length = strcspn(word, " ");
        if (INDENT + strlen(" *") + used + 1 + length >= WIDTH) {
            fputs("\n     *", stdout);
            used = 0;
        }
        putchar(' ');
        putchar(word == text ? toupper((unsigned char)*word) : *word);
        printf("%.*s", (int)length - 1, word + 1);
        used += 1 + length;
        word += length + strspn(word + length, " ");
    }
    fputs(".\n     */\n", stdout);
}

static void print_typescript(const type *of)
{
    printf("/** %s */\nexport interface %s {\n", of->meaning, of->typescript);
    for (const row *it = of->rows; it->name != NULL; it++) {
        print_comment(it->meaning);
        fputs("    ", stdout);
        print_camel(it->name);
        printf(": %s;\n", of_kind(it->kind, 0));
    }
    fputs("}\n\n", stdout);
}

/* ---- as they are ---- */

static void print_rows(const type *of)
{
    for (const row *it = of->rows; it->name != NULL; it++)
        printf("%s %s %s %s %s %s\n", of->c, it->kind, it->member, it->name,
               it->python, it->redis[0] == '\0' ? "-" : it->redis);
}

/* ---- all ---- */

static void print(const type *of, const char *what)
{
    if (strcmp(what, "rows") == 0)
        print_rows(of);
    else if (strcmp(what, "python") == 0 && of->python != NULL)
        print_python(of);
    else if (strcmp(what, "typescript") == 0 && of->typescript != NULL)
        print_typescript(of);
}

int main(int argc, char **argv)
{
    if (argc != 2) {
        fputs("usage: types python|typescript|rows\n", stderr);
        return 2;
    }
    for (size_t i = 0; i < sizeof types / sizeof types[0]; i++)
        print(&types[i], argv[1]);
    return 0;
}
