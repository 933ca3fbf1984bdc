/* thrift.c - see thrift.h */
#include "foreign/thrift.h"

void ss_thrift_fail(ss_thrift *from)
{
    from->is_bad = true;
}

static size_t left_of(const ss_thrift *from)
{
    return from->is_bad ? 0 : (size_t)(from->end - from->at);
}

static uint8_t next_byte(ss_thrift *from)
{
    if (left_of(from) == 0) {
        ss_thrift_fail(from);
        return 0;
    }
    return *from->at++;
}

/* Ten bytes at most, of which the last has one bit. */
uint64_t ss_thrift_number(ss_thrift *from)
{
    uint64_t value = 0;
    for (unsigned shift = 0; shift < 64; shift += 7) {
        uint8_t byte = next_byte(from);
        if (shift == 63 && byte > 1)
            break;
        value |= (uint64_t)(byte & 127) << shift;
        if (byte < 128)
            return from->is_bad ? 0 : value;
    }
    ss_thrift_fail(from);
    return 0;
}

static int64_t next_signed(ss_thrift *from)
{
    uint64_t value = ss_thrift_number(from);
    return (int64_t)(value >> 1 ^ (0 - (value & 1)));
}

static void pass(ss_thrift *from, uint64_t bytes)
{
    if (bytes > left_of(from))
        ss_thrift_fail(from);
    else
        from->at += bytes;
}

bool ss_thrift_next(ss_thrift *from, ss_thrift_field *field)
{
    uint8_t head = next_byte(from);
    if (head == 0)
        return false;
    int64_t id = (int64_t)field->id + (head >> 4);
    if (head >> 4 == 0)
        id = next_signed(from);
    if (id < INT16_MIN || id > INT16_MAX || (head & 15) > SS_THRIFT_UUID ||
        (head & 15) == 0)
        ss_thrift_fail(from);
    field->id = (int32_t)id;
    field->type = head & 15;
    return !from->is_bad;
}

int64_t ss_thrift_integer(ss_thrift *from, uint8_t type)
{
    if (type == SS_THRIFT_I8)
        return (int8_t)next_byte(from);
    if (type != SS_THRIFT_I16 && type != SS_THRIFT_I32 &&
        type != SS_THRIFT_I64) {
        ss_thrift_fail(from);
        return 0;
    }
    return next_signed(from);
}

const uint8_t *ss_thrift_text(ss_thrift *from, uint8_t type, size_t *length)
{
    *length = 0;
    if (type != SS_THRIFT_BINARY)
        ss_thrift_fail(from);
    uint64_t bytes = ss_thrift_number(from);
    const uint8_t *text = from->at;
    pass(from, bytes);
    if (!from->is_bad)
        *length = (size_t)bytes;
    return text;
}

/* Of any elements; their type in *element. */
static uint32_t next_list(ss_thrift *from, uint8_t *element)
{
    uint8_t head = next_byte(from);
    uint64_t count = head >> 4;
    if (count == 15)
        count = ss_thrift_number(from);
    *element = head & 15;
    if (count > left_of(from) || count > INT32_MAX) {
        ss_thrift_fail(from);
        return 0;
    }
    return (uint32_t)count;
}

uint32_t ss_thrift_list(ss_thrift *from, uint8_t type, uint8_t element)
{
    uint8_t found = 0;
    if (type != SS_THRIFT_LIST)
        ss_thrift_fail(from);
    uint32_t count = next_list(from, &found);
    if (count > 0 && found != element)
        ss_thrift_fail(from);
    return from->is_bad ? 0 : count;
}

static void skip(ss_thrift *from, uint8_t type, unsigned depth);

static void skip_struct(ss_thrift *from, unsigned depth)
{
    ss_thrift_field field = {0};
    while (ss_thrift_next(from, &field))
        skip(from, field.type, depth + 1);
}

/* In a list or a map, unlike in a struct, a bool takes a byte. */
static void skip_element(ss_thrift *from, uint8_t type, unsigned depth)
{
    if (type == SS_THRIFT_TRUE || type == SS_THRIFT_FALSE)
        pass(from, 1);
    else
        skip(from, type, depth + 1);
}

static void skip_list(ss_thrift *from, unsigned depth)
{
    uint8_t element;
    uint32_t count = next_list(from, &element);
    for (uint32_t i = 0; i < count && !from->is_bad; i++)
        skip_element(from, element, depth);
}

/* A key and a value take two bytes at least. */
static void skip_map(ss_thrift *from, unsigned depth)
{
    uint64_t count = ss_thrift_number(from);
    uint8_t types = count > 0 ? next_byte(from) : 0;
    if (count > left_of(from) / 2)
        ss_thrift_fail(from);
    for (uint64_t i = 0; i < count && !from->is_bad; i++) {
        skip_element(from, types >> 4, depth);
        skip_element(from, types & 15, depth);
    }
}

static void skip(ss_thrift *from, uint8_t type, unsigned depth)
{
    static const uint8_t sizes[] = {
        [SS_THRIFT_I8] = 1, [SS_THRIFT_DOUBLE] = 8, [SS_THRIFT_UUID] = 16};
    if (depth > SS_THRIFT_MOST_DEPTH) {
        ss_thrift_fail(from);
        return;
    }
    switch (type) {
    case SS_THRIFT_TRUE:
    case SS_THRIFT_FALSE:
        return;
    case SS_THRIFT_I8:
    case SS_THRIFT_DOUBLE:
    case SS_THRIFT_UUID:
        pass(from, sizes[type]);
        return;
    case SS_THRIFT_I16:
    case SS_THRIFT_I32:
    case SS_THRIFT_I64:
        (void)ss_thrift_number(from);
        return;
    case SS_THRIFT_BINARY:
        pass(from, ss_thrift_number(from));
        return;
    case SS_THRIFT_LIST:
    case SS_THRIFT_SET:
        skip_list(from, depth);
        return;
    case SS_THRIFT_MAP:
        skip_map(from, depth);
        return;
    case SS_THRIFT_STRUCT:
        skip_struct(from, depth);
        return;
    default:
        ss_thrift_fail(from);
    }
}

void ss_thrift_skip(ss_thrift *from, uint8_t type)
{
    skip(from, type, 0);
}
