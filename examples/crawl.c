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
 *     -d  durability: when a push or an ack is answered (default each)
 *     -n  number of pages to plan for (default 1,000,000)
 *     -w  seconds between two fetches (default 1)
 *     -r  seconds before a failed fetch is tried again (default 60)
 *     -x  keep URLs as they are spelled, instead of their normal form
 *
 * One connection, one fetch at a time. Left out, but needed on the open web:
 * robots.txt, entities in links, <base>, content types.
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

enum {
    PAGE_BYTES = 1 << 20, /* the rest of a larger page is not read */
    LINKS_AT_ONCE = 256,  /* pushed with one wait for the disk */
    TRIES = 4,            /* of a failing page, before it is given up */
    FETCH_SECONDS = 30    /* at most; well below the lease */
};

typedef struct crawler {
    seenset_queue *queue;
    CURL *curl;
    char *site;          /* host:port that it stays on */
    double wait_seconds; /* between fetches */
    double retry_seconds;
    char *page; /* what was fetched */
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

/* 1: the site has answered; 0: to be tried again later. */
static int fetch(crawler *c, const char *url)
{
    long status = 0;
    c->page_len = 0;
    curl_easy_setopt(c->curl, CURLOPT_URL, url);
    if (curl_easy_perform(c->curl) != CURLE_OK)
        return 0;
    curl_easy_getinfo(c->curl, CURLINFO_RESPONSE_CODE, &status);
    if (status >= 400)
        c->page_len = 0;
    return status != 429 && status < 500;
}

static void visit(crawler *c, const seenset_queue_item *item)
{
    char *url = not_null(strndup(item->url, item->url_len));
    CURLU *base = not_null(curl_url());
    if (item->data_len == sizeof c->depth)
        memcpy(&c->depth, item->data, sizeof c->depth);
    int fetched = fetch(c, url);
    if (fetched && curl_url_set(base, CURLUPART_URL, url, 0) == CURLUE_OK)
        push_links_of_page(c, base);
    if (fetched)
        printf("%u\t%s\n", (unsigned)c->depth, url);
    const seenset_queue_nack_options later = {.delay_seconds =
                                                  c->retry_seconds};
    int error = fetched || item->deliveries >= TRIES
                    ? seenset_queue_ack(c->queue, item->lease)
                    : seenset_queue_nack(c->queue, item->lease, &later);
    if (error != SEENSET_ELEASE) /* it expired: the page comes again */
        checked(error);
    curl_url_cleanup(base);
    free(url);
}

/* Nothing can be handed out now. Is anything pending or leased? */
static int is_finished(crawler *c)
{
    seenset_queue_stats stats;
    checked(seenset_queue_get_stats(c->queue, &stats, sizeof stats));
    return stats.pending_items + stats.leased_items == 0;
}

static void crawl(crawler *c)
{
    seenset_queue_item item = {0};
    for (;;) {
        if (checked(seenset_queue_pop(c->queue, &item)) == 1) {
            visit(c, &item);
            sleep_seconds(c->wait_seconds);
        } else if (is_finished(c)) {
            break;
        } else {
            sleep_seconds(0.1); /* some are to be tried again */
        }
    }
    seenset_queue_item_free(&item);
}

/* ---- start and end ---- */

static void start(crawler *c, const char *dir, const char *url,
                  const seenset_queue_options *options)
{
    uint32_t depth = 0;
    CURLU *parsed = not_null(curl_url());
    if (curl_url_set(parsed, CURLUPART_URL, url, 0) != CURLUE_OK ||
        (c->site = site_of(parsed)) == NULL)
        die("the URL must be one of http or https");
    curl_url_cleanup(parsed);
    c->curl = not_null(curl_easy_init());
    curl_easy_setopt(c->curl, CURLOPT_USERAGENT, "seenset-example-crawler");
    curl_easy_setopt(c->curl, CURLOPT_PROTOCOLS_STR, "http,https");
    curl_easy_setopt(c->curl, CURLOPT_TIMEOUT, (long)FETCH_SECONDS);
    curl_easy_setopt(c->curl, CURLOPT_WRITEFUNCTION, take_piece);
    curl_easy_setopt(c->curl, CURLOPT_WRITEDATA, c);
    c->page = not_null(malloc(PAGE_BYTES));
    checked(seenset_queue_open(&c->queue, dir, options));
    checked(
        seenset_queue_push(c->queue, url, strlen(url), &depth, sizeof depth));
}

static void end(crawler *c)
{
    checked(seenset_queue_close(c->queue));
    curl_easy_cleanup(c->curl);
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
