/*
 * crawl_site.c - a web site for crawl.sh, made up while it is asked for.
 *
 *     crawl_site PAGES HIDDEN            HIDDEN is linked from nowhere; PAGES:
 * none crawl_site PAGES HIDDEN FAILING    a plain site, for loops in shell
 *
 * Listens on a free port of 127.0.0.1, prints "port <port>", then a line
 * "<status> <page>" for each request. It is the witness of what a crawler
 * fetched, so it must know a page in any spelling: it decodes %XX and goes by
 * the number at the end of the path.
 *
 * Pages are a binary tree, /page/0 its root. A page links to its two children
 * and back to its ancestors and itself, which makes cycles, and to nothing
 * else: whoever loses one link never sees what is below it. Each link comes
 * twice, in two of six spellings.
 *
 * Two things go wrong on this site: every 1,009th page is a 503 the first
 * time, and every 100th page links to one that is not there, a 404.
 *
 * A plain site is the same tree, with its links spelled so that a regular
 * expression finds them, and begins at / with a link to the root. Instead of
 * every 1,009th page, every FAILING-th is a 503 the first time (0: none). Every
 * seventh page has two links before the others that no queue takes in: one of
 * over 1 MiB, and one of 70,000 bytes, too long for a URL.
 *
 * One connection at a time, kept alive until the other end is gone.
 */
#define _GNU_SOURCE /* strncasecmp, MSG_NOSIGNAL */
#include <arpa/inet.h>
#include <netinet/in.h>
#include <netinet/tcp.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/socket.h>
#include <unistd.h>

enum {
    LIFE_SECONDS = 600, /* then it ends, should nobody end it */
    REQUEST_BYTES = 8192,
    BODY_BYTES = 8192,
    LONG_LINK_BYTES = 1200000,
    LONG_URL_BYTES = 70000,
    FAILING = 1009
};

typedef struct site {
    size_t page_count;
    size_t hidden;  /* the page that is linked from nowhere */
    size_t failing; /* every such page fails at first; 0: none does */
    bool is_plain;
    unsigned port;
    char *was_asked; /* for each page: 1 if it was */
} site;

/* ---- a page ---- */

/* Appends the number with each digit as %3X. */
static void append_escaped(char *body, size_t number)
{
    char digits[24];
    snprintf(digits, sizeof digits, "%zu", number);
    for (const char *d = digits; *d != '\0'; d++)
        sprintf(body + strlen(body), "%%3%c", *d);
}

/* Six ways to write one address. */
static void spell(const site *s, char *at, size_t page, size_t spelling)
{
    switch (spelling % 6) {
    case 0:
        sprintf(at, "/page/%zu", page);
        break;
    case 1:
        sprintf(at, "%zu", page);
        break;
    case 2:
        sprintf(at, "HTTP://127.0.0.1:%u/%%70age/%zu", s->port, page);
        break;
    case 3:
        sprintf(at, "/x/../page/./%zu#part", page);
        break;
    case 4:
        sprintf(at, "http://0x7f.1:0%u/page/%zu", s->port, page);
        break;
    default:
        strcat(at, "/p%61g%65/");
        append_escaped(at, page);
    }
}

static void append_link(const site *s, char *body, size_t page, size_t spelling)
{
    if (page >= s->page_count || page == s->hidden)
        return;
    strcat(body, "<a href=\"");
    char *at = body + strlen(body);
    if (s->is_plain && spelling % 2 == 0)
        sprintf(at, "http://127.0.0.1:%u/page/%zu", s->port, page);
    else if (s->is_plain)
        sprintf(at, "/page/%zu", page);
    else
        spell(s, at, page, spelling);
    strcat(body, "\">a page</a>\n");
}

/* A link of so many bytes, to nothing. */
static void append_long_link(char *body, size_t bytes)
{
    strcat(body, "<a href=\"/");
    char *at = body + strlen(body);
    memset(at, 'x', bytes);
    strcpy(at + bytes, "\">nothing</a>\n");
}

static void append_links(const site *s, char *body, size_t page)
{
    if (s->is_plain && page % 7 == 3) {
        append_long_link(body, LONG_LINK_BYTES);
        append_long_link(body, LONG_URL_BYTES);
    }
    for (size_t child = 2 * page + 1; child <= 2 * page + 2; child++) {
        append_link(s, body, child, child);
        append_link(s, body, child, child / 6 + 1);
    }
    for (size_t up = page;; up = (up - 1) / 2) {
        append_link(s, body, up, page + up);
        append_link(s, body, up, page / 6 + up + 1);
        if (up == 0)
            break;
    }
    if (page % 100 == 0)
        sprintf(body + strlen(body), "<a href=\"/gone/%zu\">gone</a>\n", page);
}

