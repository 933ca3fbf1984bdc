/*
 * units.c - see units.h.
 *
 * A number is digits, perhaps in groups of three, perhaps a point and more
 * digits, perhaps e and an exponent, then a unit. It is held as mantissa *
 * scale / 10^decimals and multiplied out at the end, factor by factor. So 1.5Ki
 * is exactly 1536, and 1.5 is refused as a count instead of becoming 1 or 2.
 *
 * A text that two people could read as two numbers is refused: 2B (bytes or
 * billions?), 18mb and 64kb (bits or bytes?), 1,5 (a point or a group?).
 */
#include "text/units.h"

#include <ctype.h>
#include <errno.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static const char too_large[] = "it is larger than 2^64 - 1";
static const char too_long[] = "it has more digits than fit in 64 bits";

typedef struct decimal {
    uint64_t mantissa;
    uint64_t scale;    /* of the exponent and the unit */
    unsigned decimals; /* digits after the point */
} decimal;

static bool is_digit(char c)
{
    return c >= '0' && c <= '9';
}

static bool multiply(uint64_t *value, uint64_t factor)
{
    return !__builtin_mul_overflow(*value, factor, value);
}

static bool append_digit(uint64_t *value, char digit)
{
    return multiply(value, 10) &&
           !__builtin_add_overflow(*value, (uint64_t)(digit - '0'), value);
}

/* Reads digits. Returns how many, or -1 if their value does not fit. */
static int read_run(const char **text, decimal *out)
{
    int count = 0;
    for (; is_digit(**text); (*text)++, count++)
        if (!append_digit(&out->mantissa, **text))
            return -1;
    return count;
}

/* Reads the groups after the first one: ",000,000" or "_000_000". */
static const char *read_groups(const char **text, decimal *out)
{
    char separator = **text;
    while (**text == separator) {
        (*text)++;
        int count = read_run(text, out);
        if (count < 0)
            return too_long;
        if (count != 3 || (separator == ',' ? **text == '_' : **text == ','))
            return "digits are grouped in threes, 2,000,000 or 2_000_000; "
                   "decimals follow a point";
    }
    return NULL;
}

/* Reads digits, a point, digits. Moves *text past them. */
static const char *read_digits(const char **text, decimal *out)
{
    const char *start = *text;
    int whole = read_run(text, out);
    const char *wrong = whole < 0 ? too_long : NULL;
    if (wrong == NULL && (**text == ',' || **text == '_')) {
        if (whole < 1 || whole > 3 || *start == '0')
            return "a group is 1 to 3 digits before the first , or _ and does "
                   "not start with 0; decimals follow a point";
        wrong = read_groups(text, out);
    }
    int decimals = 0;
    if (wrong == NULL && **text == '.') {
        (*text)++;
        decimals = read_run(text, out);
        if (decimals < 0)
            return too_long;
    }
    out->decimals = (unsigned)decimals;
    if (wrong == NULL && whole == 0 && decimals == 0)
        return "it does not start with a number";
    return wrong;
}

/* Reads an exponent, if there is one: e6 or E6, a power of ten. */
static const char *read_exponent(const char **text, decimal *out)
{
    if ((**text != 'e' && **text != 'E') || !is_digit((*text)[1]))
        return NULL;
    unsigned exponent = 0;
    for ((*text)++; is_digit(**text); (*text)++)
        if (exponent < 100)
            exponent = exponent * 10 + (unsigned)(**text - '0');
    for (; exponent > 0; exponent--)
        if (!multiply(&out->scale, 10))
            return too_large;
    return NULL;
}

/* Reads k, M, G, T, Ki, Mi, Gi or Ti, if there is one. */
static const char *read_prefix(const char **text, decimal *out)
{
    static const char letters[] = "kmgt";
    const char *found = NULL;
    if (**text != '\0')
        found = strchr(letters, tolower((unsigned char)**text));
    if (found == NULL)
        return NULL;
    (*text)++;
    bool is_binary = **text == 'i';
    *text += is_binary ? 1 : 0;
    for (ptrdiff_t i = 0; i <= found - letters; i++)
        if (!multiply(&out->scale, is_binary ? 1024 : 1000))
            return too_large;
    return NULL;
}

static bool divide(decimal *number, uint64_t prime)
{
    if (number->mantissa % prime == 0)
        number->mantissa /= prime;
    else if (number->scale % prime == 0)
        number->scale /= prime;
    else
        return false;
    return true;
}

static const char *multiply_out(decimal *number, uint64_t *out)
{
    for (; number->decimals > 0 && number->mantissa > 0; number->decimals--)
        if (!divide(number, 2) || !divide(number, 5))
            return "it is not a whole number";
    if (!multiply(&number->mantissa, number->scale))
        return too_large;
    if (number->mantissa == 0)
        return "it must be at least 1";
    *out = number->mantissa;
    return NULL;
}

static const char *read_number(const char **text, decimal *out)
{
    if (**text == '-')
        return "it must not be negative";
    if (**text == '0' && ((*text)[1] == 'x' || (*text)[1] == 'X'))
        return "write it in decimal";
    const char *wrong = read_digits(text, out);
    if (wrong == NULL)
        wrong = read_exponent(text, out);
    if (wrong == NULL)
        wrong = read_prefix(text, out);
    return wrong;
}

