/* open.c - a file of another system in memory: recognised, opened, described
 * and closed */
#include <string.h>

#include "base/growth.h"
#include "base/map.h"
#include "file/header/header.h"
#include "foreign/foreign.h"

int ss_foreign_make_room(seenset_foreign *file, uint32_t filter_count,
                         size_t name_bytes, seenset_file_report *report)
{
    file->name_bytes = name_bytes;
    file->info.filter_count = filter_count;
    if (filter_count > 0)
        file->filters =
            ss_memory_alloc(&file->memory, filter_count, sizeof *file->filters);
    if (name_bytes > 0)
        file->names = ss_memory_alloc(&file->memory, name_bytes, 1);
    if ((filter_count > 0 && file->filters == NULL) ||
        (name_bytes > 0 && file->names == NULL))
        return ss_header_refuse(report, SEENSET_ENOMEM, 0, "out of memory");
    return SEENSET_OK;
}

/* Only memory, a report and, of some formats, a secret can be chosen. */
static bool are_options(const seenset_open_options *options)
{
    return options->index_function == NULL && options->index_context == NULL &&
           options->at_capacity == NULL &&
           options->at_capacity_context == NULL && options->flags == 0 &&
           options->reserved32 == 0 && SS_GROWTH_IS_UNUSED(options);
}

static int refuse_option(seenset_file_report *report)
{
    return ss_header_refuse(report, SEENSET_EINVAL, 0,
                            "an option that files of other systems do not "
                            "have");
}

int ss_foreign_begin(const void *out, const void *from, uint64_t file_bytes,
                     const seenset_open_options *options,
                     seenset_file_report **report)
{
    if (options != NULL && options->report != NULL)
        *report = options->report;
    **report = (seenset_file_report){.file_bytes = file_bytes};
    if (out == NULL || from == NULL)
        return ss_header_refuse(*report, SEENSET_EINVAL, 0,
                                "an argument is missing");
    if (options != NULL && !are_options(options))
        return refuse_option(*report);
    return SEENSET_OK;
}

void seenset_foreign_free(seenset_foreign *file)
{
    if (file == NULL)
        return;
    ss_memory memory = file->memory;
    ss_memory_free(&memory, file->filters, file->info.filter_count,
                   sizeof *file->filters);
    ss_memory_free(&memory, file->names, file->name_bytes, 1);
    ss_map_end(file->mapping, file->mapping_bytes);
    ss_memory_free(&memory, file, 1, sizeof *file);
}

static int open_as(seenset_foreign *file, seenset_file_report *report)
{
    file->info.format = file->format->id;
    file->info.group_count = 1;
    return file->format->open(file, report);
}

int ss_foreign_make(seenset_foreign **out, const uint8_t *bytes,
                    size_t size_bytes, const seenset_open_options *options,
                    seenset_file_report *report)
{
    ss_memory memory;
    const ss_format *format = ss_format_of(bytes, size_bytes);
    if (ss_memory_init(&memory, options == NULL ? NULL : options->allocator) !=
        SEENSET_OK)
        return ss_header_refuse(report, SEENSET_EINVAL, 0,
                                "the allocator lacks a function");
    if (format == NULL)
        return ss_header_refuse(report, SEENSET_EFORMAT, 0,
                                "none of the formats that are known");
    const void *secret = options == NULL ? NULL : options->secret;
    if (secret != NULL && !format->is_keyed)
        return refuse_option(report);
    seenset_foreign *file = ss_memory_alloc_record(&memory, sizeof *file);
    if (file == NULL)
        return ss_header_refuse(report, SEENSET_ENOMEM, 0, "out of memory");
    *file = (seenset_foreign){.memory = memory,
                              .format = format,
                              .bytes = bytes,
                              .info.file_bytes = size_bytes,
                              .has_secret = secret != NULL};
    if (secret != NULL)
        memcpy(file->secret, secret, sizeof file->secret);
    int error = open_as(file, report);
    if (error != SEENSET_OK) {
        seenset_foreign_free(file);
        return error;
    }
    *out = file;
    return SEENSET_OK;
}

int seenset_foreign_open_bytes(seenset_foreign **out, const void *bytes,
                               size_t size_bytes,
                               const seenset_open_options *options)
{
    seenset_file_report own, *report = &own;
    int error = ss_foreign_begin(out, bytes, size_bytes, options, &report);
    if (error != SEENSET_OK)
        return error;
    return ss_foreign_make(out, bytes, size_bytes, options, report);
}

int seenset_foreign_get_info(const seenset_foreign *file,
                             seenset_foreign_info *out, size_t out_bytes)
{
    if (file == NULL)
        return SEENSET_EINVAL;
    return ss_growth_hand_out(out, out_bytes, &file->info, sizeof file->info);
}

int seenset_foreign_get_filter(const seenset_foreign *file, uint32_t filter,
                               seenset_foreign_filter *out, size_t out_bytes)
{
    if (file == NULL || filter >= file->info.filter_count)
        return SEENSET_EINVAL;
    return ss_growth_hand_out(out, out_bytes, &file->filters[filter],
                              sizeof file->filters[filter]);
}
