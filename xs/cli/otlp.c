/* SPDX-License-Identifier: MIT */
/* otlp.c - the tables of a pprof become those of OTLP's dictionary, and its samples those of a profile for each type of
 * values. */
#include "cli/otlp.h"

#include <string.h>

#include "base/table.h"
#include "cli/unpack.h"
#include "export/proto.h"

/* The numbers of fields. */
enum { REQUEST_RESOURCE_PROFILES = 1, REQUEST_DICTIONARY };
enum { RESOURCE_PROFILES_RESOURCE = 1, RESOURCE_PROFILES_SCOPE_PROFILES };
enum { SCOPE_PROFILES_SCOPE = 1, SCOPE_PROFILES_PROFILES };
enum { MAPPING_TABLE = 1, LOCATION_TABLE, FUNCTION_TABLE, LINK_TABLE, STRING_TABLE, ATTRIBUTE_TABLE, STACK_TABLE };
enum { PROFILE_SAMPLE_TYPE = 1, PROFILE_SAMPLES, PROFILE_TIME, PROFILE_DURATION, PROFILE_PERIOD_TYPE, PROFILE_PERIOD,
       PROFILE_ID };
enum { SAMPLE_STACK = 1, SAMPLE_ATTRIBUTES, SAMPLE_VALUES = 4 };
enum { LOCATION_MAPPING = 1, LOCATION_LINES = 3 };
enum { FUNCTION_NAME = 1, FUNCTION_FILENAME = 3, FUNCTION_START_LINE };
enum { MAPPING_FILENAME = 4 };
enum { ATTRIBUTE_KEY = 1, ATTRIBUTE_VALUE, ANY_STRING = 1, ANY_INT = 3 };
enum { FIXED64 = 1 }; /* a wire type */

/* Those of pprof. */
enum { OF_LOCATION_MAPPING = 2, OF_LOCATION_LINE = 4, OF_FUNCTION_NAME = 2, OF_FUNCTION_FILENAME = 4,
       OF_FUNCTION_START_LINE, OF_MAPPING_FILENAME = 5, OF_SAMPLE_LOCATIONS = 1, OF_SAMPLE_VALUES, OF_SAMPLE_LABELS,
       OF_LABEL_KEY = 1, OF_LABEL_STRING, OF_LABEL_NUMBER };

/* Entries of a table of the dictionary, each once; number 0 is empty. */
typedef struct list {
    nytp_buf bytes, ends; /* of all entries; size_t, where each ends */
    nytp_table known;     /* 1 + number */
} list;

typedef struct otlp {
    const nytp_delta *d;
    nytp_str message;                   /* pprof's */
    list strings, attributes, stacks;
    nytp_buf string_of;                 /* uint32_t, by pprof's number of a string */
    nytp_buf dictionary, scope, profile, sample, part, value; /* messages that are written */
    int32_t failed;
} otlp;

/* ---- lists ---- */

static uint32_t count(const list *l) { return (uint32_t)(l->ends.n / sizeof(size_t)); }

/* Empty, too, where memory was short for it. */
static nytp_str entry(const list *l, uint32_t number) {
    if (number >= count(l)) return (nytp_str){"", 0};
    const size_t *ends = (const size_t *)(const void *)l->ends.p;
    size_t begin = number ? ends[number - 1] : 0;
    return (nytp_str){(const char *)l->bytes.p + begin, ends[number] - begin};
}

static int is_same(const void *of, uint32_t number, const void *like) {
    return nytp_str_eq(entry(of, number - 1), *(const nytp_str *)like);
}

static uint32_t number_of(otlp *x, list *l, nytp_str bytes) {
    if (!bytes.n && count(l)) return 0;
    uint32_t *known = nytp_table_at(&l->known, nytp_str_quick_hash(bytes), is_same, l, &bytes);
    if (known && *known) return *known - 1;
    nytp_buf_bytes(&l->bytes, bytes.p, bytes.n);
    nytp_buf_bytes(&l->ends, &l->bytes.n, sizeof l->bytes.n);
    if (!known || l->bytes.failed || l->ends.failed) return x->failed = 1, 0;
    *known = count(l);
    return *known - 1;
}

