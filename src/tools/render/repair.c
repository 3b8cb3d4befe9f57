/*
 * repair: a damaged document made whole again, as far as that goes.
 *
 * First what was done to the whole file is undone. If the file is sound then, it is the result. If
 * salvage misses nothing, only the table is new. Else several ways are tried
 * (engine/repair/candidates.h).
 */
#include <fcntl.h>
#include <sys/stat.h>

#include "base/fdio.h"
#include "base/scope.h"
#include "declare/tool/tool.h"
#include "engine/repair/page_report.h"
#include "pdf/document/hints.h"
#include "pdf/document/recovery.h"

struct params {
    const char *inputPassword;
};

static const struct param params[] = {
    SECRET(struct params, inputPassword, "The password that opens the document.", .max = 1000),
};

struct repair {
    struct tool_run *run;
    const char *password;
    const char *candidate; /* path of what is tried */
    const char *input;     /* path of what is repaired: the output's if something was undone */
    /* something was done to the whole file and has been undone, or its last update is cut */
    bool is_undone;
    struct undo_report undone; /* what that was */
    enum update_state update;
    struct salvaged salvaged;
    struct ways ways;
    struct candidates candidates;
    size_t n_pages; /* of the result */
};

static void repair_free(struct repair *r)
{
    salvaged_free(&r->salvaged);
    candidates_free(&r->candidates);
}

static int write_output(const struct repair *r, const struct buf *bytes, struct err *err)
{
    AUTO_CLOSE int out = open(r->run->output, O_WRONLY | O_TRUNC | O_CLOEXEC);

    return out < 0 ? err_sys(err, "write the result")
                   : fdio_write(out, bytes->data, bytes->len, err);
}

/* Once, before anything else. */
static int undo_first(struct repair *r, struct err *err)
{
    AUTO_BUF struct buf before = BUF_EMPTY;
    int undone = recovery_undo(r->input, &before, &r->undone, err);

    if (undone <= 0)
        return undone;
    if (write_output(r, &before, err) < 0)
        return -1;
    r->is_undone = true;
    r->input = r->run->output;
    return 0;
}

/* A document of which something was rebuilt is written by qpdf, which packs its objects. */
static int write_newest(struct repair *r, struct buf *bytes, struct err *err)
{
    AUTO_PDF_DOC struct pdf_doc doc = { 0 };

    if (r->update == UPDATE_LEFT_OUT)
        return write_output(r, bytes, err);
    return pdf_doc_open_memory(&doc, bytes, r->password, err) < 0
               ? -1
               : pdf_doc_save(&doc, r->run->output, NULL, err);
}

/* Takes the newest whole revision of a file whose last update is cut, as all tools do. */
static int use_newest(struct repair *r, struct err *err)
{
    AUTO_BUF struct buf newest = BUF_EMPTY;

    if (recovery_newest(r->input, r->password, &newest, &r->update, err) < 0)
        return -1;
    if (r->update == UPDATE_WHOLE)
        return 0;
    if (write_newest(r, &newest, err) < 0)
        return -1;
    r->is_undone = true;
    r->input = r->run->output;
    return 0;
}

static int copy_file(const char *from, const char *to, struct err *err)
{
    AUTO_CLOSE int in = open(from, O_RDONLY | O_CLOEXEC);
    AUTO_CLOSE int out = open(to, O_WRONLY | O_TRUNC | O_CLOEXEC);
    off_t n = in < 0 ? -1 : lseek(in, 0, SEEK_END);

    if (in < 0 || out < 0 || n < 0)
        return err_sys(err, "copy");
    return fdio_copy(in, 0, n, out, err);
}

/* Whether what salvage made is not much larger than the file, whose objects may have been packed
 * into streams. */
static bool is_compact(const struct repair *r)
{
    struct stat st;

    return stat(r->input, &st) == 0 &&
           (int64_t) r->salvaged.bytes.len <= (int64_t) st.st_size + st.st_size / 20 + 4096;
}

