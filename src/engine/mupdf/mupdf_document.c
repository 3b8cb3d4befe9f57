#include "engine/mupdf/mupdf_document.h"

#include <stdlib.h>
#include <string.h>

#include "base/buf.h"
#include "declare/value/password.h"
#include "engine/mupdf/engine.h"
#include "engine/mupdf/xref_widths.h"
#include "pdf/document/recovery.h"

#define MANY_PAGES 1000

static int read_file(struct mupdf_document *doc, const char *path, struct err *err)
{
    fz_context *ctx = doc->ctx;
    fz_stream *stream = NULL;

    if (!doc->memory && !doc->looked_at && !xref_widths_are_sane(path))
        return err_set(err, ERR_CORRUPT_FILE, "the document's cross-reference table is damaged");

    fz_var(stream);
    fz_try(ctx)
    {
        if (doc->memory) {
            stream = fz_open_memory(ctx, (const unsigned char *) doc->memory, doc->memory_n);
            doc->pdf = pdf_open_document_with_stream(ctx, stream);
        } else {
            doc->pdf = pdf_open_document(ctx, path);
        }
    }
    fz_always(ctx)
    {
        fz_drop_stream(ctx, stream);
    }
    fz_catch(ctx)
    {
        if (strstr(fz_caught_message(ctx), "ncryption"))
            return err_set(err, ERR_UNSUPPORTED_CONTENT,
                           "the document is encrypted in a way that takes more than a password, "
                           "such as a certificate: remove the encryption first");
        engine_caught(ctx, "the document", err);
        if (err->code == ERR_CORRUPT_FILE)
            err_set(err, ERR_CORRUPT_FILE, "the document is damaged beyond repair");
        return -1;
    }
    return 0;
}

/* Returns 1 if the password is wrong. */
static int try_text(struct mupdf_document *doc, const char *text)
{
    fz_context *ctx = doc->ctx;
    int fits = 0;

    fz_var(fits);
    fz_try(ctx)
    {
        fits = pdf_authenticate_password(ctx, doc->pdf, text);
    }
    fz_catch(ctx)
    {
        fits = 0;
    }
    return fits ? 0 : 1;
}

/* MuPDF accepts text and converts it to PDFDocEncoding for the old handlers: finds the text that
 * becomes the bytes of `form`. */
static void as_text(const char *form, struct buf *text)
{
    for (const unsigned char *p = (const unsigned char *) form; *p; p++) {
        char utf8[FZ_UTFMAX];
        int n = fz_runetochar(utf8, fz_unicode_from_pdf_doc_encoding[*p]);

        buf_put(text, utf8, (size_t) n);
    }
}

static int try_form(struct mupdf_document *doc, const char *form)
{
    AUTO_BUF struct buf text = BUF_EMPTY;

    if (try_text(doc, form) == 0)
        return 0;
    as_text(form, &text);
    int tried = text.failed ? 1 : try_text(doc, buf_text(&text));
    if (text.data)
        explicit_bzero(text.data, text.len);
    return tried;
}

static int authenticate(struct mupdf_document *doc, const char *given, struct err *err)
{
    AUTO_PASSWORD_FORMS struct password_forms forms = { 0 };

    if (!pdf_needs_password(doc->ctx, doc->pdf))
        return 0;
    if (!*given)
        return err_set(err, ERR_PASSWORD_REQUIRED, "the document is encrypted: give its password");
    if (password_forms(given, &forms, err) < 0)
        return -1;
    for (size_t i = 0; i < forms.n; i++)
        if (try_form(doc, forms.forms[i]) == 0)
            return 0;
    return err_set(err, ERR_WRONG_PASSWORD, "the password does not open this document");
}

/* False: the damage of the file makes MuPDF begin to repair it, or fail, where a page is read. */
static bool count_found(struct mupdf_document *doc)
{
    fz_context *ctx = doc->ctx;
    int repaired = pdf_was_repaired(ctx, doc->pdf);

    fz_try(ctx)
    {
        page_count(ctx, doc->pdf, MUPDF_DOCUMENT_PAGES, &doc->count);
    }
    fz_catch(ctx)
    {
        return false;
    }
    return pdf_was_repaired(ctx, doc->pdf) == repaired;
}

static int count_believed(struct mupdf_document *doc, struct err *err)
{
    fz_context *ctx = doc->ctx;
    int n = 0;

    fz_var(n);
    fz_try(ctx)
    {
        n = pdf_count_pages(ctx, doc->pdf);
    }
    fz_catch(ctx)
    {
        return engine_caught(ctx, "the list of pages", err);
    }
    doc->count.pages = n < 0 ? 0 : (size_t) n;
    return 0;
}

