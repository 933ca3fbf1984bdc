/*
 * crawl.c - a small polite crawler that can be killed at any moment.
 *
 *     crawl [-d each|interval|none] [-n PAGES] [-w SECONDS] [-r SECONDS] [-x]
 *           DIR URL
 *
 *     cc -std=c11 -o crawl crawl.c \
 *         $(pkg-config --cflags --libs seenset-queue libcurl)
 *
 * Visits every page that can be reached from URL on the same host and port,
 * each once, and prints its depth and URL. DIR is the queue, and it is the
 * crawler's whole state: start it again with the same DIR and it continues
 * where it was, after kill -9 or a power cut as after ^C.
 *
 * That needs one rule, in visit(): first push the links of a page, then ack the
 * page. If the crawler dies in between, the page is handed out again after the
 * restart and its links are pushed again; those that are known are dropped. So
 * only the page that was being fetched when the crawler died is fetched twice,
 * and no page is forgotten.
 *
 * It asks the site as often as the site allows. The queue is polite: it hands
 * out a page when the site may be asked, and not before, also after a restart.
 * The site's robots.txt (robots.h) is fetched in the place of the first page,
 * and again each day. A Crawl-delay and a Retry-After become settings of the
 * queue. A page that is answered 429 or 503 with a Retry-After was not tried.
 *
 *     -d  durability: when a push or an ack is answered (default each)
 *     -n  number of pages to plan for (default 1,000,000)
 *     -w  seconds between two fetches, if the site does not ask for more
 *         (default 1)
 *     -r  seconds before a failed fetch is tried again (default 60)
 *     -x  keep URLs as they are spelled, instead of their normal form
 *
 * One connection, one fetch at a time. Left out, but needed on the open web:
 * entities in links, <base>, content types.
 */
#define _GNU_SOURCE /* getopt, strndup, memmem */
#include <curl/curl.h>
#include <seenset/queue.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <strings.h>
#include <time.h>
#include <unistd.h>

#include "robots.h"

#define AGENT "seenset-example-crawler" /* its name in robots.txt */

enum {
    PAGE_BYTES = 1 << 20,         /* the rest of a larger page is not read */
    LINKS_AT_ONCE = 256,          /* pushed with one wait for the disk */
    TRIES = 4,                    /* of a failing page, before it is given up */
    FETCH_SECONDS = 30,           /* at most; well below the lease */
    ROBOTS_SECONDS = 24 * 60 * 60 /* then robots.txt is fetched again */
};

typedef struct crawler {
    seenset_queue *queue;
    CURL *curl;
    char *site;          /* host:port that it stays on */
    double wait_seconds; /* between fetches */
    double retry_seconds;
    robots robots;
    time_t robots_until; /* it is up to date; 0: it was never fetched */
    char *page;          /* what was fetched */
    size_t page_len;
    uint32_t depth; /* of that page; each item carries its own */
    seenset_queue_entry links[LINKS_AT_ONCE];
    size_t link_count; /* gathered and not yet pushed */
} crawler;

static void die(const char *why)
{
    fprintf(stderr, "crawl: %s\n", why);
    exit(1);
}

/* The queue is the only thing whose errors end the crawl. */
static int checked(int answer)
{
    if (answer < 0)
        die(seenset_strerror(answer));
    return answer;
}

static void *not_null(void *pointer)
{
    if (pointer == NULL)
        die("out of memory");
    return pointer;
}

static void sleep_seconds(double seconds)
{
    struct timespec time = {.tv_sec = (time_t)seconds};
    time.tv_nsec = (long)((seconds - (double)time.tv_sec) * 1e9);
    nanosleep(&time, NULL);
}

/* ---- the links of a page ---- */

/* "host:port" of a URL, which the caller frees; NULL if it is not http. */
static char *site_of(CURLU *url)
{
    char *scheme = NULL, *host = NULL, *port = NULL, *site = NULL;
    curl_url_get(url, CURLUPART_SCHEME, &scheme, 0);
    curl_url_get(url, CURLUPART_HOST, &host, 0);
    curl_url_get(url, CURLUPART_PORT, &port, CURLU_DEFAULT_PORT);
    if (scheme != NULL && strncasecmp(scheme, "http", 4) == 0 && host != NULL &&
        port != NULL) {
        size_t room = strlen(host) + strlen(port) + 2;
        site = not_null(malloc(room));
        snprintf(site, room, "%s:%s", host, port);
    }
    curl_free(scheme);
    curl_free(host);
    curl_free(port);
    return site;
}