static void put_list(otlp *x, uint32_t field, const list *l) {
    for (uint32_t i = 0; i < count(l) && !x->failed; i++) nytp_proto_text(&x->dictionary, field, entry(l, i));
}

static void free_list(list *l) {
    nytp_buf_free(&l->bytes);
    nytp_buf_free(&l->ends);
    nytp_table_free(&l->known);
}

static nytp_str str_of(const nytp_buf *b) { return (nytp_str){(const char *)b->p, b->n}; }

/* ---- the tables of pprof ---- */

static uint32_t string_of(const otlp *x, uint64_t number) {
    const uint32_t *numbers = (const uint32_t *)(const void *)x->string_of.p;
    return number < x->string_of.n / sizeof *numbers ? numbers[number] : 0;
}

static void take_strings(otlp *x) {
    nytp_cursor c = nytp_unpack_cursor(x->message);
    nytp_unpack_field f;
    while (nytp_unpack_next(&c, &f)) {
        if (f.number != NYTP_UNPACK_STRING) continue;
        uint32_t number = number_of(x, &x->strings, f.bytes);
        nytp_buf_bytes(&x->string_of, &number, sizeof number);
    }
}

static void put_location(otlp *x, nytp_str of) {
    nytp_cursor c = nytp_unpack_cursor(of);
    nytp_unpack_field f;
    nytp_proto_number(&x->part, LOCATION_MAPPING, nytp_unpack_number(of, OF_LOCATION_MAPPING));
    while (nytp_unpack_next(&c, &f)) /* a line has the same fields: 1 function, 2 line */
        if (f.number == OF_LOCATION_LINE) nytp_proto_text(&x->part, LOCATION_LINES, f.bytes);
}

static void put_function(otlp *x, nytp_str of) {
    nytp_proto_number(&x->part, FUNCTION_NAME, string_of(x, nytp_unpack_number(of, OF_FUNCTION_NAME)));
    nytp_proto_number(&x->part, FUNCTION_FILENAME, string_of(x, nytp_unpack_number(of, OF_FUNCTION_FILENAME)));
    nytp_proto_number(&x->part, FUNCTION_START_LINE, nytp_unpack_number(of, OF_FUNCTION_START_LINE));
}

static void put_mapping(otlp *x, nytp_str of) {
    nytp_proto_number(&x->part, MAPPING_FILENAME, string_of(x, nytp_unpack_number(of, OF_MAPPING_FILENAME)));
}

/* pprof's numbers are those of the order, from 1. */
static void put_table(otlp *x, uint32_t field, uint32_t of, void (*put)(otlp *x, nytp_str of)) {
    nytp_cursor c = nytp_unpack_cursor(x->message);
    nytp_unpack_field f;
    nytp_proto_text(&x->dictionary, field, (nytp_str){"", 0});
    while (nytp_unpack_next(&c, &f)) {
        if (f.number != of) continue;
        nytp_buf_rewind(&x->part);
        put(x, f.bytes);
        nytp_proto_bytes(&x->dictionary, field, &x->part);
    }
}

/* ---- samples ---- */

/* pprof's labels of a process are a name with a number, or with a text. */
static uint32_t attribute_of(otlp *x, nytp_str label) {
    static const struct { nytp_str label, name; } names[] = {
        {{"pid", 3}, {"process.pid", 11}}, {{"process", 7}, {"process.executable.name", 23}},
        {{"thread", 6}, {"thread.id", 9}}};
    nytp_str name = entry(&x->strings, string_of(x, nytp_unpack_number(label, OF_LABEL_KEY)));
    uint64_t text = nytp_unpack_number(label, OF_LABEL_STRING), n = nytp_unpack_number(label, OF_LABEL_NUMBER);
    for (size_t i = 0; i < sizeof names / sizeof *names; i++)
        if (nytp_str_eq(name, names[i].label)) name = names[i].name;
    uint32_t key = number_of(x, &x->strings, name);
    nytp_buf_rewind(&x->value);
    if (text) nytp_proto_text(&x->value, ANY_STRING, entry(&x->strings, string_of(x, text)));
    else nytp_proto_number(&x->value, ANY_INT, n);
    nytp_buf_rewind(&x->part);
    nytp_proto_number(&x->part, ATTRIBUTE_KEY, key);
    nytp_proto_bytes(&x->part, ATTRIBUTE_VALUE, &x->value);
    return number_of(x, &x->attributes, str_of(&x->part));
}