/* ---- a request ---- */

static int is_hex(const char *two)
{
    return strspn(two, "0123456789abcdefABCDEF") >= 2;
}

/* Decodes %XX in place, up to the blank behind the path. */
static void decode_path(char *path)
{
    char *to = path;
    for (const char *from = path; *from != '\0' && *from != ' '; from++) {
        if (*from == '%' && is_hex(from + 1)) {
            char two[3] = {from[1], from[2], '\0'};
            *to++ = (char)strtol(two, NULL, 16);
            from += 2;
        } else {
            *to++ = *from;
        }
    }
    *to = '\0';
}

/* The status for a decoded path, and the page it names. */
static int status_of(site *s, const char *path, size_t *page)
{
    const char *slash = strrchr(path, '/');
    *page = s->page_count;
    if (s->is_plain && strcmp(path, "/") == 0)
        return 200;
    *page = slash == NULL ? 0 : (size_t)strtoull(slash + 1, NULL, 10);
    if (strstr(path, "page/") == NULL || *page >= s->page_count)
        return 404;
    int is_first = !s->was_asked[*page];
    s->was_asked[*page] = 1;
    bool fails = s->failing > 0 && *page % s->failing == s->failing - 1;
    return is_first && fails ? 503 : 200;
}

static int answer_with(site *s, int connection, char *path, char *body)
{
    char head[128];
    size_t page;
    decode_path(path);
    int status = status_of(s, path, &page);
    if (status == 200 && page == s->page_count)
        append_link(s, body, 0, 0);
    else if (status == 200)
        append_links(s, body, page);
    if (strcmp(path, "/robots.txt") == 0)
        printf("robots\n"); /* there is none */
    else
        printf("%d %zu\n", status, page);
    fflush(stdout);
    int head_len = snprintf(head, sizeof head,
                            "HTTP/1.1 %d X\r\nContent-Type: text/html\r\n"
                            "Content-Length: %zu\r\n\r\n",
                            status, strlen(body));
    if (send(connection, head, (size_t)head_len, MSG_NOSIGNAL | MSG_MORE) < 0)
        return -1;
    return send(connection, body, strlen(body), MSG_NOSIGNAL) < 0 ? -1 : 0;
}

static int answer(site *s, int connection, char *request)
{
    char *path = strchr(request, ' ');
    char *body = malloc(BODY_BYTES + LONG_LINK_BYTES + LONG_URL_BYTES);
    int error = -1;
    if (path != NULL && body != NULL) {
        strcpy(body, "<p>A page.</p>\n");
        error = answer_with(s, connection, path + 1, body);
    }
    free(body);
    return error;
}

/* Answers until the other end is gone. */
static void serve(site *s, int connection)
{
    char request[REQUEST_BYTES + 1];
    size_t len = 0;
    ssize_t more;
    while (len < REQUEST_BYTES &&
           (more = read(connection, request + len, REQUEST_BYTES - len)) > 0) {
        len += (size_t)more;
        request[len] = '\0';
        if (strstr(request, "\r\n\r\n") == NULL)
            continue;
        if (answer(s, connection, request) != 0)
            break;
        len = 0;
    }
    close(connection);
}

static int listen_on_loopback(unsigned *port)
{
    struct sockaddr_in address = {.sin_family = AF_INET};
    socklen_t len = sizeof address;
    int listener = socket(AF_INET, SOCK_STREAM, 0);
    address.sin_addr.s_addr = htonl(INADDR_LOOPBACK);
    if (listener < 0 || bind(listener, (struct sockaddr *)&address, len) != 0 ||
        listen(listener, 16) != 0 ||
        getsockname(listener, (struct sockaddr *)&address, &len) != 0) {
        perror("crawl_site");
        exit(1);
    }
    *port = ntohs(address.sin_port);
    return listener;
}

int main(int argc, char **argv)
{
    site s = {.page_count = argc > 1 ? strtoull(argv[1], NULL, 10) : 10000};
    s.hidden = argc > 2 ? strtoull(argv[2], NULL, 10) : s.page_count;
    s.is_plain = argc > 3;
    s.failing = argc > 3 ? strtoull(argv[3], NULL, 10) : FAILING;
    s.was_asked = calloc(s.page_count, 1);
    if (s.was_asked == NULL)
        return 1;
    alarm(LIFE_SECONDS);
    int listener = listen_on_loopback(&s.port), on = 1;
    printf("port %u\n", s.port);
    fflush(stdout);
    for (;;) {
        int connection = accept(listener, NULL, NULL);
        if (connection < 0)
            continue;
        setsockopt(connection, IPPROTO_TCP, TCP_NODELAY, &on, sizeof on);
        serve(&s, connection);
    }
}
