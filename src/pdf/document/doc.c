#include "pdf/document/doc.h"

#include <fcntl.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>

#include "base/buf.h"
#include "base/fdio.h"
#include "base/scope.h"
#include "declare/value/password.h"
#include "pdf/document/crypt_filters.h"
#include "pdf/object/field_tree.h"
#include "pdf/object/flushed.h"
#include "pdf/object/obj.h"
#include "pdf/object/page_tree.h"

#define MAX_FIELDS  200000 /* looked at in search of signatures */
#define MAX_DEPTH   64
#define MAX_NUMBER  8388607    /* ISO 32000-1, Annex C */
#define WHOLE_BYTES (32 << 20) /* of a file that pdf_doc_open_whole reads at once */

int pdf_doc_no_memory(struct err *err)
{
    return err_set(err, ERR_LIMIT_EXCEEDED, "the document needs more memory than a job may use");
}

int pdf_doc_too_deep(struct err *err)
{
    return err_set(err, ERR_LIMIT_EXCEEDED, "the document's objects are nested too deeply");
}

/*
 * To take a document of many pages apart object by object takes a tenth of what a job does with it,
 * and a job's process ends soon after: the last one that was closed is only freed when another is
 * opened.
 */
static qpdf_data closed;

static void free_closed(void)
{
    if (closed)
        qpdf_cleanup(&closed);
}

static int start_doc(struct pdf_doc *doc, struct err *err)
{
    free_closed();
    doc->q = qpdf_init();
    if (!doc->q)
        return pdf_doc_no_memory(err);
    qpdf_silence_errors(doc->q);
    qpdf_set_suppress_warnings(doc->q, QPDF_TRUE);
    return 0;
}

/* qpdf would print an error that was not fetched when it is closed. */
static void discard(struct pdf_doc *doc)
{
    if (!doc->q)
        return;
    qpdf_get_error(doc->q);
    free_closed();
    closed = doc->q;
    doc->q = NULL;
}

char *pdf_doc_close_lent(struct pdf_doc *doc)
{
    char *memory = doc->borrowed ? NULL : doc->memory;

    discard(doc);
    if (doc->password) {
        explicit_bzero(doc->password, strlen(doc->password));
        free(doc->password);
    }
    *doc = (struct pdf_doc){ 0 };
    return memory;
}

void pdf_doc_close(struct pdf_doc *doc)
{
    free(pdf_doc_close_lent(doc));
}

int pdf_doc_check(struct pdf_doc *doc, const char *what, struct err *err)
{
    qpdf_error e = qpdf_get_error(doc->q);

    if (!e)
        return 0;
    switch (qpdf_get_error_code(doc->q, e)) {
    case qpdf_e_password:
        return err_set(err, ERR_WRONG_PASSWORD, "the password does not open this document");
    case qpdf_e_unsupported:
        return err_set(
            err, ERR_UNSUPPORTED_CONTENT,
            "the document is encrypted in a way that takes more than a password, such as "
            "a certificate: remove the encryption first");
    case qpdf_e_damaged_pdf:
    case qpdf_e_pages:
    case qpdf_e_object:
        return err_set(err, ERR_CORRUPT_FILE, "the document is damaged beyond repair");
    case qpdf_e_success:
    case qpdf_e_internal:
    case qpdf_e_system:
    case qpdf_e_json:
    case qpdf_e_linearization:
        break;
    }
    if (strstr(qpdf_get_error_full_text(doc->q, e), "bad_alloc"))
        return pdf_doc_no_memory(err);
    return err_set(err, ERR_INTERNAL, "%s: the PDF library failed", what);
}

/* Whether a warning is only of a key that a dictionary has twice: the last one counts for qpdf and
 * MuPDF. Where the key leads to pages, another of its values may have more of them. */
static bool is_doubled_key(const char *detail)
{
    static const char begin[] = "dictionary has duplicated key ";
    static const char *const to_pages[] = { "/Root;", "/Pages;", "/Kids;", "/Count;", "/Type;" };

    if (strncmp(detail, begin, sizeof begin - 1) != 0)
        return false;
    for (size_t i = 0; i < COUNT(to_pages); i++)
        if (strncmp(detail + sizeof begin - 1, to_pages[i], strlen(to_pages[i])) == 0)
            return false;
    return true;
}

/* Whether the data that qpdf found to have no end were flushed. */
static bool was_flushed(const struct pdf_doc *doc, qpdf_error e)
{
    long long offset = (long long) qpdf_get_error_file_position(doc->q, e);

    return doc->memory ? flushed_in(doc->memory, doc->memory_n, offset)
                       : flushed_in_file(qpdf_get_error_filename(doc->q, e), offset);
}

