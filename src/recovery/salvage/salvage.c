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
#include "recovery/salvage/file_hints.h"
#include "recovery/salvage/placeholders.h"
#include "recovery/salvage/promote_inline_objects.h"
#include "recovery/salvage/repair_streams.h"
#include "recovery/salvage/sureness.h"
#include "recovery/undo/undo.h"

#define DOCUMENTS 16 /* one after the other in a file, of which one is chosen */

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

/* Whether a document is whole but for its cross-reference table. */
static bool lacks_only_table(const struct salvage_report *report)
{
    return report->lost_pages == 0 && !report->tree_rebuilt && !report->catalog_rebuilt &&
           !report->cut;
}

static void note_pages(const struct objects *objects, const struct pages *pages, size_t listed,
                       size_t stated, struct salvage_report *report)
{
    report->pages = pages->n;
    /* Content that no page names is likely that of a page that was lost. */
    report->lost_pages = pages->lost > pages->n - listed ? pages->lost - (pages->n - listed) : 0;
    if (stated > pages->n + report->lost_pages)
        report->lost_pages = stated - pages->n;
    report->objects = objects->n;
    report->dangling = count_dangling(objects);
    report->duplicates = count_duplicates(objects);
}

/* Salvages the one document whose objects were found. */
static int salvage_objects(struct objects *objects, const struct salvage_lock *lock,
                           struct buf *out, struct salvage_report *report, struct err *err)
{
    AUTO_PAGES struct pages pages = { 0 };
    AUTO_FREE unsigned char *sure = NULL;
    struct mended mended = { 0 };
    size_t listed, numbers, stated = file_hints_pages(objects);
    int sealed = 0;

    report->encrypted = is_encrypted(objects);
    if (report->encrypted)
        sealed = read_encrypted(objects, lock, err);
    objects->sealed = sealed > 0;
    if (sealed < 0 || (!sealed && packed_open(objects, err) < 0))
        return -1;
    if (objects_number_rest(objects, err) < 0 ||
        (!sealed && promote_inline_objects(objects, err) < 0) ||
        pages_find(objects, &pages, err) < 0)
        return -1;
    report->tree_rebuilt = !pages.intact;
    report->catalog_rebuilt = pages.catalog == 0;
    report->missing = count_dangling(objects);
    listed = pages.n;
    if (!sealed && (page_mend_contents(objects, &pages, &report->wrong_contents, err) < 0 ||
                    repair_streams(objects, &pages, &mended, err) < 0))
        return -1;
    numbers = objects->numbers;
    sure = malloc(numbers + 1);
    if (!sure)
        return err_set(err, ERR_LIMIT_EXCEEDED, "the document needs too much memory");
    sureness_find(objects, &pages, sure);
    if (!sealed &&
        (placeholders_add(objects, &pages, err) < 0 || page_mend_scans(objects, &pages, err) < 0))
        return -1;
    if (pages.n == 0)
        return err_set(err, ERR_CORRUPT_FILE, "no page is left in the document");
    report->mended_streams = mended.streams;
    report->restored_streams = mended.restored;
    note_pages(objects, &pages, listed, stated, report);
    for (size_t i = 0; i < pages.n && i < SALVAGE_PAGES; i++)
        report->sure[i] =
            pages.numbers[i] < numbers ? sure[pages.numbers[i]] : (unsigned char) SALVAGE_GUESSED;
    if (rebuild_frame(objects, &pages, err) < 0)
        return -1;
    return write_document(objects, &pages, lock, out, err);
}

/* A file of one or, up to `documents`, several documents one after the other. */
struct bytes {
    const unsigned char *data;
    size_t n;
    int documents;
};

static int salvage_bytes(struct bytes file, const struct salvage_lock *lock, struct buf *out,
                         struct salvage_report *report, struct err *err);

/* Of documents one after the other, the last one that is whole. False: none of them is; then they
 * are treated as one damaged document. */
static bool salvage_one_of(struct bytes file, size_t second, const struct salvage_lock *lock,
                           struct buf *out, struct salvage_report *report)
{
    const struct bytes parts[] = {
        { file.data + second, file.n - second, file.documents - 1 },
        { file.data, second, 1 },
    };

    for (size_t i = 0; i < COUNT(parts); i++) {
        struct salvage_report part = { 0 };
        struct err ignored;

        out->len = 0;
        if (salvage_bytes(parts[i], lock, out, &part, &ignored) < 0 || !lacks_only_table(&part))
            continue;
        part.documents++;
        part.unwrapped = report->unwrapped;
        part.text_mode = report->text_mode;
        *report = part;
        return true;
    }
    out->len = 0;
    return false;
}

static int salvage_bytes(struct bytes file, const struct salvage_lock *lock, struct buf *out,
                         struct salvage_report *report, struct err *err)
{
    AUTO_OBJECTS struct objects objects = { 0 };
    size_t second;

    if (scan_objects(&objects, file.data, file.n, err) < 0)
        return -1;
    packed_trailers(&objects);
    second = file.documents > 1 ? file_hints_second(&objects) : 0;
    if (second && salvage_one_of(file, second, lock, out, report))
        return 0;
    report->documents = 1;
    report->attached = objects.attached;
    report->cut = objects.cut;
    return salvage_objects(&objects, lock, out, report, err);
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
    return salvage_bytes((struct bytes){ data, n, DOCUMENTS }, lock, out, report, err);
}

int salvage_undone(const void *data, size_t n, const struct salvage_lock *lock, struct buf *out,
                   struct salvage_report *report, struct err *err)
{
    *report = (struct salvage_report){ 0 };
    return salvage_bytes((struct bytes){ data, n, DOCUMENTS }, lock, out, report, err);
}