/* The queue drops those that were seen before. */
static void push_links(crawler *c)
{
    int error =
        seenset_queue_push_many(c->queue, c->links, c->link_count, NULL, NULL);
    if (error != SEENSET_EURL) /* some were not URLs: ignore them */
        checked(error);
    for (size_t i = 0; i < c->link_count; i++)
        curl_free((char *)c->links[i].url);
    c->link_count = 0;
}

/* Gathers a link found in the page at `base`, if it is on the same site. */
static void gather_link(crawler *c, CURLU *base, const char *href,
                        const uint32_t *depth)
{
    CURLU *url = not_null(curl_url_dup(base));
    char *text = NULL, *site = NULL;
    if (curl_url_set(url, CURLUPART_URL, href, CURLU_URLENCODE) == CURLUE_OK)
        site = site_of(url);
    if (site != NULL && strcasecmp(site, c->site) == 0)
        curl_url_get(url, CURLUPART_URL, &text, 0);
    if (text != NULL && !robots_allow(&c->robots, text)) {
        curl_free(text);
        text = NULL;
    }
    if (text != NULL)
        c->links[c->link_count++] =
            (seenset_queue_entry){.url = text,
                                  .url_len = strlen(text),
                                  .data = depth,
                                  .data_len = sizeof *depth};
    if (c->link_count == LINKS_AT_ONCE)
        push_links(c);
    free(site);
    curl_url_cleanup(url);
}

/* Pushes what follows each href=" up to the next quote. */
static void push_links_of_page(crawler *c, CURLU *base)
{
    static const char mark[] = "href=\"";
    const uint32_t depth = c->depth + 1;
    const char *at = c->page, *end = c->page + c->page_len, *quote;
    char *redirect = NULL; /* is a link like any other */
    curl_easy_getinfo(c->curl, CURLINFO_REDIRECT_URL, &redirect);
    if (redirect != NULL)
        gather_link(c, base, redirect, &depth);
    while ((at = memmem(at, (size_t)(end - at), mark, strlen(mark))) != NULL) {
        at += strlen(mark);
        quote = memchr(at, '"', (size_t)(end - at));
        if (quote == NULL)
            break;
        char *href = not_null(strndup(at, (size_t)(quote - at)));
        gather_link(c, base, href, &depth);
        free(href);
        at = quote;
    }
    push_links(c);
}

/* ---- a page ---- */

/* libcurl hands over a piece of the page. */
static size_t take_piece(char *bytes, size_t one, size_t len, void *context)
{
    crawler *c = context;
    size_t room = PAGE_BYTES - c->page_len, taken = len < room ? len : room;
    memcpy(c->page + c->page_len, bytes, taken);
    c->page_len += taken;
    return one * len;
}

/* What became of a fetch. */
typedef enum outcome {
    ANSWERED,
    FAILED,  /* to be tried again, but not for ever */
    TOO_SOON /* the site wants to be left alone first */
} outcome;

static outcome fetch(crawler *c, const char *url)
{
    long status = 0;
    curl_off_t retry_after = 0;
    c->page_len = 0;
    curl_easy_setopt(c->curl, CURLOPT_URL, url);
    if (curl_easy_perform(c->curl) != CURLE_OK)
        return FAILED;
    curl_easy_getinfo(c->curl, CURLINFO_RESPONSE_CODE, &status);
    curl_easy_getinfo(c->curl, CURLINFO_RETRY_AFTER, &retry_after);
    if (status >= 400)
        c->page_len = 0;
    if (status == 429 || (status == 503 && retry_after > 0))
        return TOO_SOON;
    return status < 500 ? ANSWERED : FAILED;
}

/* Gives an item back. It counts as tried unless the flag is there. */
static void give_back(crawler *c, const seenset_queue_item *item,
                      double delay_seconds, uint32_t flags)
{
    const seenset_queue_nack_options how = {.delay_seconds = delay_seconds,
                                            .flags = flags};
    int error = seenset_queue_nack(c->queue, item->lease, &how);
    if (error != SEENSET_ELEASE) /* it expired: the page comes again */
        checked(error);
}

/* ---- what the site asks for ---- */

static void set_site(crawler *c, const seenset_queue_item *item,
                     seenset_queue_host_settings settings)
{
    checked(seenset_queue_set_host(c->queue, item->host, item->host_len,
                                   &settings));
}