/* What a warning says of the document. A wrong count in the cross-reference table is common, known
 * to every reader and harmless; of all else but a lapse qpdf had to guess. */
static void note_warning(struct pdf_doc *doc, qpdf_error e)
{
    static const char loop[] = "loop detected resolving object ";
    static const char unended[] = "input stream is complete but output may still be valid";
    enum qpdf_error_code_e code = qpdf_get_error_code(doc->q, e);
    const char *detail = qpdf_get_error_message_detail(doc->q, e);

    if (strncmp(detail, loop, sizeof loop - 1) == 0)
        doc->looped = (int) strtol(detail + sizeof loop - 1, NULL, 10);
    if (code != qpdf_e_damaged_pdf && code != qpdf_e_pages)
        return;
    if (strncmp(detail, "reported number of objects", 26) == 0)
        doc->miscounted = true;
    else if (is_doubled_key(detail))
        doc->lapse = "a dictionary of the document has a key twice: the last of its values counts";
    else if (strcmp(detail, unended) == 0 && was_flushed(doc, e))
        doc->lapse = "compressed data of the document have no end, but are whole";
    else
        doc->repaired = true;
}

void pdf_doc_warn(struct pdf_doc *doc)
{
    while (qpdf_more_warnings(doc->q))
        note_warning(doc, qpdf_next_warning(doc->q));
    if (doc->looped > 0 && doc->run)
        tool_warn(doc->run, "content_damaged",
                  "object %d is missing in the result, because its length refers to itself: "
                  "use the tool repair first",
                  doc->looped);
    if (doc->repaired && doc->run)
        tool_warn(doc->run, "repaired",
                  "the document was damaged and has been repaired as far as possible");
    else if (doc->lapse && doc->run)
        tool_warn(doc->run, "repaired", "%s", doc->lapse);
    update_state_warn(doc->run, doc->update);
    if (doc->lost_pages && doc->run)
        tool_warn(doc->run, "pages_lost", "pages of the document could not be recovered: %zu",
                  doc->lost_pages);
    if (doc->signed_ && doc->run)
        tool_warn(doc->run, "signature_invalidated",
                  "the document was signed; its signatures do not hold for the changed document");
}

/* Whether a field contains the value of a signature: a usage-rights dictionary (/Perms /UR3) is
 * not a field's value and does not count. */
static bool holds_signature(struct obj fields, int depth, size_t *left)
{
    int n = obj_count(fields);

    if (depth == MAX_DEPTH)
        return false;
    for (int i = 0; i < n; i++) {
        AUTO_OBJ struct obj field = obj_item(fields, i);
        AUTO_OBJ struct obj value = obj_key(field, "/V");
        AUTO_OBJ struct obj kids = obj_key(field, "/Kids");

        if (*left == 0)
            return false;
        --*left; /* before those below are looked at, or it would wrap around zero */
        if (obj_is_dict(value) && obj_has(value, "/ByteRange"))
            return true;
        if (holds_signature(kids, depth + 1, left))
            return true;
    }
    return false;
}

/* Some readers find fields by the widgets of the pages, whether the form lists them or not. */
static bool shows_signature(const struct pdf_doc *doc, size_t *left)
{
    for (size_t i = 0; i < doc->n_pages; i++) {
        AUTO_OBJ struct obj page = obj_page(doc->q, i);
        AUTO_OBJ struct obj annots = obj_key(page, "/Annots");

        if (holds_signature(annots, 0, left))
            return true;
    }
    return false;
}

static bool is_signed(const struct pdf_doc *doc)
{
    size_t left = MAX_FIELDS;
    long long flags = 0;
    AUTO_OBJ struct obj root = obj_root(doc->q);
    AUTO_OBJ struct obj form = obj_key(root, "/AcroForm");
    AUTO_OBJ struct obj fields = obj_key(form, "/Fields");

    if (holds_signature(fields, 0, &left))
        return true;
    /* ISO 32000-2, table 225: bit 1, there are signatures. Without it no page is looked at. */
    return obj_key_int(form, "/SigFlags", &flags) && flags & 1 && shows_signature(doc, &left);
}

