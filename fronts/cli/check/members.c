/* members.c - see members.h */
#include "check/members.h"

/* A count that is null where it is not known, which is 0. */
static void json_known(json *out, const char *name, uint64_t count)
{
    if (count > 0)
        json_count(out, name, count);
    else
        json_null(out, name);
}

static void members_of_verdict(json *out, const verdict_figures *of,
                               verdict found)
{
    json_text(out, "verdict", verdict_name(found));
    json_text(out, "because", verdict_say(of, found).text);
}

void members_of_figures(json *out, const verdict_figures *of, verdict found)
{
    json_text(out, "layout", seenset_layout_name(of->layout));
    json_count(out, "size_bits", of->size_bits);
    json_count(out, "hash_count", of->hash_count);
    json_known(out, "capacity_items", of->capacity_items);
    if (of->promised > 0)
        json_real(out, "fp_rate", of->promised);
    else
        json_null(out, "fp_rate");
    json_count(out, "set_bits", of->set_bits);
    json_real(out, "estimated_items", of->estimated_items);
    json_real(out, "current_fp_rate", of->rate);
    json_known(out, "needed_bytes", verdict_needed_bytes(of));
    members_of_verdict(out, of, found);
}

void members_of_file(json *out, const seenset_foreign_info *info)
{
    json_text(out, "format", seenset_format_name(info->format));
    json_count(out, "file_bytes", info->file_bytes);
    json_count(out, "row_count", info->row_count);
    json_count(out, "row_groups", info->group_count);
}

/* The members of a Golomb-coded set. */
static void members_of_coded(json *out, const measured *one)
{
    json_text(out, "layout", "golomb");
    json_count(out, "size_bits", one->figures.size_bits);
    json_real(out, "fp_rate", one->figures.promised);
    json_real(out, "estimated_items", one->figures.estimated_items);
    json_real(out, "current_fp_rate", one->figures.rate);
    members_of_verdict(out, &one->figures, one->found);
}

void members_of_filter(json *out, const measured *one)
{
    const seenset_foreign_filter *filter = &one->filter;
    json_open(out, NULL, '{');
    json_text(out, "column", filter->column);
    json_count(out, "row_group", filter->group);
    json_text(out, "type", seenset_value_type_name(filter->value_type));
    json_count(out, "value_count", filter->value_count);
    json_count(out, "bits_offset", filter->bits_offset);
    json_text(out, "scheme",
              one->is_coded ? "bip158" : seenset_scheme_name(filter->scheme));
    json_known(out, "added_items", filter->added_items);
    if (filter->scheme == SEENSET_SCHEME_BIP37)
        json_count(out, "seed", filter->seed);
    if (one->error == 0 && one->is_coded)
        members_of_coded(out, one);
    else if (one->error == 0)
        members_of_figures(out, &one->figures, one->found);
    else
        json_text(out, "verdict",
                  one->error == SEENSET_EUNSUPPORTED ? "unsupported"
                                                     : "damaged");
    if (one->error != 0) {
        json_text(out, "because", one->reason);
        json_count(out, "reason_offset", one->reason_offset);
    }
    json_close(out, '}');
}
