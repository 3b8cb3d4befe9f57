#include "declare/tool_run/run.h"

#include <errno.h>
#include <fcntl.h>
#include <minizip/zip.h>
#include <stdarg.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <time.h>
#include <unistd.h>

#include "base/fdio.h"
#include "base/fnv.h"
#include "declare/tool_run/page_numbers.h"
#include "declare/tool_run/result.h"
#include "declare/value/file_kind.h"
#include "declare/value/text.h"

#define WARNINGS      100
#define WARNING_BYTES 256 /* of a message */
#define FIGURES       50
#define NAME_SLOTS    32768 /* a power of two, more than twice TOOL_PARTS */

struct known_name {
    uint64_t hash; /* 0: the entry is empty */
    unsigned copies;
    bool taken;
};

struct tool_result {
    const struct tool *tool;
    int output, scratch;
    char output_path[40], scratch_path[40];
    struct tool_sink sink;
    const char *kind;

    char warned[WARNINGS][48];
    size_t n_warned;
    size_t n_figures, n_rows;

    zipFile zip;
    size_t n_parts;
    struct tool_output first; /* not written to the ZIP yet, because it may stay the only part */
    char first_name[TOOL_NAME];
    struct known_name *names; /* of the parts; a hash table with open addressing */
};

struct tool_result *tool_result_new(const struct tool *tool, int output, int scratch,
                                    const struct tool_sink *sink, struct err *err)
{
    struct tool_result *result = calloc(1, sizeof *result);

    if (!result) {
        err_sys(err, "result");
        return NULL;
    }
    result->tool = tool;
    result->output = output;
    result->scratch = scratch;
    result->sink = *sink;
    snprintf(result->output_path, sizeof result->output_path, "/proc/self/fd/%d", output);
    snprintf(result->scratch_path, sizeof result->scratch_path, "/proc/self/fd/%d", scratch);
    return result;
}

const char *tool_result_path(const struct tool_result *result)
{
    return result->output_path;
}

const char *tool_result_kind(const struct tool_result *result)
{
    return result->kind;
}

void tool_result_free(struct tool_result *result)
{
    if (!result)
        return;
    if (result->zip)
        zipClose(result->zip, NULL);
    free(result->names);
    free(result);
}

/* Reports errors of the machine (permissions, descriptors, memory) as such: a library that
 * cannot open a document would call it damaged. */
static int check_inputs(const struct tool_run *run, struct err *err)
{
    for (size_t i = 0; i < run->n_inputs; i++) {
        AUTO_CLOSE int fd = open(run->inputs[i].path, O_RDONLY | O_CLOEXEC);

        if (fd < 0)
            return err_sys(err, "the job cannot open its file %zu", i + 1);
    }
    return 0;
}

int tool_result_run(const struct tool *tool, struct tool_run *run, const struct param_input *params,
                    size_t n_params, struct err *err)
{
    AUTO_FREE void *values = calloc(1, tool->params_size ? tool->params_size : 1);

    if (!values)
        return err_sys(err, "parameters");
    if (tool_check_params(tool, params, n_params, err) < 0 ||
        param_fill(tool->params, tool->n_params, params, n_params, values, err) < 0)
        return -1;
    if (check_inputs(run, err) < 0 || tool->run(run, values, err) < 0)
        return -1;
    if (!run->result->kind)
        return err_set(err, ERR_INTERNAL, "%s ended without a result", tool->name);
    return 0;
}

void tool_progress(struct tool_run *run, double fraction)
{
    double share = run->progress_share > 0 ? run->progress_share : 1;

    run->result->sink.progress(run->result->sink.arg, run->progress_from + share * fraction);
}

/* Says at the end of a message that it was too long, after a whole character of UTF-8. */
static void cut_message(char message[static WARNING_BYTES])
{
    size_t n = WARNING_BYTES - sizeof "...";

    while (n > 0 && ((unsigned char) message[n] & 0xc0) == 0x80)
        n--;
    memcpy(message + n, "...", sizeof "...");
}

