/*
 * open.c - opening a crawl: what is written in its own key.
 *
 *     seenset-crawl 1 partitions 1024 capacity 1000 rate 1e-06 normalise url
 *
 * capacity is that of a partition; 0 for it and for the rate is the module's
 * own default. Rules for hosts follow, if there are any (rules.h). The key is
 * made by one command, so that of several clients that begin a crawl at once
 * one wins, and all read what it wrote.
 */
#include "crawl/crawl.h"

#include <hiredis/hiredis.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "command.h"
#include "crawl/answer.h"
#include "report/complain.h"

#define MOST_CAPACITY (UINT64_C(1) << 53)

#define FORM                                                                   \
    "seenset-crawl 1 partitions %5u capacity %16llu rate %30lg normalise "     \
    "%7s%n"

static int read_record(crawl *it, const char *text, size_t length)
{
    crawl_options *options = &it->options;
    unsigned partitions = 0;
    unsigned long long capacity = 0;
    double rate = 0;
    char normalise[8] = "";
    int end = 0;
    int found =
        sscanf(text, FORM, &partitions, &capacity, &rate, normalise, &end);
    bool normalises = strcmp(normalise, "url") == 0;
    if (found != 4 || (size_t)end > length || partitions < 1 ||
        partitions > CRAWL_MOST_PARTITIONS || capacity > MOST_CAPACITY ||
        !(rate >= 0 && rate < 1) ||
        (!normalises && strcmp(normalise, "off") != 0) ||
        !crawl_rules_read(&options->rules, text + end, length - (size_t)end)) {
        complain("%s: this key is not a crawl, or of a newer seenset",
                 it->shown);
        return COMMAND_ERROR;
    }
    options->partitions = partitions;
    options->capacity_items = capacity;
    options->fp_rate = rate;
    options->normalises = normalises;
    return 0;
}

/* Whether this command finds the hosts that the rules are about. */
static int check_kind(const crawl *it, const crawl_rules *rules)
{
    size_t start, length;
    if (seenset_url_site("", 0, rules->by, &start, &length) == SEENSET_OK)
        return 0;
    complain("%s: the crawl is polite by domain, and this seenset was built "
             "without libpsl",
             it->shown);
    return COMMAND_ERROR;
}

/* Rules that are asked for are those of the crawl, and can be kept here. */
static int check_rules(const crawl *it, const crawl_rules *asked)
{
    if (asked->is_polite && !crawl_rules_are_equal(asked, &it->options.rules)) {
        complain("%s: the crawl was begun %s; leave --polite out, or begin a "
                 "crawl of another name",
                 it->shown,
                 it->options.rules.is_polite ? "with other rules for hosts"
                                             : "without --polite");
        return COMMAND_ERROR;
    }
    return check_kind(it, &it->options.rules);
}

/* What cannot be changed is not passed over in silence. */
static int check_asked(const crawl *it, const crawl_options *asked)
{
    const crawl_options *has = &it->options;
    if (asked->partitions != 0 && asked->partitions != has->partitions) {
        complain("%s: the crawl has %u partitions, and --partitions %u asks "
                 "for others; their number cannot be changed: leave it out, "
                 "or begin a crawl of another name",
                 it->shown, (unsigned)has->partitions,
                 (unsigned)asked->partitions);
        return COMMAND_ERROR;
    }
    if (asked->normalises && !has->normalises) {
        complain("%s: the crawl was begun without --normalise url; leave it "
                 "out, or begin a crawl of another name",
                 it->shown);
        return COMMAND_ERROR;
    }
    return check_rules(it, &asked->rules);
}

static void write_record(const crawl_options *options, char *out, size_t size)
{
    uint64_t partitions = options->partitions == 0 ? CRAWL_DEFAULT_PARTITIONS
                                                   : options->partitions;
    uint64_t each = options->capacity_items / partitions +
                    (options->capacity_items % partitions != 0);
    char rules[CRAWL_RULES_ROOM];
    crawl_rules_write(&options->rules, rules);
    snprintf(out, size,
             "seenset-crawl 1 partitions %llu capacity %llu rate %.17g "
             "normalise %s%s",
             (unsigned long long)partitions, (unsigned long long)each,
             options->fp_rate, options->normalises ? "url" : "off", rules);
}

