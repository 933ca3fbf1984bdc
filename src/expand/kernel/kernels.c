/* kernels.c - the fastest kernel that this processor can run */
#include "expand/kernel/kernels.h"

#include <string.h>

#include "lines/processor.h"

static const ss_expand_kernel *runnable_kernel(size_t index)
{
    const ss_expand_kernel *kernels[3] = {0};
    size_t count = 0;
#if SS_HAS_X86_KERNELS
    if (ss_processor_has_vbmi())
        kernels[count++] = &ss_expand_vbmi;
    if (ss_processor_has_avx2())
        kernels[count++] = &ss_expand_avx2;
#endif
    kernels[count++] = &ss_expand_portable;
    return index < count ? kernels[index] : NULL;
}

const ss_expand_kernel *ss_expand_kernel_find(const char *name)
{
    const ss_expand_kernel *kernel;
    for (size_t i = 0; (kernel = runnable_kernel(i)) != NULL; i++) {
        if (name == NULL || strcmp(kernel->name, name) == 0)
            return kernel;
    }
    return NULL;
}