void tool_warn(struct tool_run *run, const char *code, const char *fmt, ...)
{
    struct tool_result *result = run->result;
    char message[WARNING_BYTES], key[sizeof *result->warned];
    size_t n = 0;
    va_list ap;

    if (run->about)
        snprintf(key, sizeof key, "%s %u", code, run->about);
    else
        snprintf(key, sizeof key, "%s", code);
    for (size_t i = 0; i < result->n_warned; i++)
        if (strcmp(result->warned[i], key) == 0)
            return;
    if (result->n_warned == WARNINGS)
        return;
    snprintf(result->warned[result->n_warned++], sizeof *result->warned, "%s", key);
    if (run->about)
        n = (size_t) snprintf(message, sizeof message, "in file %u: ", run->about);
    va_start(ap, fmt);
    int length = vsnprintf(message + n, sizeof message - n, fmt, ap);
    va_end(ap);
    if (length > 0 && n + (size_t) length >= sizeof message)
        cut_message(message);
    result->sink.warning(result->sink.arg, code, message);
}

void tool_figure(struct tool_run *run, const char *name, int64_t value)
{
    struct tool_result *result = run->result;

    if (result->sink.figure && result->n_figures++ < FIGURES)
        result->sink.figure(result->sink.arg, name, value);
}

void tool_page_list(struct tool_run *run, const char *name, const char *pages)
{
    struct tool_result *result = run->result;
    char list[TOOL_PAGES_LISTED];

    if (*pages && page_numbers_shorten(pages, list, sizeof list) && result->sink.pages &&
        result->n_figures++ < FIGURES)
        result->sink.pages(result->sink.arg, name, list);
}

void tool_page_row(struct tool_run *run, const struct tool_page_row *row)
{
    struct tool_result *result = run->result;

    if (result->sink.row && result->n_rows++ < TOOL_PAGE_ROWS)
        result->sink.row(result->sink.arg, row);
}

static int measure_file(int fd, struct tool_output *output, struct err *err)
{
    struct stat st;

    if (fstat(fd, &st) < 0)
        return err_sys(err, "result");
    output->bytes = (int64_t) st.st_size;
    return 0;
}

/* Reads a file from its start: finds its size and digest, and copies its bytes to the open entry
 * of the ZIP. */
static int digest_file(int fd, zipFile zip, bool no_digest, struct tool_output *output,
                       struct err *err)
{
    AUTO_FREE char *chunk = malloc(65536);
    struct digest digest;
    ssize_t got;

    if (!chunk)
        return err_sys(err, "result");
    if (no_digest && !zip)
        return measure_file(fd, output, err);
    digest_start(&digest);
    output->bytes = 0;
    while ((got = fdio_read_at(fd, chunk, 65536, output->bytes, err)) > 0) {
        if (!no_digest)
            digest_add(&digest, chunk, (size_t) got);
        output->bytes += got;
        if (zip && zipWriteInFileInZip(zip, chunk, (unsigned) got) != ZIP_OK)
            return err_sys(err, "write the ZIP file");
    }
    if (!no_digest)
        digest_end(&digest, output->sha256);
    return got < 0 ? -1 : 0;
}

int tool_done(struct tool_run *run, size_t pages, struct err *err)
{
    struct tool_result *result = run->result;
    struct tool_output output = { .name = "", .pages = pages };

    if (digest_file(result->output, NULL, result->sink.no_digests, &output, err) < 0 ||
        result->sink.output(result->sink.arg, &output, err) < 0)
        return -1;
    result->kind = result->tool->gives;
    return 0;
}

int tool_done_as(struct tool_run *run, const char *kind, size_t pages, struct err *err)
{
    if (tool_done(run, pages, err) < 0)
        return -1;
    run->result->kind = kind;
    return 0;
}

const char *tool_part(struct tool_run *run)
{
    return run->result->scratch_path;
}

