/*
 * error.c - the texts and names of the errors, from the one list in
 * include/seenset/error.h.
 */
#include "seenset/error.h"

const char *seenset_strerror(int error)
{
    switch (error) {
#define ERROR_TEXT(name, number, text)                                         \
    case SEENSET_##name:                                                       \
        return text;
        SEENSET_ERRORS(ERROR_TEXT)
#undef ERROR_TEXT
    default:
        return "unknown error";
    }
}

const char *seenset_error_name(int error)
{
    switch (error) {
#define ERROR_NAME(name, number, text)                                         \
    case SEENSET_##name:                                                       \
        return "SEENSET_" #name;
        SEENSET_ERRORS(ERROR_NAME)
#undef ERROR_NAME
    default:
        return "unknown";
    }
}
