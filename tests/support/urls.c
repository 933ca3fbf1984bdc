/* urls.c - apart from support.c, which is also built where there is no queue */
#include "support.h"

#include "seenset/url.h"

bool test_has_urls(void)
{
    size_t none = 0;
    return seenset_url_normalise("", 0, NULL, &none, NULL) !=
           SEENSET_EUNSUPPORTED;
}