/* minizip's file functions for a descriptor: it must not open anything by name. */
static void *zip_open(void *opaque, const void *name, int mode)
{
    (void) name, (void) mode;
    return opaque;
}

static unsigned long zip_read(void *opaque, void *stream, void *data, unsigned long n)
{
    ssize_t got = read(*(int *) stream, data, n);

    (void) opaque;
    return got < 0 ? 0 : (unsigned long) got;
}

static unsigned long zip_write(void *opaque, void *stream, const void *data, unsigned long n)
{
    struct err err;

    (void) opaque;
    return fdio_write(*(int *) stream, data, n, &err) < 0 ? 0 : n;
}

static ZPOS64_T zip_tell(void *opaque, void *stream)
{
    (void) opaque;
    return (ZPOS64_T) lseek(*(int *) stream, 0, SEEK_CUR);
}

static long zip_seek(void *opaque, void *stream, ZPOS64_T offset, int origin)
{
    (void) opaque;
    return lseek(*(int *) stream, (off_t) offset, origin) < 0 ? -1 : 0;
}

static int zip_close(void *opaque, void *stream)
{
    (void) opaque, (void) stream;
    return 0;
}

static int zip_error(void *opaque, void *stream)
{
    (void) opaque, (void) stream;
    return 0;
}

static int start_zip(struct tool_result *result, struct err *err)
{
    zlib_filefunc64_def files = {
        .zopen64_file = zip_open,
        .zread_file = zip_read,
        .zwrite_file = zip_write,
        .ztell64_file = zip_tell,
        .zseek64_file = zip_seek,
        .zclose_file = zip_close,
        .zerror_file = zip_error,
        .opaque = &result->output,
    };

    result->names = calloc(NAME_SLOTS, sizeof *result->names);
    result->zip = zipOpen2_64("", APPEND_STATUS_CREATE, NULL, &files);
    if (!result->names || !result->zip)
        return err_set(err, ERR_INTERNAL, "out of memory");
    return 0;
}

/* Finds the entry of a name, ignoring case. Two names with the same hash only make the second
 * name longer than necessary. */
static struct known_name *known(struct tool_result *result, const char *name)
{
    uint64_t hash = FNV_START;
    size_t slot;

    for (const char *p = name; *p; p++)
        hash = fnv_mix(hash, (unsigned char) (*p >= 'A' && *p <= 'Z' ? *p | 0x20 : *p));
    hash |= 1;
    slot = hash >> 32 & (NAME_SLOTS - 1);
    while (result->names[slot].hash && result->names[slot].hash != hash)
        slot = (slot + 1) & (NAME_SLOTS - 1);
    result->names[slot].hash = hash;
    return &result->names[slot];
}

/* Writes a name such as "stem_1 (2).pdf". If it is too long, the result's stem in it is cut, so
 * that the distinguishing rest stays. */
static void write_name(const char *stem, const char *name, unsigned copy,
                       char out[static TOOL_NAME])
{
    const char *dot = strrchr(name, '.'), *extension = dot ? dot : "";
    size_t n = strlen(name) - strlen(extension), front = stem ? strlen(stem) : 0;
    char tail[TOOL_NAME], number[16] = "";

    if (front == 0 || front > n || memcmp(name, stem, front) != 0)
        front = n;
    if (copy > 1)
        snprintf(number, sizeof number, " (%u)", copy);
    snprintf(tail, sizeof tail, "%.*s%s%s", (int) (n - front), name + front, number, extension);
    text_for_message(name, front, out, TOOL_NAME - strlen(tail));
    snprintf(out + strlen(out), TOOL_NAME - strlen(out), "%s", tail);
}

static void make_unique(const struct tool_run *run, const char *name, char out[static TOOL_NAME])
{
    struct known_name *own, *found;

    write_name(run->stem, name, 1, out);
    own = known(run->result, out);
    /* The count continues for further equal names: ten thousand of them stay cheap. */
    for (found = own; found->taken; found = known(run->result, out))
        write_name(run->stem, name, ++own->copies + 1, out);
    found->taken = true;
}

