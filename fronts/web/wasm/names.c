/* names.c - names of layouts, policies, schemes and errors; the numbers' place
 */
#include "wasm/web.h"

double web_numbers[WEB_NUMBER_ROOM];

double *WEB_CALL(web_numbers_place)(void)
{
    return web_numbers;
}

const char *WEB_CALL(web_version)(void)
{
    return seenset_version();
}

const char *WEB_CALL(web_layout_name)(int layout)
{
    return seenset_layout_name((seenset_layout)layout);
}

const char *WEB_CALL(web_on_full_name)(int on_full)
{
    return seenset_on_full_name((seenset_on_full)on_full);
}

const char *WEB_CALL(web_scheme_name)(int scheme)
{
    return seenset_scheme_name((seenset_scheme)scheme);
}

const char *WEB_CALL(web_error_name)(int error)
{
    return seenset_error_name(error);
}

const char *WEB_CALL(web_error_text)(int error)
{
    return seenset_strerror(error);
}