/* The objects byte for byte as they were, with a new table. False: it is not sound, for example
 * because a dictionary has a key twice. */
static bool write_salvaged(struct repair *r)
{
    AUTO_CLOSE int out = open(r->candidate, O_WRONLY | O_TRUNC | O_CLOEXEC);
    AUTO_PDF_DOC struct pdf_doc doc = { 0 };
    struct err ignored;

    return out >= 0 &&
           fdio_write(out, r->salvaged.bytes.data, r->salvaged.bytes.len, &ignored) == 0 &&
           pdf_doc_open_strict(&doc, r->candidate, r->password, &ignored) == 0 &&
           doc.n_pages == r->salvaged.report.pages && pdf_doc_is_sound(&doc) &&
           copy_file(r->candidate, r->run->output, &ignored) == 0;
}

/* 1: done. 0: what salvage made is not sound either, and is lost. */
static int repair_table(struct repair *r, struct err *err)
{
    AUTO_PDF_DOC struct pdf_doc doc = { 0 };
    struct err unsound;

    if (is_compact(r) && write_salvaged(r)) {
        r->n_pages = r->salvaged.report.pages;
        return 1;
    }
    if (salvaged_open(&r->salvaged, &doc, &unsound) < 0 || doc.n_pages != r->salvaged.report.pages)
        return 0;
    r->n_pages = doc.n_pages;
    return pdf_doc_save(&doc, r->run->output, NULL, err) < 0 ? -1 : 1;
}

static int choose(struct repair *r, struct err *err)
{
    r->ways = (struct ways){ .run = r->run,
                             .salvaged = &r->salvaged,
                             .password = r->password,
                             .received = r->run->inputs[0].path,
                             .undone = r->input,
                             .candidate = r->candidate };
    r->candidates.ways = &r->ways;
    if (candidates_choose(&r->candidates, err) < 0)
        return -1;
    r->n_pages = r->candidates.best.pages;
    return write_output(r, &r->candidates.kept, err);
}

static void report_repair(const struct repair *r)
{
    const struct {
        const char *name;
        size_t value;
        bool of_look; /* known only of pages that were looked at */
    } figures[] = {
        { "pagesRecovered", r->n_pages },
        { "pagesWithContent", r->candidates.best.inked, true },
        { "pagesLost", r->salvaged.report.lost_pages },
        { "pagesCombined", r->candidates.joined },
        { "words", r->candidates.best.words, true },
        { "objectsFound", r->salvaged.report.objects },
        { "streamsDamaged", r->salvaged.report.mended_streams },
        { "streamsRestored", r->salvaged.report.restored_streams },
        { "pageTreeRebuilt", r->salvaged.report.tree_rebuilt },
        { "catalogRebuilt", r->salvaged.report.catalog_rebuilt },
        { "objectsMissing", r->salvaged.report.dangling },
        { "textModeUndone", r->undone.text_mode },
        { "unwrapped", r->undone.unwrapped },
    };

    for (size_t i = 0; i < COUNT(figures); i++)
        if (r->candidates.found || !figures[i].of_look)
            tool_figure(r->run, figures[i].name, (int64_t) figures[i].value);
    tool_warn(r->run, "repaired",
              "the document was damaged and has been repaired as far as possible");
    update_state_warn(r->run, r->salvaged.report.documents > 1 ? UPDATE_DOCUMENTS : r->update);
    page_report(r->run, r->n_pages, &r->salvaged, &r->candidates);
    if (r->undone.unwrapped)
        tool_warn(
            r->run, "unwrapped",
            "the document was wrapped or encoded, as in mails and transfers: that was undone");
    if (r->undone.text_mode)
        tool_warn(
            r->run, "text_mode_undone",
            "a program had taken the document for text and changed its bytes: that was undone");
    if (r->salvaged.report.tree_rebuilt)
        tool_warn(r->run, "page_tree_rebuilt",
                  "the list of pages was damaged: the pages were recognised by their form");
    if (r->salvaged.report.lost_pages)
        tool_warn(r->run, "pages_lost", "pages of the document could not be recovered: %zu",
                  r->salvaged.report.lost_pages);
    if (r->salvaged.report.mended_streams > r->salvaged.report.restored_streams)
        tool_warn(
            r->run, "content_damaged",
            "%zu of the document's streams were damaged: parts of what they hold may be missing",
            r->salvaged.report.mended_streams - r->salvaged.report.restored_streams);
}