/* Reads the file, or what is in memory, with one form of the password. 1: it is not the one. */
static int try_password(struct pdf_doc *doc, const char *path, const char *form, struct err *err)
{
    QPDF_ERROR_CODE read;

    discard(doc);
    if (start_doc(doc, err) < 0)
        return -1;
    if (doc->strict)
        qpdf_set_attempt_recovery(doc->q, QPDF_FALSE);
    read = doc->memory ? qpdf_read_memory(doc->q, "recovered", doc->memory, doc->memory_n, form)
                       : qpdf_read(doc->q, path, form);
    if ((read & (QPDF_ERRORS)) == 0) {
        doc->password = strdup(form);
        return doc->password ? 0 : pdf_doc_no_memory(err);
    }
    pdf_doc_check(doc, "open", err);
    /* Whatever else it stumbled over, such as offsets out of this world, was in the file. */
    if (err->code == ERR_INTERNAL)
        err_set(err, ERR_CORRUPT_FILE, "the document is damaged beyond repair");
    return err->code == ERR_WRONG_PASSWORD ? 1 : -1;
}

static int try_passwords(struct pdf_doc *doc, const char *path, const char *given, struct err *err)
{
    AUTO_PASSWORD_FORMS struct password_forms forms = { 0 };
    int tried = 1;

    if (password_forms(given, &forms, err) < 0)
        return -1;
    for (size_t i = 0; tried == 1 && i < forms.n; i++)
        tried = try_password(doc, path, forms.forms[i], err);
    if (tried == 0)
        doc->password_fits = true;
    else if (tried == 1 && *given)
        tried = try_password(doc, path, "", err);
    if (tried == 1)
        return *given ? err_set(err, ERR_WRONG_PASSWORD, "the password does not open this document")
                      : err_set(err, ERR_PASSWORD_REQUIRED,
                                "the document is encrypted: give its password");
    return tried;
}

static int count_pages(struct pdf_doc *doc, struct err *err)
{
    bool mended;
    int n = page_tree_mend(doc->q, PDF_DOC_PAGES, &mended) ? qpdf_get_num_pages(doc->q)
                                                           : PDF_DOC_PAGES + 1;

    doc->repaired = mended || doc->repaired;

    if (n < 0)
        return err_set(err, ERR_CORRUPT_FILE, "the document's pages cannot be read");
    if (n == 0)
        return err_set(err, ERR_CORRUPT_FILE, "the document has no pages");
    if (n > PDF_DOC_PAGES)
        return err_set(err, ERR_LIMIT_EXCEEDED, "the document has more than %d pages",
                       PDF_DOC_PAGES);
    doc->n_pages = (size_t) n;
    return 0;
}

/* pdf_doc_open without recovery; doc->memory may hold what to read. Closed on failure. */
static int open_as_is(struct pdf_doc *doc, const char *path, const char *password, struct err *err)
{
    if (try_passwords(doc, path, password ? password : "", err) < 0 || count_pages(doc, err) < 0) {
        pdf_doc_close(doc);
        return -1;
    }
    doc->encrypted = qpdf_is_encrypted(doc->q);
    doc->opened_as_owner =
        doc->encrypted && strcmp(qpdf_get_user_password(doc->q), doc->password) != 0;
    field_tree_mend(doc->q);
    doc->signed_ = is_signed(doc);
    pdf_doc_warn(doc);
    if (doc->encrypted && crypt_filters_correct(doc, pdf_doc_next_number(doc), err) < 0) {
        pdf_doc_close(doc);
        return -1;
    }
    return 0;
}

int pdf_doc_open_as_is(struct pdf_doc *doc, const char *path, const char *password, struct err *err)
{
    *doc = (struct pdf_doc){ 0 };
    return open_as_is(doc, path, password, err);
}

/* The same, of a file that is read at once if it is not too large. */
static int open_whole(struct pdf_doc *doc, const char *path, const char *password, struct err *err)
{
    AUTO_CLOSE int fd = open(path, O_RDONLY | O_CLOEXEC);
    AUTO_BUF struct buf bytes = BUF_EMPTY;
    struct stat st;

    if (fd >= 0 && fstat(fd, &st) == 0 && st.st_size > 0 && st.st_size <= WHOLE_BYTES) {
        if (fdio_read_all(fd, WHOLE_BYTES, &bytes, err) < 0)
            return -1;
        doc->memory_n = bytes.len;
        doc->memory = buf_take(&bytes);
    }
    return open_as_is(doc, path, password, err);
}

int pdf_doc_open_strict(struct pdf_doc *doc, const char *path, const char *password,
                        struct err *err)
{
    *doc = (struct pdf_doc){ .strict = true };
    return open_whole(doc, path, password, err);
}

int pdf_doc_open_whole_as_is(struct pdf_doc *doc, const char *path, const char *password,
                             struct err *err)
{
    *doc = (struct pdf_doc){ 0 };
    return open_whole(doc, path, password, err);
}

int pdf_doc_open_memory(struct pdf_doc *doc, struct buf *memory, const char *password,
                        struct err *err)
{
    *doc = (struct pdf_doc){ .repaired = true, .memory_n = memory->len };
    doc->memory = buf_take(memory);
    if (!doc->memory)
        return pdf_doc_no_memory(err);
    return open_as_is(doc, NULL, password, err);
}

