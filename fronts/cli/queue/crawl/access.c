/* access.c - see crawl/access.h */
#include "queue/crawl/access.h"

#include "command.h"
#include "queue/access/wait.h"
#include "report/complain.h"

int queue_complain_folders_only(const char *option)
{
    complain("%s is for a queue in a folder, not for a crawl in Redis", option);
    return COMMAND_ERROR;
}

int queue_crawl_refuse(const queue_access *access)
{
    const tls_options *tls = &access->tls;
    if (access->replicas == 0 && access->partitions == 0 &&
        tls->authority == NULL && tls->certificate == NULL &&
        tls->key == NULL && tls->name == NULL)
        return 0;
    complain("%s: --replicas, --partitions and --tls-... are for a crawl in "
             "Redis: redis://HOST:PORT/NAME",
             access->dir);
    return COMMAND_ERROR;
}

/* What the module's sets cannot be. Returns an option's name, or NULL. */
static const char *find_refused(const queue_access *access,
                                const new_queue *made)
{
    const seenset_options *set = &made->set;
    if (made->has_window)
        return "--window";
    if (set->on_full != SEENSET_ON_FULL_DEFAULT)
        return "--on-full";
    if (set->layout != SEENSET_LAYOUT_DEFAULT)
        return "--layout";
    if (set->scheme != 0)
        return "--scheme";
    if (set->scheme_arguments != NULL)
        return "--seed, --seeds or --units";
    if (made->is_exact)
        return "--exact";
    if (made->is_keyed)
        return "--keyed";
    return access->options.durability != 0 ? "--durability" : NULL;
}

int queue_crawl_open(crawl **out, const queue_access *access,
                     const new_queue *made)
{
    const char *refused = access->secret.path != NULL ? "--secret-file" : NULL;
    crawl_options options = {.address = access->dir,
                             .wait_seconds = access->wait_seconds,
                             .replicas = (unsigned)access->replicas,
                             .must_exist = made == NULL,
                             .tls = access->tls};
    if (made != NULL) {
        refused = refused != NULL ? refused : find_refused(access, made);
        options.partitions = (uint32_t)access->partitions;
        options.capacity_items = made->set.capacity_items;
        options.fp_rate = made->set.fp_rate;
        options.rules = access->rules;
        options.normalises = made->normalise == SEENSET_QUEUE_NORMALISE_URL;
    }
    if (refused != NULL)
        return queue_complain_folders_only(refused);
    return crawl_open(out, &options);
}