const char *units_read_count(const char *text, uint64_t *out)
{
    decimal number = {.scale = 1};
    const char *wrong = read_number(&text, &number);
    if (wrong != NULL)
        return wrong;
    if (strcmp(text, "B") == 0 || strcmp(text, "b") == 0)
        return "bytes, or billions? a count takes k, M, G (two billion: 2G), "
               "T, Ki, Mi, Gi or Ti";
    if (*text != '\0')
        return "the unit must be k, M, G, T, Ki, Mi, Gi or Ti";
    return multiply_out(&number, out);
}

/* 18mb, 64kb: the writer may mean either, and not care about capitals. */
static bool is_bits_or_bytes(const char *unit, char prefix)
{
    return strcmp(unit, "b") == 0 && strchr("kmgt", prefix) != NULL;
}

const char *units_read_bits(const char *text, uint64_t *out)
{
    decimal number = {.scale = 1};
    const char *wrong = read_number(&text, &number);
    if (wrong != NULL)
        return wrong;
    bool is_bits = strcmp(text, "b") == 0 || strcmp(text, "bits") == 0 ||
                   strcmp(text, "bit") == 0;
    if (is_bits_or_bytes(text, text[-1]))
        return "bits or bytes? write kB, MB, MiB, or kbits, Mbits";
    if (!is_bits && *text != '\0' && strcmp(text, "B") != 0)
        return "the unit must be B, kB, MB, GB, KiB, MiB, GiB or bits";
    if (!is_bits && !multiply(&number.scale, 8))
        return too_large;
    return multiply_out(&number, out);
}

/* The seconds in a unit, or 0. */
static uint64_t unit_seconds(char unit)
{
    switch (unit) {
    case 's':
        return 1;
    case 'm':
        return 60;
    case 'h':
        return 3600;
    case 'd':
        return 86400;
    case 'w':
        return 7 * 86400;
    default:
        return 0;
    }
}

/* Does it end in a number with s, m, h, d or w, and not in a word? */
static bool is_seconds(const char *text)
{
    size_t length = strlen(text);
    return length > 1 && unit_seconds(text[length - 1]) != 0 &&
           (is_digit(text[length - 2]) || text[length - 2] == '.');
}

static const char *read_seconds(const char *text, uint64_t *out)
{
    decimal number = {.scale = 1};
    const char *wrong = read_digits(&text, &number);
    if (wrong != NULL)
        return wrong;
    uint64_t seconds = unit_seconds(*text);
    if (seconds == 0 || text[1] != '\0')
        return "the unit of time must be s, m (minutes), h, d or w";
    if (!multiply(&number.scale, seconds))
        return too_large;
    return multiply_out(&number, out);
}

/* Copies the text, which fits, to `bare`, without "lines", "keys" or "URLs" at
 * its end. Returns whether there was such a unit. */
static bool strip_unit(const char *text, char bare[64])
{
    static const char *const units[] = {"lines", "keys", "URLs"};
    size_t length = strlen(text);
    snprintf(bare, 64, "%s", text);
    for (size_t i = 0; i < sizeof units / sizeof units[0]; i++) {
        size_t end = length - strlen(units[i]);
        if (length > strlen(units[i]) && strcmp(text + end, units[i]) == 0) {
            bare[end] = '\0';
            return true;
        }
    }
    return false;
}

/* A count, perhaps with its unit: 30lines, 10kkeys. */
static const char *read_items(const char *text, uint64_t *out,
                              units_window *kind)
{
    char bare[64];
    decimal number = {.scale = 1};
    if (strlen(text) >= sizeof bare)
        return too_long;
    bool has_unit = strip_unit(text, bare);
    const char *rest = bare;
    const char *wrong = read_number(&rest, &number);
    if (wrong != NULL)
        return wrong;
    if (*rest != '\0')
        return "it is a time in s, m (minutes), h, d or w; or a number of "
               "lines, with k, M (million), G, T, Ki, Mi, Gi or Ti";
    *kind = has_unit || !is_digit(rest[-1]) ? UNITS_ITEMS : UNITS_UNSAID;
    return multiply_out(&number, out);
}

const char *units_read_window(const char *text, uint64_t *out,
                              units_window *kind)
{
    if (!is_seconds(text))
        return read_items(text, out, kind);
    *kind = UNITS_SECONDS;
    return read_seconds(text, out);
}

/* strtod without its extras: no blanks, signs, hexadecimals, names. */
static const char *read_real(const char *text, const char **end, double *out)
{
    if (!is_digit(*text) && !(*text == '.' && is_digit(text[1])))
        return "it does not start with a number";
    if (text[0] == '0' && (text[1] == 'x' || text[1] == 'X'))
        return "write it in decimal";
    char *stop = NULL;
    errno = 0;
    *out = strtod(text, &stop);
    *end = stop;
    return errno == ERANGE ? "it is too small or too large" : NULL;
}