int pdf_doc_open_borrowed(struct pdf_doc *doc, const char *bytes, size_t n, const char *password,
                          struct err *err)
{
    *doc =
        (struct pdf_doc){ .memory = (char *) (uintptr_t) bytes, .memory_n = n, .borrowed = true };
    return open_as_is(doc, NULL, password, err);
}

int pdf_doc_new(struct pdf_doc *doc, struct err *err)
{
    *doc = (struct pdf_doc){ 0 };
    if (start_doc(doc, err) < 0)
        return -1;
    if (qpdf_empty_pdf(doc->q) & (QPDF_ERRORS))
        return pdf_doc_check(doc, "new document", err);
    doc->password = strdup("");
    return 0;
}

/* The smallest document that has the encryption dictionary and the identifier given: the key
 * depends on nothing else (ISO 32000-2, 7.6.4.3). */
static void write_template(struct buf *out, const char *encrypt, const char *id)
{
    size_t at[4] = { 0 };
    static const char *const bodies[] = { "", "<</Type/Catalog/Pages 2 0 R>>",
                                          "<</Type/Pages/Kids[]/Count 0>>" };

    buf_puts(out, "%PDF-1.7\n");
    for (size_t i = 1; i <= 3; i++) {
        at[i] = out->len;
        buf_printf(out, "%zu 0 obj\n%s\nendobj\n", i, i < 3 ? bodies[i] : encrypt);
    }
    size_t xref = out->len;
    buf_puts(out, "xref\n0 4\n0000000000 65535 f \n");
    for (size_t i = 1; i <= 3; i++)
        buf_printf(out, "%010zu 00000 n \n", at[i]);
    buf_printf(out, "trailer\n<</Size 4/Root 1 0 R/Encrypt 3 0 R/ID%s>>\nstartxref\n%zu\n%%%%EOF\n",
               id, xref);
}

static int read_template(struct pdf_doc *doc, struct pdf_doc *source, struct err *err)
{
    AUTO_BUF struct buf template = BUF_EMPTY;
    AUTO_OBJ struct obj trailer = obj_trailer(source->q);
    AUTO_OBJ struct obj encrypt = obj_key(trailer, "/Encrypt");
    AUTO_OBJ struct obj id = obj_key(trailer, "/ID");
    AUTO_OBJ struct obj first_id = obj_item(id, 0);
    AUTO_FREE char *encrypt_text = NULL;

    qpdf_oh_make_direct(source->q, encrypt.oh);
    encrypt_text = strdup(qpdf_oh_unparse_resolved(source->q, encrypt.oh));
    if (encrypt_text)
        write_template(&template, encrypt_text,
                       obj_is_string(first_id) ? qpdf_oh_unparse_resolved(source->q, id.oh)
                                               : "[()()]");
    *doc = (struct pdf_doc){ .encrypted = true,
                             .filters_differ = source->filters_differ,
                             .password = strdup(source->password) };
    if (!encrypt_text || template.failed || !doc->password || start_doc(doc, err) < 0)
        return pdf_doc_no_memory(err);
    doc->memory_n = template.len;
    doc->memory = buf_take(&template);
    if (qpdf_read_memory(doc->q, "template", doc->memory, doc->memory_n, doc->password) &
        (QPDF_ERRORS))
        return pdf_doc_check(doc, "keep the encryption", err);
    return 0;
}

int pdf_doc_new_like(struct pdf_doc *doc, struct pdf_doc *source, struct err *err)
{
    /* Copied: qpdf's text lasts until the next one is asked for. */
    const char *text = qpdf_get_pdf_version(source->q);
    char version[sizeof doc->version];
    int done;

    snprintf(version, sizeof version, "%s", text ? text : "");
    done = source->encrypted ? read_template(doc, source, err) : pdf_doc_new(doc, err);
    memcpy(doc->version, version, sizeof version);
    return done;
}

int pdf_doc_next_number(struct pdf_doc *doc)
{
    AUTO_OBJ struct obj trailer = obj_trailer(doc->q);
    long long size = 0;

    if (obj_key_int(trailer, "/Size", &size) && !doc->miscounted && size > 0 && size <= MAX_NUMBER)
        return (int) size;
    /* qpdf gives out the next one, after reading all objects: dear, and rarely needed. */
    AUTO_OBJ struct obj null = { doc->q, qpdf_oh_new_null(doc->q) };
    AUTO_OBJ struct obj fresh = obj_indirect(null);
    return OBJ_NUMBER(obj_id(fresh));
}
