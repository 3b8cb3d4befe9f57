#include "server/multipart/multipart.h"

#include <stdlib.h>
#include <string.h>
#include <strings.h>
#include <sys/types.h>

#include "server/multipart/header_param.h"
#include "server/multipart/part_header.h"

enum state {
    PREAMBLE,  /* before the first delimiter */
    DELIMITER, /* after a delimiter: "--", or blanks and CR LF */
    HEADERS,
    DATA,
    EPILOGUE, /* after the closing delimiter */
    FAILED,
};

struct multipart {
    struct multipart_limits limits;
    const struct multipart_events *events;
    void *arg;

    enum state state;
    size_t room; /* bytes that the body may still have */
    size_t n_fields, n_files;

    char delimiter[4 + MULTIPART_BOUNDARY]; /* CR LF "--" boundary */
    size_t delimiter_len;
    /* How much of the delimiter the bytes before this piece matched. The only CR of a delimiter
     * is its first byte, so after a failed match the next can only begin at the byte that
     * failed. */
    size_t matched;
    /* How many of the matched bytes are not data: the line end before a delimiter may be the one
     * that ends the headers, or the beginning of the body. */
    size_t borrowed;

    char after; /* DELIMITER: the first character after it, blanks skipped; 0 if none came yet */
    bool padded;

    struct buf header; /* HEADERS: the lines so far */
    struct part_header part;
    bool is_file;
    size_t part_room; /* bytes that the part may still have */
};

static int broken(struct err *err, const char *sentence)
{
    return err_set(err, ERR_INVALID_REQUEST, "%s", sentence);
}

int multipart_boundary(const char *content_type, char out[static MULTIPART_BOUNDARY],
                       struct err *err)
{
    static const char type[] = "multipart/form-data";
    AUTO_HEADER_PARAM struct header_param param = { 0 };
    const char *head, *rest;
    bool found = false;
    int more;

    if (!content_type || header_param_head(content_type, &head, &rest) != strlen(type) ||
        strncasecmp(head, type, strlen(type)) != 0)
        return err_set(err, ERR_UNSUPPORTED_MEDIA_TYPE, "send the body as multipart/form-data");
    while ((more = header_param_next(&rest, &param)) > 0) {
        if (!header_param_is(&param, "boundary"))
            continue;
        if (found)
            return broken(err, "the Content-Type has two boundaries");
        found = true;
        if (param.value.len == 0 || param.value.len >= MULTIPART_BOUNDARY ||
            param.value.data[param.value.len - 1] == ' ')
            return broken(err, "the Content-Type's boundary must have 1 to 70 characters");
        for (size_t i = 0; i < param.value.len; i++)
            if (param.value.data[i] < ' ' || param.value.data[i] > '~')
                return broken(err, "the Content-Type's boundary holds an invalid character");
        memcpy(out, param.value.data, param.value.len + 1);
    }
    if (more < 0)
        return broken(err, "the Content-Type has a broken parameter");
    if (!found)
        return broken(err, "the Content-Type has no boundary");
    return 0;
}

struct multipart *multipart_new(const char *boundary, const struct multipart_limits *limits,
                                const struct multipart_events *events, void *arg)
{
    size_t n = strlen(boundary);
    struct multipart *mp;

    if (n == 0 || n >= MULTIPART_BOUNDARY)
        return NULL;
    mp = calloc(1, sizeof(*mp));
    if (!mp)
        return NULL;
    mp->limits = *limits;
    mp->room = (size_t) limits->max_total_bytes;
    mp->events = events;
    mp->arg = arg;
    memcpy(mp->delimiter, "\r\n--", 4);
    memcpy(mp->delimiter + 4, boundary, n);
    mp->delimiter_len = n + 4;
    mp->state = PREAMBLE;
    mp->matched = mp->borrowed = 2;
    return mp;
}

void multipart_free(struct multipart *mp)
{
    if (!mp)
        return;
    buf_free(&mp->header);
    part_header_free(&mp->part);
    free(mp);
}

