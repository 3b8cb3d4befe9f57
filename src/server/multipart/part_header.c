#include "server/multipart/part_header.h"

#include <string.h>
#include <strings.h>

#include "base/utf8.h"
#include "server/multipart/header_param.h"

/* The headers seen so far: with a second one of a kind two readers might disagree. */
struct seen {
    bool disposition, type, encoding;
};

/* Decodes what browsers escape in a name (WHATWG HTML, "multipart/form-data encoding
 * algorithm"), and nothing else: any other percent sign is literal. */
static char escaped(const char *text)
{
    return strncmp(text, "%22", 3) == 0                                   ? '"'
           : strncmp(text, "%0D", 3) == 0 || strncmp(text, "%0d", 3) == 0 ? '\r'
           : strncmp(text, "%0A", 3) == 0 || strncmp(text, "%0a", 3) == 0 ? '\n'
                                                                          : '\0';
}

static void unescape(struct buf *text)
{
    char *to = text->data;

    if (!to)
        return;
    for (const char *from = to; *from; to++) {
        char meant = escaped(from);

        *to = meant ? meant : *from;
        from += meant ? 3 : 1;
    }
    text->len = (size_t) (to - text->data);
    *to = '\0';
}

static void copy(struct buf *to, const struct buf *from)
{
    to->len = 0;
    buf_put(to, buf_text(from), from->len);
}

static int read_name(struct part_header *header, const struct buf *value, struct err *err)
{
    if (header->has_name)
        return err_set(err, ERR_INVALID_REQUEST, "a part of the form has two names");
    if (!utf8_is_valid(buf_text(value), value->len))
        return err_set(err, ERR_INVALID_REQUEST, "a part's name is not valid UTF-8");
    header->has_name = true;
    copy(&header->name, value);
    unescape(&header->name);
    return 0;
}

static int read_filename(struct part_header *header, const struct buf *value, bool *plain,
                         bool extended, struct err *err)
{
    if (*plain)
        return err_set(err, ERR_INVALID_REQUEST, "a part of the form has two file names");
    *plain = true;
    header->has_filename = true;
    if (extended) /* filename* wins over filename in any order (RFC 6266 section 4.3) */
        return 0;
    if (utf8_is_valid(buf_text(value), value->len))
        copy(&header->filename, value);
    else
        header_param_latin1(buf_text(value), value->len, &header->filename);
    unescape(&header->filename);
    return 0;
}

static int read_disposition(struct part_header *header, const char *value, struct err *err)
{
    AUTO_HEADER_PARAM struct header_param param = { 0 };
    bool plain = false, extended = false;
    const char *head, *rest;
    int more;

    if (header_param_head(value, &head, &rest) != 9 || strncasecmp(head, "form-data", 9) != 0)
        return err_set(err, ERR_INVALID_REQUEST,
                       "a part's Content-Disposition is not \"form-data\"");
    while ((more = header_param_next(&rest, &param)) > 0) {
        if (header_param_is(&param, "name")) {
            if (read_name(header, &param.value, err) < 0)
                return -1;
        } else if (header_param_is(&param, "filename")) {
            if (read_filename(header, &param.value, &plain, extended, err) < 0)
                return -1;
        } else if (header_param_is(&param, "filename*")) {
            if (extended || !header_param_extended(buf_text(&param.value), &header->filename))
                return err_set(err, ERR_INVALID_REQUEST,
                               "a part's filename* is not as RFC 8187 has it");
            extended = true;
            header->has_filename = true;
        }
    }
    if (more < 0)
        return err_set(err, ERR_INVALID_REQUEST,
                       "a part's Content-Disposition has a broken parameter");
    return 0;
}

static int read_encoding(const char *value, struct err *err)
{
    if (strcasecmp(value, "binary") != 0 && strcasecmp(value, "8bit") != 0 &&
        strcasecmp(value, "7bit") != 0)
        return err_set(err, ERR_INVALID_REQUEST,
                       "send parts as they are: a Content-Transfer-Encoding other than binary is "
                       "not accepted");
    return 0;
}

static int once(bool *seen, const char *name, struct err *err)
{
    if (*seen)
        return err_set(err, ERR_INVALID_REQUEST, "a part has two %s headers", name);
    *seen = true;
    return 0;
}

static int read_line(struct part_header *header, struct seen *seen, char *line, struct err *err)
{
    char *value, *end;
    size_t n = 0;

    while (header_param_is_token((unsigned char) line[n]))
        n++;
    if (n == 0 || line[n] != ':')
        return err_set(err, ERR_INVALID_REQUEST, "a part has a line that is not a header field");
    line[n] = '\0';
    value = line + n + 1;
    value += strspn(value, " \t");
    end = value + strlen(value);
    while (end > value && (end[-1] == ' ' || end[-1] == '\t'))
        *--end = '\0';

    if (strcasecmp(line, "Content-Disposition") == 0) {
        if (once(&seen->disposition, line, err) < 0)
            return -1;
        return read_disposition(header, value, err);
    }
    if (strcasecmp(line, "Content-Type") == 0) {
        if (once(&seen->type, line, err) < 0)
            return -1;
        header->has_content_type = true;
        buf_puts(&header->content_type, value);
    } else if (strcasecmp(line, "Content-Transfer-Encoding") == 0) {
        if (once(&seen->encoding, line, err) < 0)
            return -1;
        return read_encoding(value, err);
    }
    return 0;
}

int part_header_read(struct part_header *header, char *text, size_t n, struct err *err)
{
    struct seen seen = { 0 };
    char *end = text + n;

    for (char *line = text, *next; line < end; line = next) {
        char *stop = memmem(line, (size_t) (end - line), "\r\n", 2);

        next = stop ? stop + 2 : end;
        if (!stop)
            stop = end;
        *stop = '\0';
        if (*line == ' ' || *line == '\t')
            return err_set(err, ERR_INVALID_REQUEST,
                           "a part has a header folded over two lines; write it in one");
        for (const char *p = line; p < stop; p++)
            if (((unsigned char) *p < ' ' && *p != '\t') || *p == 0x7f)
                return err_set(err, ERR_INVALID_REQUEST,
                               "a part's headers hold a control character");
        if (read_line(header, &seen, line, err) < 0)
            return -1;
    }
    if (header->name.len == 0)
        return err_set(err, ERR_INVALID_REQUEST, "a part of the form has no name: give each one");
    buf_put(&header->name, "", 0);
    buf_put(&header->filename, "", 0);
    buf_put(&header->content_type, "", 0);
    if (header->name.failed || header->filename.failed || header->content_type.failed)
        return err_set(err, ERR_INTERNAL, "out of memory");
    return 0;
}

void part_header_reset(struct part_header *header)
{
    header->name.len = header->filename.len = header->content_type.len = 0;
    header->has_name = header->has_filename = header->has_content_type = false;
}

void part_header_free(struct part_header *header)
{
    buf_free(&header->name);
    buf_free(&header->filename);
    buf_free(&header->content_type);
}