/* qpdf passes packed data on without looking at it, overlooks wrong check sums, and takes content
 * that is not a stream for an empty page. */
static bool streams_are_sound(struct repair *r)
{
    struct err ignored;

    return salvaged_find(&r->salvaged, &ignored) < 0 ||
           (r->salvaged.report.mended_streams == 0 && r->salvaged.report.wrong_contents == 0);
}

/* A wrong count of objects, or wrong tables for reading piece by piece, are harmless in most
 * readers: not worth the signatures of a document. */
static bool has_wrong_tables(struct pdf_doc *doc, const char *path)
{
    return !doc->signed_ && (doc->miscounted || hints_are_wrong(doc, path));
}

/* 1: there is nothing to repair. */
static int is_sound(struct repair *r, size_t *pages, struct err *err)
{
    AUTO_PDF_DOC struct pdf_doc doc = { 0 };
    const char *path = r->input;

    int opened = pdf_doc_open_strict(&doc, path, r->password, err);

    /* A table that cannot be decoded is reported as unsupported by qpdf, like an encryption by
     * certificates. */
    if (opened < 0 && err->code == ERR_UNSUPPORTED_CONTENT)
        opened = pdf_doc_open_as_is(&doc, path, r->password, err);
    if (opened < 0)
        return err->code == ERR_CORRUPT_FILE ? 0 : -1;
    *pages = doc.n_pages;
    return pdf_doc_is_sound(&doc) && !has_wrong_tables(&doc, path) && streams_are_sound(r);
}

static int run(struct tool_run *run, const void *values, struct err *err)
{
    const struct params *p = values;
    __attribute__((cleanup(repair_free))) struct repair r = { .run = run,
                                                              .password = p->inputPassword,
                                                              .candidate = tool_part(run),
                                                              .input = run->inputs[0].path };
    size_t pages = 0;
    int sound, done;

    if (undo_first(&r, err) < 0 || use_newest(&r, err) < 0)
        return -1;
    r.salvaged.input = r.input;
    r.salvaged.password = r.password;
    sound = is_sound(&r, &pages, err);
    if (sound < 0)
        return -1;
    if (sound > 0) {
        if (!r.is_undone && copy_file(r.input, run->output, err) < 0)
            return -1;
        r.n_pages = pages;
        if (r.is_undone)
            report_repair(&r);
        else
            tool_warn(run, "nothing_to_repair",
                      "the document is not damaged: it is returned unchanged");
        return tool_done(run, pages, err);
    }
    tool_progress(run, 0.2);
    done = salvaged_misses_nothing(&r.salvaged) ? repair_table(&r, err) : 0;
    if (done < 0 || (done == 0 && choose(&r, err) < 0))
        return -1;
    report_repair(&r);
    return tool_done(run, r.n_pages, err);
}

const struct tool tool_repair = {
    .name = "repair",
    .summary = "Makes a damaged PDF readable again, as far as possible.",
    .accepts = { "pdf", "text", "html", TOOL_UNKNOWN }, /* the header may be what is damaged */
    .accepts_text = "pdf",
    .gives = "pdf",
    .min_files = 1,
    .max_files = 1,
    .params = params,
    .n_params = COUNT(params),
    .params_size = sizeof(struct params),
    .run = run,
};
