/* key_text.c - see key_text.h */
#include "foreign/key_text.h"

#include <stdio.h>

int key_text_read(value *out, const key_form *of, funnel_room *room,
                  const char *text, size_t len)
{
    if (of->funnel != FUNNEL_NONE)
        return funnel_read(out, of->funnel, room, text, len);
    return value_read(out, of->filter, text, len);
}

key_text_problem key_text_say(const key_form *of, const char *text, size_t len)
{
    key_text_problem out;
    int shown = (int)(len < 200 ? len : 200);
    const char *kind = seenset_value_type_name(of->filter->value_type);
    if (of->funnel == FUNNEL_NONE)
        snprintf(out.text, sizeof out.text,
                 "'%.*s' is not a value of '%.200s', which are %s%s", shown,
                 text, of->filter->column,
                 of->filter->is_unsigned ? "unsigned " : "", kind);
    else if (of->funnel == funnel_usual(of->format))
        snprintf(out.text, sizeof out.text,
                 "'%.*s' is not %s, as keys are without --funnel", shown, text,
                 funnel_words(of->funnel));
    else
        snprintf(out.text, sizeof out.text,
                 "'%.*s' is not %s, as --funnel=%s says that keys are", shown,
                 text, funnel_words(of->funnel), funnel_name(of->funnel));
    return out;
}