static int open_entry(struct tool_result *result, const char *name, bool large, struct err *err)
{
    time_t now = time(NULL);
    struct tm tm;
    zip_fileinfo info = { 0 };

    gmtime_r(&now, &tm);
    info.dosDate = (unsigned long) (tm.tm_year - 80) << 25 | (unsigned long) (tm.tm_mon + 1) << 21 |
                   (unsigned long) tm.tm_mday << 16 | (unsigned long) tm.tm_hour << 11 |
                   (unsigned long) tm.tm_min << 5 | (unsigned long) tm.tm_sec / 2;
    info.external_fa = 0100644ul << 16;
    /* APPNOTE.TXT 4.4.4: bit 11 says the name is UTF-8; 4.4.2: made on Unix, version 2.0. */
    if (zipOpenNewFileInZip4_64(result->zip, name, &info, NULL, 0, NULL, 0, NULL, 0, 0, 0, -15, 8,
                                0, NULL, 0, 3 << 8 | 20, 1 << 11, large) != ZIP_OK)
        return err_sys(err, "write the ZIP file");
    return 0;
}

int tool_part_done(struct tool_run *run, const char *name, size_t pages, struct err *err)
{
    struct tool_result *result = run->result;
    struct tool_output output = { .pages = pages };
    char unique[TOOL_NAME];
    struct stat st;

    if (!result->zip && start_zip(result, err) < 0)
        return -1;
    if (result->n_parts == TOOL_PARTS)
        return err_set(err, ERR_LIMIT_EXCEEDED, "the result would have more than %d parts",
                       TOOL_PARTS);
    make_unique(run, name, unique);
    output.name = unique;
    if (fstat(result->scratch, &st) < 0)
        return err_sys(err, "scratch file");
    if (open_entry(result, unique, st.st_size >= 0xfffff000, err) < 0)
        return -1;
    /* The entry's header has been written, and no data yet: the part begins here. */
    output.offset = (int64_t) lseek(result->output, 0, SEEK_CUR);
    if (digest_file(result->scratch, result->zip, result->sink.no_digests, &output, err) < 0)
        return -1;
    if (zipCloseFileInZip(result->zip) != ZIP_OK)
        return err_sys(err, "write the ZIP file");
    if (++result->n_parts == 1) {
        snprintf(result->first_name, sizeof result->first_name, "%s", unique);
        result->first = output;
        result->first.name = result->first_name;
        return 0;
    }
    if (result->n_parts == 2 && result->sink.output(result->sink.arg, &result->first, err) < 0)
        return -1;
    return result->sink.output(result->sink.arg, &output, err);
}

/* Decides by the file name's extension. */
static bool is_of_kind(const char *name, const char *kind)
{
    const char *dot = strrchr(name, '.'), *extension = file_kind_extension(kind);

    return dot && extension && strcmp(dot + 1, extension) == 0;
}

int tool_parts_done(struct tool_run *run, struct err *err)
{
    struct tool_result *result = run->result;
    zipFile zip = result->zip;

    if (result->n_parts == 0)
        return err_set(err, ERR_INTERNAL, "the result has no parts");
    result->zip = NULL;
    if (zipClose(zip, NULL) != ZIP_OK)
        return err_sys(err, "write the ZIP file");
    if (result->n_parts > 1 || !is_of_kind(result->first_name, result->tool->gives)) {
        result->kind = "zip";
        return result->n_parts > 1 ? 0 : result->sink.output(result->sink.arg, &result->first, err);
    }
    result->first.name = "";
    result->first.offset = 0;
    if (ftruncate(result->output, 0) < 0 || lseek(result->output, 0, SEEK_SET) < 0)
        return err_sys(err, "output file");
    if (fdio_copy(result->scratch, 0, result->first.bytes, result->output, err) < 0 ||
        result->sink.output(result->sink.arg, &result->first, err) < 0)
        return -1;
    result->kind = result->tool->gives;
    return 0;
}