/* The value of that column, if there is one. */
static uint64_t value_of(nytp_str values, uint32_t column) {
    nytp_cursor c = nytp_unpack_cursor(values);
    for (; column && c.p < c.end; column--) nytp_cursor_u(&c);
    return c.p < c.end ? nytp_cursor_u(&c) : 0;
}

static void put_sample(otlp *x, nytp_str of, uint32_t column) {
    nytp_cursor c = nytp_unpack_cursor(of);
    nytp_unpack_field f;
    nytp_buf attributes = {0};
    uint64_t value = 0;
    nytp_buf_rewind(&x->sample);
    while (nytp_unpack_next(&c, &f)) {
        if (f.number == OF_SAMPLE_VALUES && !(value = value_of(f.bytes, column))) break;
        if (f.number == OF_SAMPLE_LABELS) nytp_buf_u(&attributes, attribute_of(x, f.bytes));
        if (f.number != OF_SAMPLE_LOCATIONS) continue;
        nytp_buf_rewind(&x->part);
        nytp_proto_text(&x->part, 1, f.bytes); /* a stack has its locations in the same order, the innermost first */
        nytp_proto_number(&x->sample, SAMPLE_STACK, number_of(x, &x->stacks, str_of(&x->part)));
    }
    nytp_proto_bytes(&x->sample, SAMPLE_ATTRIBUTES, &attributes);
    nytp_buf_rewind(&x->part);
    nytp_buf_u(&x->part, value);
    nytp_proto_bytes(&x->sample, SAMPLE_VALUES, &x->part);
    if (value) nytp_proto_bytes(&x->profile, PROFILE_SAMPLES, &x->sample);
    nytp_buf_done(&attributes, &x->profile);
}

/* ---- profiles ---- */

/* A type's fields have pprof's numbers. */
static void put_type(otlp *x, uint32_t field, nytp_str type) {
    nytp_buf_rewind(&x->part);
    for (uint32_t i = 1; i <= 2; i++) nytp_proto_number(&x->part, i, string_of(x, nytp_unpack_number(type, i)));
    nytp_proto_bytes(&x->profile, field, &x->part);
}

/* Differs by the column. */
static void put_id(otlp *x, uint32_t column) {
    char id[16] = {0};
    static const char digits[] = "0123456789abcdef";
    for (uint32_t i = 0, n = 0; x->d->id[i] && n < 32; i++) {
        const char *digit = strchr(digits, x->d->id[i]);
        if (!digit) continue;
        id[n / 2] = (char)((unsigned char)id[n / 2] << 4 | (unsigned)(digit - digits));
        n++;
    }
    id[15] = (char)(id[15] ^ (char)column);
    nytp_proto_text(&x->profile, PROFILE_ID, (nytp_str){id, sizeof id});
}

static void put_profile(otlp *x, nytp_str type, uint32_t column) {
    nytp_cursor c = nytp_unpack_cursor(x->message);
    nytp_unpack_field f;
    nytp_buf_rewind(&x->profile);
    put_type(x, PROFILE_SAMPLE_TYPE, type);
    nytp_buf_u(&x->profile, PROFILE_TIME << 3 | FIXED64);
    nytp_buf_le(&x->profile, x->d->begin, 8);
    nytp_proto_number(&x->profile, PROFILE_DURATION, x->d->end > x->d->begin ? x->d->end - x->d->begin : 0);
    put_id(x, column);
    while (nytp_unpack_next(&c, &f)) {
        if (f.number == NYTP_UNPACK_PERIOD_TYPE) put_type(x, PROFILE_PERIOD_TYPE, f.bytes);
        if (f.number == NYTP_UNPACK_PERIOD) nytp_proto_number(&x->profile, PROFILE_PERIOD, f.value);
        if (f.number == NYTP_UNPACK_SAMPLE) put_sample(x, f.bytes, column);
    }
    nytp_proto_bytes(&x->scope, SCOPE_PROFILES_PROFILES, &x->profile);
}

