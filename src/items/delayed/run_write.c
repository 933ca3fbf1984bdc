/* run_write.c - see run_write.h */
#include "items/delayed/run_write.h"

#include <string.h>

#include "seenset/error.h"

int ss_run_begin(ss_run_writer *writer, const ss_run_files *files,
                 uint64_t number, unsigned lane)
{
    char name[SS_FOLDER_NAME_BYTES];
    *writer = (ss_run_writer){
        .files = files,
        .name = {.number = number, .lane = lane, .floor = UINT64_MAX},
        .place = 1};
    ss_run_file_name(name, number);
    writer->fd = ss_folder_begin(files->folder, name);
    return writer->fd < 0 ? SEENSET_EIO : SEENSET_OK;
}

static int write_block(ss_run_writer *writer, uint64_t place)
{
    return ss_io_pwrite_all(writer->files->folder->io, writer->fd,
                            writer->block, sizeof writer->block,
                            place * SS_RUN_BLOCK_BYTES)
               ? SEENSET_OK
               : SEENSET_EIO;
}

/* What is in the block goes to the file. */
static int end_block(ss_run_writer *writer, uint64_t last_item)
{
    if (writer->in_block == 0)
        return SEENSET_OK;
    ss_run_put_end(writer->block, writer->name.number, writer->place,
                   writer->before);
    int error = write_block(writer, writer->place++);
    memset(writer->block, 0, sizeof writer->block);
    writer->in_block = 0;
    if (writer->order == SS_RUN_BY_ITEM)
        writer->before = last_item + 1;
    return error;
}

int ss_run_put(ss_run_writer *writer, const ss_delay *delay)
{
    ss_run_name *name = &writer->name;
    ss_run_put_record(writer->block + writer->in_block++ * SS_RUN_RECORD_BYTES,
                      delay, name->lane);
    if (writer->order == SS_RUN_BY_ITEM)
        writer->by_item++;
    else
        name->count++;
    if (delay->position < name->floor)
        name->floor = delay->position;
    return writer->in_block == SS_RUN_BLOCK_RECORDS
               ? end_block(writer, delay->item)
               : SEENSET_OK;
}

int ss_run_turn_to_items(ss_run_writer *writer)
{
    int error = end_block(writer, 0);
    writer->order = SS_RUN_BY_ITEM;
    return error;
}

int ss_run_finish(ss_run_writer *writer)
{
    char name[SS_FOLDER_NAME_BYTES];
    const ss_run_files *files = writer->files;
    int error = end_block(writer, 0);
    if (error == SEENSET_OK && writer->by_item != writer->name.count)
        error = SEENSET_EDAMAGED;
    ss_run_put_header(files, &writer->name, writer->block);
    if (error == SEENSET_OK)
        error = write_block(writer, 0);
    if (error != SEENSET_OK) {
        ss_run_abort(writer);
        return error;
    }
    ss_run_file_name(name, writer->name.number);
    return ss_folder_commit(files->folder, name, writer->fd);
}

void ss_run_abort(ss_run_writer *writer)
{
    char name[SS_FOLDER_NAME_BYTES];
    ss_run_file_name(name, writer->name.number);
    ss_folder_abort(writer->files->folder, name, writer->fd);
}