static int set_count(struct mupdf_document *doc, struct err *err)
{
    fz_context *ctx = doc->ctx;

    doc->n_pages = doc->count.pages;
    if (doc->n_pages == 0)
        return err_set(err, ERR_CORRUPT_FILE, "the document has no pages");
    if (doc->n_pages > MUPDF_DOCUMENT_PAGES)
        return err_set(err, ERR_LIMIT_EXCEEDED, "the document has more than %d pages",
                       MUPDF_DOCUMENT_PAGES);
    /* Without the map, MuPDF searches each page from the root. Of a damaged tree it finds the
     * pages before the damage. (MuPDF 1.21 loses a few objects here.) */
    if (doc->n_pages < MANY_PAGES)
        return 0;
    fz_try(ctx)
    {
        pdf_load_page_tree(ctx, doc->pdf);
        doc->mapped = true;
    }
    fz_catch(ctx)
    {
        doc->mapped = false;
    }
    return 0;
}

static void close_pdf(struct mupdf_document *doc)
{
    if (!doc->ctx || !doc->pdf)
        return;
    page_count_free(doc->ctx, &doc->count);
    if (doc->mapped)
        pdf_drop_page_tree(doc->ctx, doc->pdf);
    pdf_drop_document(doc->ctx, doc->pdf);
    doc->pdf = NULL;
    doc->mapped = false;
}

static int read_it(struct mupdf_document *doc, const char *path, const char *password,
                   struct err *err)
{
    return read_file(doc, path, err) < 0 ? -1 : authenticate(doc, password ? password : "", err);
}

/* A repair that begins in the middle loses objects: in that case the pages before it are read
 * first. */
static int count_pages(struct mupdf_document *doc, const char *path, const char *password,
                       struct err *err)
{
    if (count_found(doc))
        return 0;
    close_pdf(doc);
    return read_it(doc, path, password, err) < 0 ? -1 : count_believed(doc, err);
}

static int open_it(struct mupdf_document *doc, const char *path, const char *password,
                   struct err *err)
{
    if (read_it(doc, path, password, err) < 0 || count_pages(doc, path, password, err) < 0 ||
        set_count(doc, err) < 0) {
        mupdf_document_close(doc);
        return -1;
    }
    return 0;
}

/* Opens the newest whole revision of a file whose last update is cut. 0: nothing is cut. */
static int open_newest(struct mupdf_document *doc, const char *path, const char *password,
                       struct err *err)
{
    AUTO_BUF struct buf newest = BUF_EMPTY;
    struct mupdf_document other = { .run = doc->run, .ctx = doc->ctx, .recovered = true };

    if (recovery_newest(path, password ? password : "", &newest, &other.update, err) < 0)
        return -1;
    if (other.update == UPDATE_WHOLE)
        return 0;
    other.memory_n = newest.len;
    other.memory = buf_take(&newest);
    if (!other.memory)
        return engine_no_memory(err);
    if (open_it(&other, path, password, err) < 0)
        return err->code == ERR_CORRUPT_FILE ? 0 : -1;
    *doc = other;
    return 1;
}

int mupdf_document_open_as_is(struct mupdf_document *doc, const char *path, const char *password,
                              struct tool_run *run, struct err *err)
{
    int opened;

    *doc = (struct mupdf_document){ .run = run, .ctx = engine_context(err) };
    engine_watch_memory(run->memory_refused);
    if (!doc->ctx)
        return -1;
    opened = open_newest(doc, path, password, err);
    return opened == 0 ? open_it(doc, path, password, err) : opened < 0 ? -1 : 0;
}

/* Opens the salvaged file instead, if it has more pages than `doc` (not open: no pages). */
static int recover(struct mupdf_document *doc, const char *path, const char *password, int opened,
                   struct err *err)
{
    AUTO_BUF struct buf salvaged = BUF_EMPTY;
    struct mupdf_document other = { .run = doc->run, .ctx = doc->ctx, .recovered = true };
    struct salvage_report report;
    struct err failure;

