/*
 * guide.c - see guide.h.
 */
#include "guide.h"

static const char *const parts[] = {
    "Lines that repeat\n"
    "  seenset dedup < lines                  each line once, in order\n"
    "  seenset dedup -v < lines               only the repeats\n"
    "  seenset dedup --stats < lines          and how many there were\n"
    "  seenset dedup -p 1e-9 < lines          a new line is lost by mistake\n"
    "                                         with a chance of 1e-9, not 1e-6\n"
    "  seenset dedup --normalise url < urls   one of each page\n"
    "  seenset dedup --set day.set < lines    what no earlier run has seen\n"
    "  seenset dedup -o once lines            into a file, whole or not at "
    "all\n"
    "  seenset dedup lines.gz                 compressed: gzip, zstd or xz\n"
    "  seenset dedup -f 3 < table             one line for each third field\n"
    "  seenset dedup --csv -f url < log.csv   the same for a column of CSV\n",
    "A list to ask\n"
    "  seenset new -n 1M -p 1e-4 list.set     room for a million keys\n"
    "  seenset add list.set < lines           keys in\n"
    "  seenset has list.set < lines           print lines on the list\n"
    "  seenset has -v list.set < lines        print lines not on it\n"
    "  seenset has -q list.set KEY            exit status 0: it is; 1: not\n"
    "  seenset seal --force small.set < lines the smallest list, for good\n"
    "  seenset merge --force all.set one.set two.set  the keys of several "
    "lists\n",
    "Looking\n"
    "  seenset info list.set                  what it is, and how full\n"
    "  seenset info --audit list.set          its rate, measured\n"
    "  seenset check list.set                 has it the right size?\n"
    "  seenset verify list.set                is the file sound?\n"
    "  seenset plan -n 1G -p 1%               how large will it be?\n"
    "  seenset plan -m 64MiB -p 1%            how many keys fit?\n",
    "A crawl\n"
    "  seenset queue push -n 10M --normalise url crawl < urls\n"
    "                                         pages to visit, each once\n"
    "  seenset queue pop -n 100 crawl         a hundred of them, for a minute\n"
    "  seenset queue ack crawl LEASE...       these are done\n"
    "  seenset queue list crawl               what is not done yet\n"
    "  seenset queue stat crawl               how far it is\n",
    "Numbers\n"
    "  -n 10M is 10 million, -n 10Mi 10 times 2^20; -p 1%, 0.01, 1e-2 and\n"
    "  1/100 are the same; sizes are bytes (18MB, 64MiB), or bits (100b).\n"
    "  Exit status: 0 done or found, 1 nothing found, 2 an error.\n"
    "  'seenset help COMMAND' has all options, 'man seenset' explains them.\n",
};

void guide_print(FILE *out)
{
    for (size_t i = 0; i < sizeof parts / sizeof parts[0]; i++)
        fprintf(out, "%s%s", i == 0 ? "" : "\n", parts[i]);
}
