/* foreign_opened.h - files of other systems, opened for tests of what they say
 */
#ifndef TEST_FOREIGN_OPENED_H
#define TEST_FOREIGN_OPENED_H

#include "foreign_files.h"

/* Opens bytes that have to open. */
seenset_foreign *foreign_open_whole(const uint8_t *bytes, size_t size_bytes);
seenset_foreign_info foreign_info_of(const seenset_foreign *file);
seenset_foreign_filter foreign_filter_of(const seenset_foreign *file,
                                         uint32_t number);

/* What bytes open as that are refused, with the reason of the report. */
int foreign_refused(const void *bytes, size_t size_bytes, const char *reason);

#endif
