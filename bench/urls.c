/*
 * urls.c - a crawler's day: URL lines, half of them repeats.
 *
 *     urls COUNT [SEED]          COUNT lines on standard output
 *
 * Exactly half of the lines (rounded up) are new; each other one repeats a
 * line drawn evenly from all before it. A line is a function of its number
 * and the seed, so the generator remembers nothing, and the same arguments
 * give the same bytes on every machine. Lines have 43 to 68 bytes, 58 on
 * average, without the newline.
 */
#include <errno.h>
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>

typedef struct numbers {
    uint64_t state;
} numbers;

static uint64_t mix(uint64_t x)
{
    x += UINT64_C(0x9e3779b97f4a7c15);
    x = (x ^ (x >> 30)) * UINT64_C(0xbf58476d1ce4e5b9);
    x = (x ^ (x >> 27)) * UINT64_C(0x94d049bb133111eb);
    return x ^ (x >> 31);
}

/* Evenly below `limit`, which is far under 2^64. */
static uint64_t draw(numbers *from, uint64_t limit)
{
    return mix(from->state++) % limit;
}

/* Line number `id`: the words differ in length, and the number is in it. */
static void print_url(uint64_t id, uint64_t seed)
{
    static const char *const places[] = {"news",     "articles", "p",
                                         "products", "archive",  "wiki",
                                         "a",        "questions"};
    static const char *const endings[] = {"",           ".html", "/index.html",
                                          "?page=2",    "/",     "#top",
                                          "?utm=email", ".php"};
    uint64_t x = mix(id ^ mix(seed));
    printf("https://www.site-%" PRIu64 ".example/%s/%" PRIu64 "-%08x%s\n",
           x % 100000, places[(x >> 20) % 8], id, (unsigned)(x >> 32),
           endings[(x >> 24) % 8]);
}

static void print_lines(uint64_t count, uint64_t seed)
{
    numbers random = {mix(seed)};
    uint64_t new_left = count - count / 2;
    uint64_t made = 0;
    for (uint64_t left = count; left > 0; left--) {
        if (made == 0 || draw(&random, left) < new_left) {
            print_url(made++, seed);
            new_left--;
        } else {
            print_url(draw(&random, made), seed);
        }
    }
}

static uint64_t read_number(const char *text)
{
    char *end = NULL;
    errno = 0;
    uint64_t number = strtoull(text, &end, 10);
    if (errno != 0 || end == text || *end != '\0') {
        fprintf(stderr, "urls: %s is not a number\n", text);
        exit(2);
    }
    return number;
}

int main(int argc, char **argv)
{
    if (argc < 2 || argc > 3) {
        fputs("usage: urls COUNT [SEED]\n", stderr);
        return 2;
    }
    print_lines(read_number(argv[1]), argc > 2 ? read_number(argv[2]) : 1);
    return fflush(stdout) == 0 ? 0 : 1;
}