static int begin_part(struct multipart *mp, struct err *err)
{
    struct multipart_part part;

    part_header_reset(&mp->part);
    if (part_header_read(&mp->part, mp->header.data, mp->header.len, err) < 0)
        return -1;
    mp->is_file = mp->part.has_filename;
    mp->part_room = mp->is_file ? (size_t) mp->limits.max_file_bytes : mp->limits.max_field_bytes;
    if (mp->is_file && mp->n_files++ >= mp->limits.max_files)
        return err_set(err, ERR_TOO_MANY_FILES, "send at most %zu files in one request",
                       mp->limits.max_files);
    if (!mp->is_file && mp->n_fields++ >= mp->limits.max_fields)
        return err_set(err, ERR_INVALID_REQUEST, "send at most %zu form fields in one request",
                       mp->limits.max_fields);
    part = (struct multipart_part){
        .name = mp->part.name.data,
        .filename = mp->is_file ? mp->part.filename.data : NULL,
        .content_type = mp->part.has_content_type ? mp->part.content_type.data : NULL,
    };
    return mp->events->begin(mp->arg, &part, err);
}

static int part_too_large(const struct multipart *mp, struct err *err)
{
    if (mp->is_file)
        return err_field(err, ERR_FILE_TOO_LARGE, mp->part.name.data,
                         "a file may have at most %lld bytes",
                         (long long) mp->limits.max_file_bytes);
    return err_field(err, ERR_INVALID_REQUEST, mp->part.name.data,
                     "a form field may have at most %zu bytes", mp->limits.max_field_bytes);
}

/* Passes on what the limit allows before it fails, so that the events do not depend on the size
 * of the pieces in which a body arrives. */
static int put_data(struct multipart *mp, const char *data, size_t n, struct err *err)
{
    size_t part = n < mp->part_room ? n : mp->part_room;

    if (mp->state != DATA)
        return 0;
    mp->part_room -= part;
    if (part && mp->events->data(mp->arg, data, part, err) < 0)
        return -1;
    return part < n ? part_too_large(mp, err) : 0;
}

static int delimiter_found(struct multipart *mp, struct err *err)
{
    enum state from = mp->state;

    mp->state = DELIMITER;
    mp->matched = mp->borrowed = 0;
    mp->after = '\0';
    mp->padded = false;
    return from == DATA ? mp->events->end(mp->arg, err) : 0;
}

/* How many bytes of p continue the delimiter at position `matched`. */
static size_t match(const struct multipart *mp, const char *p, size_t n)
{
    size_t most = mp->delimiter_len - mp->matched, i = 0;

    if (most > n)
        most = n;
    while (i < most && p[i] == mp->delimiter[mp->matched + i])
        i++;
    return i;
}

/* DATA and PREAMBLE: passes on all that cannot belong to a delimiter. Returns the bytes used, or
 * -1. */
static ssize_t scan_data(struct multipart *mp, const char *p, size_t n, struct err *err)
{
    size_t clean = 0, at = 0, more;

    if (mp->matched) {
        more = match(mp, p, n);
        mp->matched += more;
        if (mp->matched == mp->delimiter_len)
            return delimiter_found(mp, err) < 0 ? -1 : (ssize_t) more;
        if (more == n)
            return (ssize_t) n;
        /* It was not a delimiter, and what was held back is data. */
        mp->matched -= more;
        if (put_data(mp, mp->delimiter + mp->borrowed, mp->matched - mp->borrowed, err) < 0)
            return -1;
        mp->matched = mp->borrowed = 0;
        at = more;
    }
    for (;;) {
        const char *cr = at < n && p[at] == '\r' ? p + at : memchr(p + at, '\r', n - at);

        if (!cr)
            break;
        clean = (size_t) (cr - p);
        more = match(mp, cr, n - clean);
        if (more == mp->delimiter_len) {
            if (put_data(mp, p, clean, err) < 0 || delimiter_found(mp, err) < 0)
                return -1;
            return (ssize_t) (clean + more);
        }
        if (clean + more == n) {
            if (put_data(mp, p, clean, err) < 0)
                return -1;
            mp->matched = more;
            return (ssize_t) n;
        }
        at = clean + more;
    }
    return put_data(mp, p, n, err) < 0 ? -1 : (ssize_t) n;
}

