#include "pdf/document/hints.h"

#include <fcntl.h>
#include <limits.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "base/scope.h"
#include "pdf/object/obj.h"
#include "syntax/pdf/lex.h"

#define FIRST_BYTES 1024 /* the linearization dictionary is in them (F.3.3) */
#define PAGE_BYTES  36   /* of the header of the page offset hint table (table F.3) */
#define GROUP_BYTES 24   /* of the header of the shared object hint table (table F.5) */
#define BITS        32   /* of the widest number in a table */

/* Where the number begins that ends before `at`, with space between. */
static const char *number_before(const char *text, const char *at)
{
    while (at > text && lex_is_space((unsigned char) at[-1]))
        at--;
    while (at > text && at[-1] >= '0' && at[-1] <= '9')
        at--;
    return at;
}

/* The object that begins in the text, or null. */
static struct obj object_in(struct pdf_doc *doc, const char *text)
{
    const char *at = strstr(text, "obj");
    long number = 0, generation = 0;

    if (at) {
        char *end;

        number = strtol(number_before(text, number_before(text, at)), &end, 10);
        generation = strtol(end, NULL, 10);
    }
    if (number > INT_MAX || generation > UINT16_MAX)
        return obj_by_id(doc->q, 0, 0);
    return obj_by_id(doc->q, (int) number, (int) generation);
}

static uint64_t number_at(const unsigned char *data, size_t n)
{
    uint64_t number = 0;

    for (size_t i = 0; i < n; i++)
        number = number << 8 | data[i];
    return number;
}

/* The least number of objects of a page, where the first page's is, and the widths of numbers. */
static bool page_header_is_right(const unsigned char *header, uint64_t size)
{
    static const unsigned char widths[] = { 8, 14, 20, 26, 28, 30, 32 };

    for (size_t i = 0; i < COUNT(widths); i++)
        if (number_at(header + widths[i], 2) > BITS)
            return false;
    return number_at(header, 4) >= 1 && number_at(header + 4, 4) < size;
}

/* How many groups are of the first page, and in all, and the widths. */
static bool group_header_is_right(const unsigned char *header)
{
    return number_at(header + 8, 4) <= number_at(header + 12, 4) &&
           number_at(header + 16, 2) <= BITS && number_at(header + 22, 2) <= BITS;
}

static bool tables_are_right(struct obj stream, uint64_t size)
{
    AUTO_FREE unsigned char *data = NULL;
    long long groups;
    size_t n;

    return obj_is_stream(stream) && obj_key_int(stream, "/S", &groups) &&
           obj_stream_data(stream, &data, &n) && groups >= PAGE_BYTES &&
           (uint64_t) groups + GROUP_BYTES <= n && page_header_is_right(data, size) &&
           group_header_is_right(data + groups);
}

bool hints_are_wrong(struct pdf_doc *doc, const char *path)
{
    AUTO_CLOSE int fd = open(path, O_RDONLY | O_CLOEXEC);
    char text[FIRST_BYTES + 1] = "";
    struct stat st;
    long long size, offset;

    if (fd < 0 || fstat(fd, &st) < 0 || pread(fd, text, FIRST_BYTES, 0) <= 0)
        return false;

    AUTO_OBJ struct obj dict = object_in(doc, text);
    AUTO_OBJ struct obj is_linearized = obj_key(dict, "/Linearized");
    AUTO_OBJ struct obj place = obj_key(dict, "/H");
    AUTO_OBJ struct obj first = obj_item(place, 0);

    if (obj_is_null(is_linearized) || !obj_key_int(dict, "/L", &size) || size != st.st_size ||
        !obj_is_int(first, &offset) || offset < 0 || offset >= size)
        return false;
    memset(text, 0, sizeof text);
    if (pread(fd, text, FIRST_BYTES, offset) <= 0)
        return false;

    AUTO_OBJ struct obj stream = object_in(doc, text);

    return !tables_are_right(stream, (uint64_t) size);
}