static void put_profiles(otlp *x) {
    nytp_cursor c = nytp_unpack_cursor(x->message);
    nytp_unpack_field f;
    uint32_t column = 0;
    nytp_buf_rewind(&x->part);
    nytp_proto_text(&x->part, 1, NYTP_LIT("nytprof"));
    nytp_proto_bytes(&x->scope, SCOPE_PROFILES_SCOPE, &x->part);
    while (nytp_unpack_next(&c, &f))
        if (f.number == NYTP_UNPACK_SAMPLE_TYPE) put_profile(x, f.bytes, column++);
}

/* ---- the request ---- */

/* An attribute of the resource names its key by a text. */
static void put_attribute(otlp *x, nytp_buf *resource, nytp_str key, nytp_str value) {
    nytp_buf_rewind(&x->value);
    nytp_proto_text(&x->value, ANY_STRING, value);
    nytp_buf_rewind(&x->part);
    nytp_proto_text(&x->part, ATTRIBUTE_KEY, key);
    nytp_proto_bytes(&x->part, ATTRIBUTE_VALUE, &x->value);
    nytp_proto_bytes(resource, 1, &x->part);
}

static void put_request(otlp *x, nytp_buf *out) {
    nytp_buf resource = {0}, all = {0};
    const nytp_named *named = x->d->named;
    put_attribute(x, &resource, NYTP_LIT("service.name"), x->d->service);
    put_attribute(x, &resource, NYTP_LIT("host.name"), x->d->host);
    put_attribute(x, &resource, NYTP_LIT("process.runtime.name"), x->d->family);
    for (uint32_t i = 0; i < named->labels_n; i++)
        put_attribute(x, &resource, str_of(&named->labels[i].name), str_of(&named->labels[i].value));
    nytp_proto_bytes(&all, RESOURCE_PROFILES_RESOURCE, &resource);
    nytp_proto_bytes(&all, RESOURCE_PROFILES_SCOPE_PROFILES, &x->scope);
    nytp_proto_bytes(out, REQUEST_RESOURCE_PROFILES, &all);
    nytp_proto_bytes(out, REQUEST_DICTIONARY, &x->dictionary);
    nytp_buf_done(&resource, out);
    nytp_buf_done(&all, out);
}

void nytp_otlp_put(nytp_buf *out, const nytp_delta *d) {
    nytp_buf message = {0};
    otlp x = {.d = d};
    nytp_unpack(&message, d->profile);
    x.message = str_of(&message);
    list *const lists[] = {&x.strings, &x.attributes, &x.stacks};
    for (int i = 0; i < 3; i++) number_of(&x, lists[i], (nytp_str){"", 0});
    take_strings(&x);
    put_profiles(&x);
    put_table(&x, MAPPING_TABLE, NYTP_UNPACK_MAPPING, put_mapping);
    put_table(&x, LOCATION_TABLE, NYTP_UNPACK_LOCATION, put_location);
    put_table(&x, FUNCTION_TABLE, NYTP_UNPACK_FUNCTION, put_function);
    nytp_proto_text(&x.dictionary, LINK_TABLE, (nytp_str){"", 0});
    put_list(&x, STRING_TABLE, &x.strings);
    put_list(&x, ATTRIBUTE_TABLE, &x.attributes);
    put_list(&x, STACK_TABLE, &x.stacks);
    put_request(&x, out);
    nytp_buf *const pieces[] = {&message, &x.string_of, &x.dictionary, &x.scope, &x.profile, &x.sample, &x.part,
                                &x.value};
    for (size_t i = 0; i < sizeof pieces / sizeof *pieces; i++) nytp_buf_done(pieces[i], out);
    for (int i = 0; i < 3; i++) free_list(lists[i]);
    if (x.failed) out->failed = 1;
}
