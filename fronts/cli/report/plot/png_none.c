/* png_none.c - replaces png_file.c in a build without libpng. */
#include "command.h"
#include "report/complain.h"
#include "report/plot/png_file.h"

int png_file_write(const char *path, const char *option, const png_pixels *from)
{
    (void)option;
    (void)from;
    complain("%s: the picture cannot be written: this seenset was built "
             "without libpng",
             path);
    return COMMAND_ERROR;
}
