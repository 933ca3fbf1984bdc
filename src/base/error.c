/* error.c - the names and texts of the errors */
#include "seenset/error.h"

#include <stddef.h>

typedef struct error_row {
    const char *name;
    const char *text;
} error_row;

/* By the error's number, without its sign. */
static const error_row rows[] = {
    [-SEENSET_OK] = {"SEENSET_OK", "success"},
    [-SEENSET_EINVAL] = {"SEENSET_EINVAL",
                         "an argument is missing or outside its range"},
    [-SEENSET_ENOMEM] = {"SEENSET_ENOMEM", "out of memory"},
    [-SEENSET_ETOOBIG] = {"SEENSET_ETOOBIG",
                          "the size asked for is over the limit of 2^53 bits"},
    [-SEENSET_ERATE] =
        {"SEENSET_ERATE",
         "the false-positive rate cannot be kept with these sizes"},
    [-SEENSET_EFULL] = {"SEENSET_EFULL",
                        "the set is at its capacity and refuses new keys"},
    [-SEENSET_EUNSUPPORTED] =
        {"SEENSET_EUNSUPPORTED",
         "this kind of set, or this machine, cannot do that"},
    [-SEENSET_EREADONLY] =
        {"SEENSET_EREADONLY",
         "the set is a read-only view; open a copy to change it"},
    [-SEENSET_EMISMATCH] = {"SEENSET_EMISMATCH",
                            "the sets differ in layout, size or hash"},
    [-SEENSET_EIO] = {"SEENSET_EIO",
                      "a system call failed; errno says which way"},
    [-SEENSET_EFORMAT] = {"SEENSET_EFORMAT", "not a seenset file"},
    [-SEENSET_EVERSION] =
        {"SEENSET_EVERSION",
         "a seenset file of a version this library cannot read"},
    [-SEENSET_ETRUNCATED] =
        {"SEENSET_ETRUNCATED",
         "the file ends before its own header says it should"},
    [-SEENSET_ECORRUPT] =
        {"SEENSET_ECORRUPT",
         "the file is damaged: a checksum or a field is wrong"},
    [-SEENSET_EHASH] = {"SEENSET_EHASH",
                        "the file was made with another hash function"},
    [-SEENSET_ESPACE] = {"SEENSET_ESPACE",
                         "the buffer is too small; the size needed was stored"},
    [-SEENSET_EINUSE] = {"SEENSET_EINUSE",
                         "another process has the queue open"},
    [-SEENSET_EDAMAGED] = {"SEENSET_EDAMAGED",
                           "the queue's log is damaged; verify says where"},
    [-SEENSET_EPOISONED] =
        {"SEENSET_EPOISONED",
         "a sync failed before; close the queue and open it"},
    [-SEENSET_ELEASE] =
        {"SEENSET_ELEASE",
         "no such lease, or it ended and the item went to another"},
    [-SEENSET_EURL] = {"SEENSET_EURL",
                       "not a URL, and this queue takes nothing else"},
    [-SEENSET_ESECRET] = {"SEENSET_ESECRET",
                          "the set is keyed, and this is not its secret"},
    [-SEENSET_EJOURNAL] =
        {"SEENSET_EJOURNAL",
         "the set's journal, the .log beside its file, is missing"},
    [-SEENSET_EBUDGET] = {"SEENSET_EBUDGET",
                          "the host has all the URLs of its budget"},
};

static const error_row *find(int error)
{
    const int count = sizeof rows / sizeof rows[0];
    return error <= 0 && error > -count ? &rows[-error] : NULL;
}

const char *seenset_strerror(int error)
{
    const error_row *row = find(error);
    return row == NULL ? "unknown error" : row->text;
}

const char *seenset_error_name(int error)
{
    const error_row *row = find(error);
    return row == NULL ? "unknown" : row->name;
}