const char *units_read_real(const char *text, double *out)
{
    double value = 0;
    const char *wrong = read_real(text, &text, &value);
    if (wrong == NULL && *text != '\0')
        return "it is not all a number";
    if (wrong == NULL)
        *out = value;
    return wrong;
}

const char *units_read_time(const char *text, double *out)
{
    double value = 0;
    const char *wrong = read_real(text, &text, &value);
    uint64_t unit = *text != '\0' ? unit_seconds(*text) : 1;
    if (wrong == NULL && (unit == 0 || (*text != '\0' && text[1] != '\0')))
        return "the unit of time must be s, m (minutes), h, d or w";
    if (wrong == NULL)
        *out = value * (double)unit;
    return wrong;
}

const char *units_read_rate(const char *text, double *out)
{
    double rate = 0;
    const char *wrong = read_real(text, &text, &rate);
    if (wrong == NULL && *text == '/') {
        double divisor = 0;
        wrong = read_real(text + 1, &text, &divisor);
        rate /= divisor;
    } else if (wrong == NULL && *text == '%') {
        text++;
        rate /= 100;
    }
    if (wrong != NULL)
        return wrong;
    if (*text != '\0')
        return "write it as 0.01, 1e-6, 1/1000 or 1%";
    if (!(rate > 0 && rate < 1))
        return "it must be between 0 and 1";
    *out = rate;
    return NULL;
}

units_text units_grouped(uint64_t value)
{
    char digits[24];
    int length =
        snprintf(digits, sizeof digits, "%llu", (unsigned long long)value);
    units_text out = {{0}};
    char *to = out.text;
    for (int i = 0; i < length; i++) {
        if (i > 0 && (length - i) % 3 == 0)
            *to++ = ',';
        *to++ = digits[i];
    }
    return out;
}

/*
 * The value in a unit, with `digits` digits, but without trailing zeros if it
 * is exact: 18 MB, 1.5 billion, 15.0 million. units[0] is for ones.
 */
static units_text in_units(uint64_t value, const char *const units[5],
                           int digits)
{
    units_text out = {{0}};
    uint64_t unit = 1;
    int i = 0;
    for (; i < 4 && (double)value / (double)unit >= 999.95; i++)
        unit *= 1000;
    double shown = (double)value / (double)unit;
    int whole_digits = shown >= 100 ? 3 : shown >= 10 ? 2 : 1;
    bool is_exact = i == 0 || value % (unit / 100) == 0;
    if (is_exact)
        snprintf(out.text, sizeof out.text, "%.10g%s", shown, units[i]);
    else
        snprintf(out.text, sizeof out.text, "%.*f%s", digits - whole_digits,
                 shown, units[i]);
    return out;
}

units_text units_in_words(uint64_t value)
{
    static const char *const units[5] = {"", " thousand", " million",
                                         " billion", " trillion"};
    return in_units(value, units, 3);
}

units_text units_as_bytes(uint64_t value)
{
    if (value == 1)
        return (units_text){"1 byte"};
    static const char *const units[5] = {" bytes", " kB", " MB", " GB", " TB"};
    return in_units(value, units, 4);
}

units_text units_as_rate(double rate)
{
    units_text out = {{0}};
    double one_in = 1 / rate;
    if (!(rate > 0) || one_in > 999.5e12 || one_in < 1.05)
        snprintf(out.text, sizeof out.text, "%.4g", rate);
    else if (one_in < 10)
        snprintf(out.text, sizeof out.text, "%.4g (1 in %.2g)", rate, one_in);
    else
        snprintf(out.text, sizeof out.text, "%.4g (1 in %.40s)", rate,
                 one_in < 99999.5
                     ? units_grouped((uint64_t)(one_in + 0.5)).text
                     : units_in_words((uint64_t)(one_in + 0.5)).text);
    return out;
}

units_text units_as_seconds(double seconds)
{
    if (!(seconds < 1e15))
        return (units_text){"a long time"};
    units_text out = {{0}};
    unsigned whole = seconds < 3600 * 1000.0 ? (unsigned)(seconds + 0.5) : 0;
    if (seconds >= 3600 * 1000.0)
        snprintf(out.text, sizeof out.text, "%.0f days", seconds / 86400);
    else if (whole < 60)
        snprintf(out.text, sizeof out.text, "%u s", whole);
    else if (whole < 3600)
        snprintf(out.text, sizeof out.text, "%u min %02u s", whole / 60,
                 whole % 60);
    else if (whole >= 2 * 86400 && whole % 86400 == 0)
        snprintf(out.text, sizeof out.text, "%u days", whole / 86400);
    else
        snprintf(out.text, sizeof out.text, "%u h %02u min", whole / 3600,
                 whole / 60 % 60);
    return out;
}

units_text units_as_option(uint64_t seconds)
{
    static const char units[] = "wdhms";
    units_text out = {{0}};
    for (size_t i = 0; i < sizeof units - 1; i++) {
        uint64_t unit = unit_seconds(units[i]);
        if (seconds % unit == 0 && (seconds / unit > 1 || unit <= 86400)) {
            snprintf(out.text, sizeof out.text, "%llu%c",
                     (unsigned long long)(seconds / unit), units[i]);
            break;
        }
    }
    return out;
}
