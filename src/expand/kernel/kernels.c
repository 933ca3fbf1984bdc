/* kernels.c - the fastest twin that this processor can run */
#include "expand/kernel/kernels.h"

#include <string.h>

#include "lines/processor.h"

static const ss_expand_twin *runnable_twin(size_t index)
{
    const ss_expand_twin *twins[3] = {0};
    size_t count = 0;
#if defined(__x86_64__)
    if (ss_processor_has_vbmi())
        twins[count++] = &ss_expand_vbmi;
    if (ss_processor_has_avx2())
        twins[count++] = &ss_expand_avx2;
#endif
    twins[count++] = &ss_expand_portable;
    return index < count ? twins[index] : NULL;
}

const ss_expand_twin *ss_expand_twin_find(const char *name)
{
    const ss_expand_twin *twin;
    for (size_t i = 0; (twin = runnable_twin(i)) != NULL; i++) {
        if (name == NULL || strcmp(twin->name, name) == 0)
            return twin;
    }
    return NULL;
}