/* What the site or the user asks for, whichever is longer. */
static double delay_of(const crawler *c)
{
    double asked =
        c->robots.delay_seconds < SEENSET_QUEUE_MAX_HOST_DELAY_SECONDS
            ? c->robots.delay_seconds
            : SEENSET_QUEUE_MAX_HOST_DELAY_SECONDS;
    return asked > c->wait_seconds ? asked : c->wait_seconds;
}

/* The site is not asked before its Retry-After is over, as of now. */
static void wait_for_site(crawler *c, const seenset_queue_item *item)
{
    curl_off_t retry_after = 0;
    double seconds = c->retry_seconds;
    curl_easy_getinfo(c->curl, CURLINFO_RETRY_AFTER, &retry_after);
    if (retry_after > 0)
        seconds = retry_after < 1000000000 ? (double)retry_after : 1e9;
    if (seconds < delay_of(c))
        seconds = delay_of(c);
    set_site(c, item,
             (seenset_queue_host_settings){.flags = SEENSET_QUEUE_HOST_BLOCK,
                                           .block_seconds = seconds});
}

/* After robots.txt was fetched. That was a request, so a delay begins. */
static void begin_delay(crawler *c, const seenset_queue_item *item)
{
    set_site(c, item,
             (seenset_queue_host_settings){.flags = SEENSET_QUEUE_HOST_DELAY |
                                                    SEENSET_QUEUE_HOST_BLOCK,
                                           .delay_seconds = delay_of(c),
                                           .block_seconds = delay_of(c)});
}

/* "scheme://host:port/robots.txt", to be freed. */
static char *robots_url(const char *url)
{
    static const char path[] = "/robots.txt";
    const char *host = strstr(url, "://") + 3;
    size_t len = (size_t)(host - url) + strcspn(host, "/?#");
    char *text = not_null(malloc(len + sizeof path));
    memcpy(text, url, len);
    memcpy(text + len, path, sizeof path);
    return text;
}

/* ---- visiting ---- */

static void done(crawler *c, const seenset_queue_item *item)
{
    int error = seenset_queue_ack(c->queue, item->lease);
    if (error != SEENSET_ELEASE)
        checked(error);
}

/* A fetch in the place of this page was in vain. */
static void try_later(crawler *c, outcome how, const seenset_queue_item *item)
{
    if (how == TOO_SOON) {
        wait_for_site(c, item);
        give_back(c, item, 0, SEENSET_QUEUE_UNTRIED);
    } else if (item->deliveries >= TRIES) {
        done(c, item);
    } else {
        give_back(c, item, c->retry_seconds, 0);
    }
}

/* In the place of a page, which is handed out again. A site that has no such
 * file allows all; one that fails to show it is asked for nothing else. */
static void visit_robots(crawler *c, const seenset_queue_item *item,
                         const char *url)
{
    char *at = robots_url(url);
    curl_easy_setopt(c->curl, CURLOPT_FOLLOWLOCATION, 1L);
    outcome how = fetch(c, at);
    curl_easy_setopt(c->curl, CURLOPT_FOLLOWLOCATION, 0L);
    free(at);
    if (how != ANSWERED) {
        try_later(c, how, item);
        return;
    }
    robots_free(&c->robots);
    if (robots_read(&c->robots, c->page, c->page_len, AGENT) != 0)
        die("out of memory");
    c->robots_until = time(NULL) + ROBOTS_SECONDS;
    begin_delay(c, item);
    give_back(c, item, 0, SEENSET_QUEUE_UNTRIED);
}

static void visit_page(crawler *c, const seenset_queue_item *item,
                       const char *url)
{
    outcome how = fetch(c, url);
    if (how != ANSWERED) {
        try_later(c, how, item);
        return;
    }
    CURLU *base = not_null(curl_url());
    if (curl_url_set(base, CURLUPART_URL, url, 0) == CURLUE_OK)
        push_links_of_page(c, base);
    printf("%u\t%s\n", (unsigned)c->depth, url);
    done(c, item);
    curl_url_cleanup(base);
}

static void visit(crawler *c, const seenset_queue_item *item)
{
    char *url = not_null(strndup(item->url, item->url_len));
    if (item->data_len == sizeof c->depth)
        memcpy(&c->depth, item->data, sizeof c->depth);
    if (time(NULL) >= c->robots_until)
        visit_robots(c, item, url);
    else if (!robots_allow(&c->robots, url))
        done(c, item);
    else
        visit_page(c, item, url);
    free(url);
}

/* Nothing can be handed out now. Waits until something can, for a second at
 * most. 0: all is done. */
