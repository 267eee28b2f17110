/* SPDX-License-Identifier: MIT */
/* receivers.c - what each kind of server wants: the profile as it is or as base64 in JSON, and its names and time in
 * the query, the JSON or an event beside it; or all in a message of its own (otlp). */
#include "cli/receivers.h"

#include <inttypes.h>
#include <stdio.h>
#include <string.h>
#include <time.h>

#include "base/base64.h"
#include "base/ticks.h"
#include "cli/otlp.h"
#include "cli/unpack.h"
#include "report/json.h"
#include "report/text.h"

#define BOUNDARY "nytprof-2f1c8a54d0b94be7" /* between parts, of which none has it: JSON and deflated bytes */

static nytp_str str_of(const nytp_buf *b) { return (nytp_str){(const char *)b->p, b->n}; }

/* Its data and the end of its line follow. */
static void put_part(nytp_buf *out, const char *name, const char *file, const char *type) {
    nytp_text_format(out, "--" BOUNDARY "\r\nContent-Disposition: form-data; name=\"%s\"; filename=\"%s\"\r\n"
                     "Content-Type: %s\r\n\r\n", name, file, type);
}

/* The last part. */
static void put_profile(nytp_buf *out, const char *name, const char *file, const nytp_delta *d) {
    put_part(out, name, file, "application/octet-stream");
    nytp_text_str(out, d->profile);
    nytp_text_put(out, "\r\n--" BOUNDARY "--\r\n");
}

/* ---- Pyroscope, the older request ---- */

