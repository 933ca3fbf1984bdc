/* picture_none.c - replaces picture.c in a build without libpng. */
#include "report/picture.h"

#include "command.h"
#include "report/complain.h"

int picture_write(const seenset *set, const char *name, const char *path)
{
    (void)set;
    (void)name;
    complain("%s: the picture cannot be written: this seenset was built "
             "without libpng",
             path);
    return COMMAND_ERROR;
}