static int wait_for_turn(crawler *c)
{
    seenset_queue_stats stats;
    checked(seenset_queue_get_stats(c->queue, &stats, sizeof stats));
    if (stats.pending_items + stats.leased_items == 0)
        return 0;
    sleep_seconds(stats.seconds_to_next < 1 ? stats.seconds_to_next : 1);
    return 1;
}

static void crawl(crawler *c)
{
    seenset_queue_item item = {0};
    do {
        while (checked(seenset_queue_pop(c->queue, &item)) == 1)
            visit(c, &item);
    } while (wait_for_turn(c));
    seenset_queue_item_free(&item);
}

/* ---- start and end ---- */

/* One that exists has its rules, and the site a delay of its own. */
static void open_queue(crawler *c, const char *dir,
                       seenset_queue_options *options)
{
    const seenset_queue_politeness rules = {.by = SEENSET_URL_SITE_HOST_PORT,
                                            .delay_seconds = c->wait_seconds};
    options->flags = SEENSET_QUEUE_MUST_EXIST;
    int error = seenset_queue_open(&c->queue, dir, options);
    if (error == SEENSET_EFORMAT || error == SEENSET_EIO) {
        options->flags = 0;
        options->politeness = &rules;
        error = seenset_queue_open(&c->queue, dir, options);
    }
    checked(error);
}

static void start(crawler *c, const char *dir, const char *url,
                  seenset_queue_options *options)
{
    uint32_t depth = 0;
    CURLU *parsed = not_null(curl_url());
    if (curl_url_set(parsed, CURLUPART_URL, url, 0) != CURLUE_OK ||
        (c->site = site_of(parsed)) == NULL)
        die("the URL must be one of http or https");
    curl_url_cleanup(parsed);
    c->curl = not_null(curl_easy_init());
    curl_easy_setopt(c->curl, CURLOPT_USERAGENT, AGENT);
    curl_easy_setopt(c->curl, CURLOPT_PROTOCOLS_STR, "http,https");
    curl_easy_setopt(c->curl, CURLOPT_MAXREDIRS, 5L); /* of robots.txt */
    curl_easy_setopt(c->curl, CURLOPT_TIMEOUT, (long)FETCH_SECONDS);
    curl_easy_setopt(c->curl, CURLOPT_WRITEFUNCTION, take_piece);
    curl_easy_setopt(c->curl, CURLOPT_WRITEDATA, c);
    c->page = not_null(malloc(PAGE_BYTES));
    open_queue(c, dir, options);
    checked(
        seenset_queue_push(c->queue, url, strlen(url), &depth, sizeof depth));
}

static void end(crawler *c)
{
    checked(seenset_queue_close(c->queue));
    curl_easy_cleanup(c->curl);
    robots_free(&c->robots);
    free(c->page);
    free(c->site);
}

static seenset_queue_durability durability_called(const char *name)
{
    static const char *const names[] = {"each", "interval", "none"};
    for (int i = 0; i < 3; i++)
        if (strcmp(name, names[i]) == 0)
            return (seenset_queue_durability)(SEENSET_QUEUE_DURABILITY_EACH +
                                              i);
    die("durability is each, interval or none");
    return SEENSET_QUEUE_DURABILITY_DEFAULT;
}

static void read_options(int argc, char **argv, crawler *c,
                         seenset_queue_options *options, seenset_options *set)
{
    int letter;
    while ((letter = getopt(argc, argv, "d:n:w:r:x")) != -1) {
        if (letter == 'd')
            options->durability = durability_called(optarg);
        else if (letter == 'n')
            set->capacity_items = strtoull(optarg, NULL, 10);
        else if (letter == 'w')
            c->wait_seconds = strtod(optarg, NULL);
        else if (letter == 'r')
            c->retry_seconds = strtod(optarg, NULL);
        else if (letter == 'x')
            options->normalise = SEENSET_QUEUE_NORMALISE_OFF;
        else
            exit(2); /* getopt has said why */
    }
    if (argc - optind != 2)
        die("usage: crawl [OPTIONS] DIR URL");
}

int main(int argc, char **argv)
{
    crawler c = {.wait_seconds = 1, .retry_seconds = 60};
    seenset_options set = {.capacity_items = 1000000, .fp_rate = 1e-9};
    seenset_queue_options options = {.set = &set,
                                     .normalise = SEENSET_QUEUE_NORMALISE_URL};
    read_options(argc, argv, &c, &options, &set);
    curl_global_init(CURL_GLOBAL_DEFAULT);
    start(&c, argv[optind], argv[optind + 1], &options);
    crawl(&c);
    end(&c);
    curl_global_cleanup();
    return 0;
}
