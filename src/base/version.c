/* version.c - the version of the library, for programs that ask it as they run
 */
#include "seenset/base.h"

const char *seenset_version(void)
{
    return SEENSET_VERSION;
}

uint32_t seenset_version_number(void)
{
    return SEENSET_VERSION_NUMBER;
}
