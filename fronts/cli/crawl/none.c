/* none.c - a command that was built without hiredis has no crawls in Redis. */
#include "command.h"
#include "crawl/crawl.h"
#include "report/complain.h"

int crawl_open(crawl **out, const crawl_options *options)
{
    (void)out;
    complain("%s: this seenset was built without libhiredis", options->address);
    return COMMAND_ERROR;
}

/* As there is none, these are never called. */

void crawl_close(crawl *it)
{
    (void)it;
}

void crawl_set_wait(crawl *it, double wait_seconds)
{
    (void)it, (void)wait_seconds;
}

int crawl_push(crawl *it, const seenset_queue_entry *entries, size_t count,
               uint8_t *answers)
{
    (void)it, (void)entries, (void)count, (void)answers;
    return COMMAND_ERROR;
}

int crawl_pop(crawl *it, size_t wanted, uint64_t lease_ms, crawl_take *take,
              void *context)
{
    (void)it, (void)wanted, (void)lease_ms, (void)take, (void)context;
    return COMMAND_ERROR;
}

int crawl_ack(crawl *it, const uint64_t *leases, size_t count,
              const crawl_back *how, size_t *missing)
{
    (void)it, (void)leases, (void)count, (void)how, (void)missing;
    return COMMAND_ERROR;
}

int crawl_nack(crawl *it, const uint64_t *leases, size_t count,
               const crawl_back *how, size_t *missing)
{
    (void)it, (void)leases, (void)count, (void)how, (void)missing;
    return COMMAND_ERROR;
}

int crawl_look(crawl *it, crawl_figures *out)
{
    (void)it, (void)out;
    return COMMAND_ERROR;
}
