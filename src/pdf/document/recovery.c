#include "pdf/document/recovery.h"

#include <fcntl.h>
#include <stdlib.h>
#include <sys/mman.h>
#include <sys/stat.h>

#include "base/fdio.h"
#include "base/scope.h"
#include "pdf/document/lock.h"
#include "pdf/object/obj.h"
#include "recovery/salvage/cut_update.h"

#define LOOKED_AT 500 /* pages of each document that are compared */

struct mapping {
    void *data;
    size_t n;
};

static void unmap(struct mapping *mapping)
{
    if (mapping->data)
        munmap(mapping->data, mapping->n);
}

static int map_file(const char *path, struct mapping *mapping, struct err *err)
{
    AUTO_CLOSE int fd = open(path, O_RDONLY | O_CLOEXEC);
    struct stat st;
    void *data;

    if (fd < 0 || fstat(fd, &st) < 0)
        return err_sys(err, "open the input again");
    if (st.st_size == 0)
        return err_set(err, ERR_CORRUPT_FILE, "the file is empty");
    data = mmap(NULL, (size_t) st.st_size, PROT_READ, MAP_PRIVATE, fd, 0);
    if (data == MAP_FAILED)
        return pdf_doc_no_memory(err);
    *mapping = (struct mapping){ data, (size_t) st.st_size };
    return 0;
}

static int salvage_path(const char *path, const char *password, bool undone, struct buf *out,
                        struct salvage_report *report, struct err *err)
{
    __attribute__((cleanup(unmap))) struct mapping file = { 0 };
    AUTO_LOCK struct lock lock = { .password = password };
    struct salvage_lock opens = lock_of(&lock);

    if (map_file(path, &file, err) < 0)
        return -1;
    return undone ? salvage_undone(file.data, file.n, &opens, out, report, err)
                  : salvage_file(file.data, file.n, &opens, out, report, err);
}

int recovery_salvage(const char *path, const char *password, struct buf *out,
                     struct salvage_report *report, struct err *err)
{
    return salvage_path(path, password, false, out, report, err);
}

int recovery_salvage_undone(const char *path, const char *password, struct buf *out,
                            struct salvage_report *report, struct err *err)
{
    return salvage_path(path, password, true, out, report, err);
}

int recovery_undo(const char *path, struct buf *out, struct undo_report *report, struct err *err)
{
    __attribute__((cleanup(unmap))) struct mapping file = { 0 };

    if (map_file(path, &file, err) < 0)
        return -1;
    return undo_file(file.data, file.n, SALVAGE_BYTES, out, report) ? 1 : 0;
}

bool recovery_must_salvage(const struct salvage_report *report)
{
    return report->pages > 0 && (report->attached > 0 || report->documents > 1);
}

/* Reads the end of the file only, where that is enough. */
static bool may_be_cut(const char *path)
{
    AUTO_CLOSE int fd = open(path, O_RDONLY | O_CLOEXEC);
    unsigned char end[CUT_UPDATE_END];
    struct err ignored;
    struct stat st;
    ssize_t n;

    if (fd < 0 || fstat(fd, &st) < 0)
        return false;
    n = fdio_read_at(fd, end, sizeof end,
                     st.st_size > (off_t) sizeof end ? st.st_size - (off_t) sizeof end : 0,
                     &ignored);
    return n > 0 && !cut_update_is_excluded(end, (size_t) n);
}

/* Whether an update that is cut changes something to what was cut off. */
static bool misses_something(const struct mapping *file, size_t whole, const char *password,
                             const struct salvage_report *report)
{
    AUTO_LOCK struct lock lock = { .password = password };
    struct salvage_lock opens = lock_of(&lock);
    AUTO_BUF struct buf ignored = BUF_EMPTY;
    struct salvage_report before;
    struct err err;

    if (report->cut || report->lost_pages > 0)
        return true;
    if (report->missing == 0)
        return false;
    return salvage_undone(file->data, whole, &opens, &ignored, &before, &err) < 0 ||
           report->missing > before.missing;
}

int recovery_newest(const char *path, const char *password, struct buf *out,
                    enum update_state *update, struct err *err)
{
    __attribute__((cleanup(unmap))) struct mapping file = { 0 };
    AUTO_LOCK struct lock lock = { .password = password };
    struct salvage_lock opens = lock_of(&lock);
    struct salvage_report report;
    size_t whole;

    *update = UPDATE_WHOLE;
    if (!may_be_cut(path))
        return 0;
    if (map_file(path, &file, err) < 0)
        return -1;
    if (!cut_update_find(file.data, file.n, &whole))
        return 0;
    *update = UPDATE_USED;
    if (salvage_undone(file.data, file.n, &opens, out, &report, err) < 0) {
        if (err->code == ERR_PASSWORD_REQUIRED || err->code == ERR_WRONG_PASSWORD)
            return -1;
    } else if (report.documents > 1) {
        *update = UPDATE_DOCUMENTS;
        return 0;
    } else if (!misses_something(&file, whole, password, &report)) {
        return 0;
    }
    *update = UPDATE_LEFT_OUT;
    out->len = 0;
    buf_put(out, file.data, whole);
    buf_putc(out, '\n');
    return out->failed ? pdf_doc_no_memory(err) : 0;
}

int recovery_open(struct pdf_doc *doc, const char *path, const char *password,
                  struct salvage_report *report, struct err *err)
{
    AUTO_BUF struct buf salvaged = BUF_EMPTY;

    if (recovery_salvage(path, password, &salvaged, report, err) < 0)
        return -1;
    return pdf_doc_open_memory(doc, &salvaged, password, err);
}

struct richness {
    size_t pages, shown, bytes;
};

static struct richness measure_richness(struct pdf_doc *doc)
{
    struct richness richness = { .pages = doc->n_pages };

    for (size_t i = 0; i < doc->n_pages && i < LOOKED_AT; i++) {
        AUTO_OBJ struct obj page = obj_page(doc->q, i);
        unsigned char *data = NULL;
        size_t n = 0;

        if (obj_page_content(page, &data, &n) && n > 2)
            richness.shown++;
        else
            n = 0;
        richness.bytes += n;
        free(data);
    }
    return richness;
}

bool recovery_is_richer(struct pdf_doc *a, struct pdf_doc *b)
{
    struct richness x = measure_richness(a), y = measure_richness(b);

    if (x.pages != y.pages)
        return x.pages > y.pages;
    if (x.shown != y.shown)
        return x.shown > y.shown;
    return x.bytes > y.bytes + y.bytes / 50;
}
