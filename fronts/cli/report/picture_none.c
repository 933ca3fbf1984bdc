/* picture_none.c - in place of picture.c where libpng was not there */
#include "report/picture.h"

#include "command.h"
#include "report/complain.h"

int picture_write(const tables *from, const char *path)
{
    (void)from;
    complain("%s: the picture cannot be written: this seenset was built "
             "without libpng",
             path);
    return COMMAND_ERROR;
}