/* After a delimiter: "--" closes the form; blanks (transport padding) and CR LF begin a part. */
static int after_delimiter(struct multipart *mp, char c, struct err *err)
{
    if (!mp->after && (c == ' ' || c == '\t')) {
        mp->padded = true;
        return 0;
    }
    if (!mp->after && c == '\n')
        return broken(err, "lines of a multipart body must end in CR LF, not LF alone");
    if (!mp->after && (c == '\r' || (c == '-' && !mp->padded))) {
        mp->after = c;
        return 0;
    }
    if (mp->after == '-' && c == '-') {
        mp->state = EPILOGUE;
        return 0;
    }
    if (mp->after == '\r' && c == '\n') {
        mp->state = HEADERS;
        mp->header.len = 0;
        return 0;
    }
    return broken(err, "a delimiter of the multipart body is followed by other characters");
}

/* HEADERS: collects whole lines. Returns the bytes used, or -1. */
static ssize_t scan_headers(struct multipart *mp, const char *p, size_t n, struct err *err)
{
    const char *lf = memchr(p, '\n', n);
    size_t used = lf ? (size_t) (lf - p) + 1 : n;
    const struct buf *header = &mp->header;

    if (used > mp->limits.max_header_bytes || header->len > mp->limits.max_header_bytes - used)
        return err_set(err, ERR_INVALID_REQUEST, "the headers of a part may have at most %zu bytes",
                       mp->limits.max_header_bytes);
    buf_put(&mp->header, p, used);
    if (header->failed)
        return err_set(err, ERR_INTERNAL, "out of memory");
    if (!lf)
        return (ssize_t) used;
    if (header->len < 2 || header->data[header->len - 2] != '\r')
        return broken(err, "lines of a multipart body must end in CR LF, not LF alone");
    if (header->len > 2 && header->data[header->len - 3] != '\n')
        return (ssize_t) used; /* the line is not the blank one */

    mp->header.len -= 2;
    mp->header.data[mp->header.len] = '\0';
    if (begin_part(mp, err) < 0)
        return -1;
    mp->state = DATA;
    mp->matched = mp->borrowed = 2;
    return (ssize_t) used;
}

static ssize_t step(struct multipart *mp, const char *p, size_t n, struct err *err)
{
    switch (mp->state) {
    case PREAMBLE:
    case DATA:
        return scan_data(mp, p, n, err);
    case DELIMITER:
        return after_delimiter(mp, *p, err) < 0 ? -1 : 1;
    case HEADERS:
        return scan_headers(mp, p, n, err);
    case EPILOGUE:
        return (ssize_t) n;
    case FAILED:
        break;
    }
    return err_set(err, ERR_INTERNAL, "the multipart parser had failed before");
}

int multipart_feed(struct multipart *mp, const void *data, size_t n, struct err *err)
{
    size_t left = n < mp->room ? n : mp->room;
    bool too_long = n > mp->room;
    const char *p = data;

    mp->room -= left;
    while (left > 0) {
        ssize_t used = step(mp, p, left, err);

        if (used < 0) {
            mp->state = FAILED;
            return -1;
        }
        p += used;
        left -= (size_t) used;
    }
    if (!too_long)
        return 0;
    mp->state = FAILED;
    return err_set(err, ERR_FILE_TOO_LARGE, "a request may have at most %lld bytes",
                   (long long) mp->limits.max_total_bytes);
}

int multipart_finish(struct multipart *mp, struct err *err)
{
    switch (mp->state) {
    case EPILOGUE:
        return 0;
    case PREAMBLE:
        return broken(err, "the body holds no delimiter of the Content-Type's boundary");
    case FAILED:
        return err_set(err, ERR_INTERNAL, "the multipart parser had failed before");
    case DELIMITER:
    case HEADERS:
    case DATA:
        break;
    }
    return broken(err, "the multipart body ends before its closing delimiter");
}