/* A command for the crawl's own key. */
static int ask(crawl *it, crawl_command *command, size_t count,
               const char *const *words)
{
    size_t lengths[4];
    for (size_t i = 0; i < count; i++)
        lengths[i] = strlen(words[i]);
    unsigned slot = slot_of(it->address.name, strlen(it->address.name));
    if (crawl_command_set(command, slot, count, words, lengths) != 0)
        return crawl_no_memory(it);
    return crawl_servers_run(it->servers, command, 1);
}

static int make_record(crawl *it)
{
    char record[200 + CRAWL_RULES_ROOM];
    write_record(&it->options, record, sizeof record);
    const char *const words[] = {"SET", it->address.name, record, "NX"};
    crawl_command command = {0};
    int status = ask(it, &command, 4, words);
    if (status == 0 && command.reply->type != REDIS_REPLY_STATUS &&
        command.reply->type != REDIS_REPLY_NIL)
        status = crawl_complain_reply(it, &command, "neither OK nor null");
    crawl_command_free(&command);
    return status;
}

static int take_record(crawl *it)
{
    const char *const words[] = {"GET", it->address.name};
    crawl_command command = {0};
    int status = ask(it, &command, 2, words);
    const redisReply *reply = command.reply;
    if (status != 0) {
        ;
    } else if (reply->type == REDIS_REPLY_STRING) {
        status = read_record(it, reply->str, (size_t)reply->len);
    } else if (reply->type == REDIS_REPLY_NIL) {
        complain("%s: there is no such crawl; seenset queue push makes one",
                 it->shown);
        status = COMMAND_ERROR;
    } else {
        status = crawl_complain_reply(it, &command, "no text of a crawl");
    }
    crawl_command_free(&command);
    return status;
}

static int set_up_tls(crawl *it)
{
    const tls_options *tls = &it->options.tls;
    bool is_asked = tls->authority != NULL || tls->certificate != NULL ||
                    tls->key != NULL || tls->name != NULL;
    if (it->address.is_tls)
        return tls_setup_new(&it->tls, tls);
    if (!is_asked)
        return 0;
    complain("%s: --tls-ca, --tls-cert, --tls-key and --tls-name are for "
             "connections by TLS: rediss://HOST:PORT/NAME",
             it->shown);
    return COMMAND_ERROR;
}

static int begin(crawl *it)
{
    const crawl_options *options = &it->options, asked = it->options;
    if (crawl_read_address(options->address, &it->address) != 0)
        return COMMAND_ERROR;
    crawl_shown_address(&it->address, it->shown, sizeof it->shown);
    slot_tags(it->tags);
    if (set_up_tls(it) != 0)
        return COMMAND_ERROR;
    it->servers = crawl_servers_new(&it->address, it->tls,
                                    options->wait_seconds, options->replicas);
    int status = it->servers == NULL ? crawl_no_memory(it)
                                     : check_kind(it, &options->rules);
    if (status == 0 && !options->must_exist)
        status = make_record(it);
    if (status == 0)
        status = take_record(it);
    if (status == 0)
        status = check_asked(it, &asked);
    if (status != 0)
        return status;
    it->is_made = calloc(options->partitions, sizeof *it->is_made);
    return it->is_made == NULL ? crawl_no_memory(it) : 0;
}

int crawl_open(crawl **out, const crawl_options *options)
{
    crawl *it = calloc(1, sizeof *it);
    if (it == NULL) {
        complain("out of memory");
        return COMMAND_ERROR;
    }
    it->options = *options;
    int status = begin(it);
    if (status != 0)
        crawl_close(it);
    else
        *out = it;
    return status;
}

void crawl_set_wait(crawl *it, double wait_seconds)
{
    crawl_servers_set_wait(it->servers, wait_seconds);
}

void crawl_close(crawl *it)
{
    if (it == NULL)
        return;
    crawl_servers_free(it->servers);
    tls_setup_free(it->tls);
    free(it->is_made);
    free(it);
}