/* Bytes that mean something in a query, or in a list of labels, become _ or %XX. */
static void put_escaped(nytp_buf *out, nytp_str s) {
    for (size_t i = 0; i < s.n; i++) {
        unsigned char c = (unsigned char)s.p[i];
        int is_plain = (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || (c >= '0' && c <= '9') || c == '-' ||
                       c == '_' || c == '.';
        if (is_plain) nytp_buf_byte(out, c);
        else if (strchr("{},=\"", c)) nytp_buf_byte(out, '_');
        else nytp_text_format(out, "%%%02X", c);
    }
}

static void put_ingest_label(nytp_buf *out, nytp_str name, nytp_str value) {
    nytp_text_str(out, name);
    nytp_text_put(out, "%3D");
    put_escaped(out, value);
}

/* NAME{LABEL=VALUE,...} with its punctuation escaped. */
static void put_ingest(nytp_buf *out, const nytp_delta *d) {
    nytp_text_put(out, "name=");
    put_escaped(out, d->service);
    nytp_text_put(out, "%7B");
    put_ingest_label(out, NYTP_LIT("host"), d->host);
    for (uint32_t i = 0; i < d->named->labels_n; i++) {
        nytp_text_put(out, "%2C");
        put_ingest_label(out, str_of(&d->named->labels[i].name), str_of(&d->named->labels[i].value));
    }
    nytp_text_format(out, "%%7D&from=%" PRIu64 "&until=%" PRIu64 "&format=pprof&spyName=nytprof",
                     d->begin / NYTP_NANOSECONDS, (d->end + NYTP_NANOSECONDS - 1) / NYTP_NANOSECONDS);
    if (d->rate) nytp_text_format(out, "&sampleRate=%" PRIu32, d->rate);
}

/* The string of that number in pprof's table. */
static nytp_str text_at(nytp_str message, uint64_t number) {
    nytp_cursor c = nytp_unpack_cursor(message);
    nytp_unpack_field f;
    while (nytp_unpack_next(&c, &f))
        if (f.number == NYTP_UNPACK_STRING && !number--) return f.bytes;
    return (nytp_str){0};
}

/* What the server knows of units: their names in pprof, but that numbers of things are objects, or samples. */
static nytp_str unit_of(nytp_str type, nytp_str unit) {
    if (!nytp_str_eq(unit, NYTP_LIT("count"))) return unit;
    return nytp_str_eq(type, NYTP_LIT("samples")) ? type : NYTP_LIT("objects");
}

/* Values of deltas add up. */
static void put_type(nytp_json *j, nytp_str type, nytp_str unit) {
    nytp_buf key = {0};
    nytp_text_str(&key, type);
    nytp_buf_byte(&key, 0);
    nytp_json_object(j, key.failed ? "" : (const char *)key.p);
    nytp_json_string(j, "units", unit_of(type, unit));
    nytp_json_text(j, "aggregation", "sum");
    nytp_json_string(j, "display-name", type);
    nytp_json_bool(j, "sampled", nytp_str_eq(type, NYTP_LIT("samples")));
    nytp_json_bool(j, "cumulative", 0);
    nytp_json_end(j);
    if (key.failed) j->out->failed = 1;
    nytp_buf_free(&key);
}

static void put_types(nytp_buf *out, const nytp_delta *d) {
    nytp_json j = {.out = out};
    nytp_buf message = {0};
    nytp_unpack(&message, d->profile);
    nytp_cursor c = nytp_unpack_cursor(str_of(&message));
    nytp_unpack_field f;
    nytp_json_object(&j, NULL);
    while (nytp_unpack_next(&c, &f) && f.number == NYTP_UNPACK_SAMPLE_TYPE)
        put_type(&j, text_at(str_of(&message), nytp_unpack_number(f.bytes, 1)),
                 text_at(str_of(&message), nytp_unpack_number(f.bytes, 2)));
    nytp_json_end(&j);
    if (message.failed) out->failed = 1;
    nytp_buf_free(&message);
}

static void put_ingest_body(nytp_buf *out, const nytp_delta *d) {
    put_part(out, "sample_type_config", "sample_type_config.json", "application/json");
    put_types(out, d);
    nytp_text_put(out, "\r\n");
    put_profile(out, "profile", "profile.pprof", d);
}

/* ---- JSON ---- */

static void put_label(nytp_json *j, nytp_str name, nytp_str value) {
    nytp_json_object(j, NULL);
    nytp_json_string(j, "name", name);
    nytp_json_string(j, "value", value);
    nytp_json_end(j);
}

static void put_labels(nytp_json *j, const nytp_delta *d) {
    nytp_json_array(j, "labels");
    put_label(j, NYTP_LIT("__name__"), nytp_str_c(d->metric));
    put_label(j, NYTP_LIT("service_name"), d->service);
    put_label(j, NYTP_LIT("host"), d->host);
    for (uint32_t i = 0; i < d->named->labels_n; i++)
        put_label(j, str_of(&d->named->labels[i].name), str_of(&d->named->labels[i].value));
    nytp_json_end(j);
}

static void put_sample(nytp_json *j, const nytp_delta *d, const char *id) {
    nytp_buf bytes = {0};
    nytp_base64_put(&bytes, d->profile.p, d->profile.n);
    nytp_json_array(j, "samples");
    nytp_json_object(j, NULL);
    if (id) nytp_json_text(j, "ID", id);
    nytp_json_string(j, "rawProfile", str_of(&bytes));
    nytp_json_end(j);
    nytp_json_end(j);
    if (bytes.failed) j->out->failed = 1;
    nytp_buf_free(&bytes);
}

/* Pyroscope's labels are a list, Parca's an object that has the list. */
static void put_series(nytp_buf *out, const nytp_delta *d, int is_nested, const char *id) {
    nytp_json j = {.out = out};
    nytp_json_object(&j, NULL);
    nytp_json_array(&j, "series");
    nytp_json_object(&j, NULL);
    if (is_nested) nytp_json_object(&j, "labels");
    put_labels(&j, d);
    if (is_nested) nytp_json_end(&j);
    put_sample(&j, d, id);
    nytp_json_end(&j);
    nytp_json_end(&j);
    nytp_json_end(&j);
}

static void put_pyroscope(nytp_buf *out, const nytp_delta *d) { put_series(out, d, 0, d->id); }

static void put_parca(nytp_buf *out, const nytp_delta *d) { put_series(out, d, 1, NULL); }

/* ---- Datadog ---- */

static void put_moment(nytp_json *j, const char *key, uint64_t ns) {
    char text[40], whole[24];
    time_t seconds = (time_t)(ns / NYTP_NANOSECONDS);
    struct tm utc;
    if (!gmtime_r(&seconds, &utc) || !strftime(whole, sizeof whole, "%Y-%m-%dT%H:%M:%S", &utc)) *whole = '\0';
    snprintf(text, sizeof text, "%s.%03uZ", whole, (unsigned)(ns % NYTP_NANOSECONDS / 1000000));
    nytp_json_text(j, key, text);
}

/* Tags are separated by commas. */
static void put_tag(nytp_buf *out, const char *name, nytp_str value) {
    if (out->n) nytp_buf_byte(out, ',');
    nytp_text_put(out, name);
    nytp_buf_byte(out, ':');
    for (size_t i = 0; i < value.n; i++) nytp_buf_byte(out, value.p[i] == ',' ? '_' : (unsigned char)value.p[i]);
}

static void put_event(nytp_buf *out, const nytp_delta *d) {
    nytp_json j = {.out = out};
    nytp_buf tags = {0};
    put_tag(&tags, "service", d->service);
    put_tag(&tags, "host", d->host);
    put_tag(&tags, "runtime-id", nytp_str_c(d->run));
    for (uint32_t i = 0; i < d->named->labels_n; i++)
        put_tag(&tags, (const char *)d->named->labels[i].name.p, str_of(&d->named->labels[i].value));
    nytp_json_object(&j, NULL);
    nytp_json_text(&j, "version", "4");
    nytp_json_string(&j, "family", d->family);
    nytp_json_array(&j, "attachments");
    nytp_json_text(&j, NULL, "cpu.pprof");
    nytp_json_end(&j);
    nytp_json_string(&j, "tags_profiler", str_of(&tags));
    put_moment(&j, "start", d->begin);
    put_moment(&j, "end", d->end);
    nytp_json_end(&j);
    if (tags.failed) out->failed = 1;
    nytp_buf_free(&tags);
}

static void put_datadog(nytp_buf *out, const nytp_delta *d) {
    put_part(out, "event", "event.json", "application/json");
    put_event(out, d);
    nytp_text_put(out, "\r\n");
    put_profile(out, "cpu.pprof", "cpu.pprof", d);
}

/* ---- the table ---- */

const nytp_receiver nytp_receivers[] = {
    {"pyroscope", "/ingest", "multipart/form-data; boundary=" BOUNDARY, put_ingest, put_ingest_body, 0},
    {"pyroscope-push", "/push.v1.PusherService/Push", "application/json", NULL, put_pyroscope, 0},
    {"parca", "/profiles/writeraw", "application/json", NULL, put_parca, 0},
    {"datadog", "/profiling/v1/input", "multipart/form-data; boundary=" BOUNDARY, NULL, put_datadog, 0},
    {"otlp", "/v1development/profiles", "application/x-protobuf", NULL, nytp_otlp_put, 1},
    {0},
};

/* Bytes of a target's path. */
static size_t path_length(const char *target) { return strcspn(target, "?#"); }

static int has_path(const char *target, const char *path) {
    size_t n = path_length(target), m = strlen(path);
    return n >= m && memcmp(target + n - m, path, m) == 0;
}

const nytp_receiver *nytp_receivers_find(const char *name, const char *target) {
    const nytp_receiver *r = nytp_receivers;
    while (r->name && !(name ? strcmp(r->name, name) == 0 : has_path(target, r->path))) r++;
    return r->name ? r : NULL;
}

void nytp_receivers_target(nytp_buf *out, const nytp_receiver *r, const char *target, const nytp_delta *d) {
    size_t path = path_length(target), n = strcspn(target, "#");
    if (path == 0 || (path == 1 && *target == '/')) nytp_text_put(out, r->path);
    else nytp_text_str(out, (nytp_str){target, path});
    nytp_text_str(out, (nytp_str){target + path, n - path});
    if (r->put_query) {
        nytp_buf_byte(out, n > path ? '&' : '?');
        r->put_query(out, d);
    }
    nytp_buf_byte(out, 0);
}
