/*
 * time_field.c - see time_field.h.
 *
 * The days since 1970 of a date are counted in years that begin in March, so
 * that the day that some years have is the last one (H. Hinnant, "chrono-
 * Compatible Low-Level Date Algorithms", 2013).
 */
#include "fields/time_field.h"

#include <stdio.h>

#include "stream/clock.h"

enum {
    MOST_BYTES = 64, /* of a time */
    DAY_SECONDS = 86400,
    DAY_DIGITS = 8 /* of a date without marks */
};

/* ---- numbers ---- */

/* What is left of a text. */
typedef struct reading {
    const char *at, *end;
} reading;

static bool is_digit(char byte)
{
    return byte >= '0' && byte <= '9';
}

static bool skip(reading *from, char byte)
{
    if (from->at == from->end || *from->at != byte)
        return false;
    from->at++;
    return true;
}

/* Exactly `count` digits. */
static bool take_digits(reading *from, unsigned count, unsigned *value)
{
    *value = 0;
    if ((size_t)(from->end - from->at) < count)
        return false;
    for (; count > 0; count--, from->at++) {
        if (!is_digit(*from->at))
            return false;
        *value = 10 * *value + (unsigned)(*from->at - '0');
    }
    return true;
}

/* A fraction, which is dropped, or nothing. False: a mark without digits. */
static bool skip_fraction(reading *from)
{
    if (!skip(from, '.') && !skip(from, ','))
        return true;
    const char *start = from->at;
    while (from->at < from->end && is_digit(*from->at))
        from->at++;
    return from->at > start;
}

/* Seconds, or parts of them where there are so many digits. */
static bool read_number(reading from, uint64_t *seconds)
{
    static const uint64_t units[] = {1, 1000, 1000000, 1000000000};
    while (from.end - from.at > 1 && *from.at == '0' && is_digit(from.at[1]))
        from.at++;
    const char *start = from.at;
    *seconds = 0;
    for (; from.at < from.end && is_digit(*from.at); from.at++) {
        unsigned digit = (unsigned)(*from.at - '0');
        if (*seconds > (UINT64_MAX - digit) / 10)
            return false;
        *seconds = 10 * *seconds + digit;
    }
    size_t digits = (size_t)(from.at - start);
    if (digits == 0 || !skip_fraction(&from) || from.at != from.end)
        return false;
    *seconds /= units[digits < 12 ? 0 : digits < 15 ? 1 : digits < 18 ? 2 : 3];
    return true;
}

/* ---- dates ---- */

static bool is_leap(unsigned year)
{
    return year % 4 == 0 && (year % 100 != 0 || year % 400 == 0);
}

static bool is_date(unsigned year, unsigned month, unsigned day)
{
    static const unsigned char days[] = {31, 28, 31, 30, 31, 30,
                                         31, 31, 30, 31, 30, 31};
    return year >= 1970 && month >= 1 && month <= 12 && day >= 1 &&
           day <= days[month - 1] + (unsigned)(month == 2 && is_leap(year));
}

static uint64_t days_of(unsigned year, unsigned month, unsigned day)
{
    uint64_t march_year = month > 2 ? year : year - 1;
    uint64_t month_from_march = month > 2 ? month - 3 : month + 9;
    uint64_t day_of_year = (153 * month_from_march + 2) / 5 + day - 1;
    uint64_t leap_days = march_year / 4 - march_year / 100 + march_year / 400;
    return 365 * march_year + leap_days + day_of_year - 719468;
}

/* Digits with marks between them, or without. */
static bool take_date(reading *from, uint64_t *days)
{
    unsigned year, month, day;
    if (!take_digits(from, 4, &year))
        return false;
    bool has_marks = skip(from, '-');
    if (!take_digits(from, 2, &month) || (has_marks && !skip(from, '-')) ||
        !take_digits(from, 2, &day) || !is_date(year, month, day))
        return false;
    *days = days_of(year, month, day);
    return true;
}

/* hh:mm, hh:mm:ss or hhmmss, with a fraction. A leap second is one after 59. */
static bool take_time(reading *from, uint64_t *seconds)
{
    unsigned hour, minute, second = 0;
    if (!take_digits(from, 2, &hour))
        return false;
    bool has_marks = skip(from, ':');
    if (!take_digits(from, 2, &minute))
        return false;
    bool has_seconds = has_marks ? skip(from, ':')
                                 : from->at < from->end && is_digit(*from->at);
    if (has_seconds && (!take_digits(from, 2, &second) || !skip_fraction(from)))
        return false;
    *seconds = 3600 * (uint64_t)hour + 60 * minute + second;
    return hour < 24 && minute < 60 && second <= 60;
}

/* Z, +hh, +hh:mm, +hhmm or nothing: what is to be added, and what subtracted,
 * to have UTC. */
static bool take_zone(reading *from, uint64_t *plus, uint64_t *minus)
{
    unsigned hour, minute = 0;
    *plus = *minus = 0;
    if (from->at == from->end || skip(from, 'Z') || skip(from, 'z'))
        return true;
    bool is_east = skip(from, '+');
    if ((!is_east && !skip(from, '-')) || !take_digits(from, 2, &hour))
        return false;
    bool has_mark = skip(from, ':');
    if ((has_mark || from->at < from->end) && !take_digits(from, 2, &minute))
        return false;
    *(is_east ? minus : plus) = 3600 * (uint64_t)hour + 60 * minute;
    return hour < 24 && minute < 60;
}

static bool read_date(reading from, uint64_t *seconds)
{
    uint64_t days, of_day = 0, plus = 0, minus = 0;
    if (!take_date(&from, &days))
        return false;
    bool has_time = skip(&from, 'T') || skip(&from, 't') || skip(&from, ' ');
    if (has_time &&
        (!take_time(&from, &of_day) || !take_zone(&from, &plus, &minus)))
        return false;
    uint64_t local = days * DAY_SECONDS + of_day + plus;
    *seconds = local - minus;
    return from.at == from.end && local >= minus;
}

/* Any time from 1970 on. False: not one. */
static bool parse(const char *text, size_t len, uint64_t *seconds)
{
    const reading from = {text, text + len};
    size_t digits = 0;
    if (len == 0 || len > MOST_BYTES)
        return false;
    while (digits < len && is_digit(text[digits]))
        digits++;
    if (digits == len && len == DAY_DIGITS && read_date(from, seconds))
        return true;
    bool is_number = digits == len || text[digits] == '.';
    return is_number ? read_number(from, seconds) : read_date(from, seconds);
}

/* ---- the field ---- */

void time_field_start(time_field *field, const char *name)
{
    field->is_used = true;
    (void)snprintf(field->no_time, sizeof field->no_time,
                   "its field %.60s is not a time", name);
    (void)snprintf(field->in_future, sizeof field->in_future,
                   "its field %.60s is a time in the future", name);
}

uint64_t time_field_latest(void)
{
    double latest = clock_wall_seconds() + DAY_SECONDS;
    return latest > 0 ? (uint64_t)latest : 0;
}

const char *time_field_read(const time_field *field, uint64_t latest,
                            const char *text, size_t len, uint64_t *seconds)
{
    uint64_t found;
    if (!parse(text, len, &found))
        return field->no_time;
    if (found > latest)
        return field->in_future;
    *seconds = found;
    return NULL;
}