    if (recovery_salvage(path, password, &salvaged, &report, &failure) < 0) {
        if (opened < 0 &&
            (failure.code == ERR_PASSWORD_REQUIRED || failure.code == ERR_WRONG_PASSWORD))
            *err = failure;
        return opened;
    }
    other.memory_n = salvaged.len;
    other.memory = buf_take(&salvaged);
    if (!other.memory || open_it(&other, path, password, &failure) < 0) {
        if (opened < 0 && failure.code != ERR_INTERNAL)
            *err = failure;
        return opened;
    }
    if (opened == 0 && other.n_pages <= doc->n_pages && !recovery_must_salvage(&report)) {
        /* A listed object of another kind may be read as an empty page. */
        if (doc->n_pages <= other.n_pages + report.lost_pages)
            doc->lost_pages = report.lost_pages;
        mupdf_document_close(&other);
        return 0;
    }
    other.lost_pages = report.lost_pages;
    other.update = report.documents > 1 ? UPDATE_DOCUMENTS : UPDATE_WHOLE;
    mupdf_document_close(doc);
    *doc = other;
    return 0;
}

static bool was_repaired(const struct mupdf_document *doc)
{
    return doc->count.mended || pdf_was_repaired(doc->ctx, doc->pdf);
}

int mupdf_document_open(struct mupdf_document *doc, const char *path, const char *password,
                        struct tool_run *run, struct err *err)
{
    int opened = mupdf_document_open_as_is(doc, path, password, run, err);

    if (doc->ctx && (opened < 0 ? err->code == ERR_CORRUPT_FILE
                                : doc->update == UPDATE_WHOLE && was_repaired(doc)))
        opened = recover(doc, path, password, opened, err);
    if (opened == 0)
        mupdf_document_warn(doc);
    return opened;
}

int mupdf_document_open_again(struct mupdf_document *doc, fz_context *ctx,
                              const struct mupdf_document *other, const char *path,
                              const char *password, struct err *err)
{
    *doc = (struct mupdf_document){ .ctx = ctx,
                                    .memory = other->memory,
                                    .memory_n = other->memory_n,
                                    .lent = true,
                                    .recovered = other->recovered,
                                    .looked_at = true };
    return open_it(doc, path, password, err);
}

int mupdf_document_save(struct mupdf_document *doc, const char *path, struct err *err)
{
    fz_context *ctx = doc->ctx;
    pdf_write_options options = pdf_default_write_options;

    options.do_garbage = 1;
    fz_try(ctx)
    {
        pdf_save_document(ctx, doc->pdf, path, &options);
    }
    fz_catch(ctx)
    {
        return engine_caught(ctx, "the document", err);
    }
    return 0;
}

void mupdf_document_close(struct mupdf_document *doc)
{
    close_pdf(doc);
    if (!doc->lent)
        free(doc->memory);
    doc->memory = NULL;
}

void mupdf_document_warn(struct mupdf_document *doc)
{
    if (doc->run && (doc->recovered || was_repaired(doc)))
        tool_warn(doc->run, "repaired",
                  "the document was damaged and has been repaired as far as possible");
    update_state_warn(doc->run, doc->update);
    if (doc->run && doc->lost_pages)
        tool_warn(doc->run, "pages_lost", "pages of the document could not be recovered: %zu",
                  doc->lost_pages);
}

void mupdf_document_trim(struct mupdf_document *doc)
{
    fz_context *ctx = doc->ctx;

    fz_try(ctx)
    {
        pdf_clear_xref(ctx, doc->pdf);
    }
    fz_catch(ctx)
    {
        return;
    } /* on failure, the objects stay */
}

/* Copies text, cut to `cap` bytes at the end of a character. */
static void copy_text(const char *text, char *out, size_t cap)
{
    size_t n = strlen(text);

    if (n >= cap)
        for (n = cap - 1; n > 0 && ((unsigned char) text[n] & 0xc0) == 0x80;)
            n--;
    memcpy(out, text, n);
    out[n] = '\0';
}

void mupdf_document_describe(struct mupdf_document *doc, char *title, size_t title_cap,
                             char *language, size_t language_cap)
{
    fz_context *ctx = doc->ctx;

    *title = *language = '\0';
    fz_try(ctx)
    {
        pdf_obj *trailer = pdf_trailer(ctx, doc->pdf);
        pdf_obj *info = pdf_dict_get(ctx, trailer, PDF_NAME(Info));
        pdf_obj *root = pdf_dict_get(ctx, trailer, PDF_NAME(Root));

        copy_text(pdf_dict_get_text_string(ctx, info, PDF_NAME(Title)), title, title_cap);
        copy_text(pdf_dict_get_text_string(ctx, root, PDF_NAME(Lang)), language, language_cap);
    }
    fz_catch(ctx)
    {
        /* A document without a title is valid. */
    }
}
