#include "recovery/salvage/salvage.h"

#include <stdlib.h>
#include <string.h>

#include "base/buf.h"
#include "base/scope.h"
#include "recovery/mend/page_mend.h"
#include "recovery/objects/objects.h"
#include "recovery/objects/packed.h"
#include "recovery/objects/pages.h"
#include "recovery/objects/rebuild.h"
#include "recovery/objects/references.h"
#include "recovery/salvage/placeholders.h"
#include "recovery/salvage/promote_inline_objects.h"
#include "recovery/salvage/repair_streams.h"
#include "recovery/salvage/sureness.h"
#include "recovery/undo/undo.h"

/* By a trailer, or by the look of the encryption dictionary itself. */
static bool is_encrypted(const struct objects *objects)
{
    for (size_t i = 0; i < objects->n_trailers; i++)
        if (text_is_dict(objects_key(objects, objects_trailer(objects, i), "/Encrypt")))
            return true;
    return rebuild_encryption(objects) != 0;
}

/* Returns 1 if the document stays encrypted, and is only put in order. */
static int read_encrypted(struct objects *objects, const struct salvage_lock *lock, struct err *err)
{
    if (!rebuild_mend_encryption(objects))
        return err_set(err, ERR_LIMIT_EXCEEDED, "the document needs too much memory");
    return lock ? unlock_objects(objects, lock, err) : 1;
}

static int write_document(const struct objects *objects, const struct pages *pages,
                          const struct salvage_lock *lock, struct buf *out, struct err *err)
{
    AUTO_BUF struct buf plain = BUF_EMPTY;

    if (!objects->unlocked)
        return rebuild_write(objects, pages, out, err);
    return rebuild_write(objects, pages, &plain, err) < 0
               ? -1
               : lock->close(lock->arg, &plain, out, err);
}

static size_t count_dangling(const struct objects *objects)
{
    size_t n = 0;

    for (size_t i = 0; i < objects->n; i++)
        if (!objects->list[i].dead && !objects->list[i].unusable)
            n += references_dangling(objects, objects_text(objects, &objects->list[i]));
    return n;
}

static size_t count_duplicates(const struct objects *objects)
{
    size_t n = 0;

    for (size_t i = 0; i < objects->n; i++)
        n += objects_find(objects, objects->list[i].number) != &objects->list[i];
    return n;
}

static int salvage_bytes(const void *data, size_t n, const struct salvage_lock *lock,
                         struct buf *out, struct salvage_report *report, struct err *err)
{
    AUTO_OBJECTS struct objects objects = { 0 };
    AUTO_PAGES struct pages pages = { 0 };
    AUTO_FREE unsigned char *sure = NULL;
    struct mended mended = { 0 };
    size_t listed, numbers;
    int sealed = 0;

    if (scan_objects(&objects, data, n, err) < 0)
        return -1;
    packed_trailers(&objects);
    report->encrypted = is_encrypted(&objects);
    if (report->encrypted)
        sealed = read_encrypted(&objects, lock, err);
    objects.sealed = sealed > 0;
    if (sealed < 0 || (!sealed && packed_open(&objects, err) < 0))
        return -1;
    if (objects_number_rest(&objects, err) < 0 ||
        (!sealed && promote_inline_objects(&objects, err) < 0) ||
        pages_find(&objects, &pages, err) < 0)
        return -1;
    report->tree_rebuilt = !pages.intact;
    report->catalog_rebuilt = pages.catalog == 0;
    listed = pages.n;
    if (!sealed && (page_mend_contents(&objects, &pages, err) < 0 ||
                    repair_streams(&objects, &pages, &mended, err) < 0))
        return -1;
    numbers = objects.numbers;
    sure = malloc(numbers + 1);
    if (!sure)
        return err_set(err, ERR_LIMIT_EXCEEDED, "the document needs too much memory");
    sureness_find(&objects, &pages, sure);
    if (!sealed &&
        (placeholders_add(&objects, &pages, err) < 0 || page_mend_scans(&objects, &pages, err) < 0))
        return -1;
    if (pages.n == 0)
        return err_set(err, ERR_CORRUPT_FILE, "no page is left in the document");
    report->objects = objects.n;
    report->pages = pages.n;
    /* Content that no page names is likely that of a page that was lost. */
    report->lost_pages = pages.lost > pages.n - listed ? pages.lost - (pages.n - listed) : 0;
    report->mended_streams = mended.streams;
    report->restored_streams = mended.restored;
    report->dangling = count_dangling(&objects);
    report->duplicates = count_duplicates(&objects);
    for (size_t i = 0; i < pages.n && i < SALVAGE_PAGES; i++)
        report->sure[i] =
            pages.numbers[i] < numbers ? sure[pages.numbers[i]] : (unsigned char) SALVAGE_GUESSED;
    if (rebuild_frame(&objects, &pages, err) < 0)
        return -1;
    return write_document(&objects, &pages, lock, out, err);
}

int salvage_file(const void *data, size_t n, const struct salvage_lock *lock, struct buf *out,
                 struct salvage_report *report, struct err *err)
{
    AUTO_BUF struct buf before = BUF_EMPTY;
    struct undo_report undone;

    *report = (struct salvage_report){ 0 };
    if (undo_file(data, n, SALVAGE_BYTES, &before, &undone)) {
        report->unwrapped = undone.unwrapped;
        report->text_mode = undone.text_mode;
        data = before.data;
        n = before.len;
    }
    return salvage_bytes(data, n, lock, out, report, err);
}

int salvage_undone(const void *data, size_t n, const struct salvage_lock *lock, struct buf *out,
                   struct salvage_report *report, struct err *err)
{
    *report = (struct salvage_report){ 0 };
    return salvage_bytes(data, n, lock, out, report, err);
}
