/* doc_save: writing a document, and making sure that what was written is one. */
#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "base/fdio.h"
#include "base/scope.h"
#include "pdf/document/crypt_filters.h"
#include "pdf/document/doc.h"
#include "pdf/document/lock.h"
#include "pdf/document/rewrite.h"
#include "pdf/object/obj.h"

#define XMP_MAX       (1 << 20)
#define ENCRYPTED_MAX ((size_t) 1 << 30) /* of a document that is encrypted in memory */
#define TREE_DEPTH    1000               /* of a page tree that is read again */
#define WHOLE_BYTES   ((size_t) 1 << 20) /* of a written file that is read again at once */

/* Its metadata says what it is, and says it without a filter. */
bool pdf_doc_is_pdfa1(const struct pdf_doc *doc)
{
    qpdf_data q = doc->q;
    AUTO_OBJ struct obj root = obj_root(q);
    AUTO_OBJ struct obj metadata = obj_key(root, "/Metadata");
    AUTO_FREE unsigned char *xmp = NULL;
    long long length = 0; /* a stream of another document has none before it is written */
    size_t n;

    obj_key_int(metadata, "/Length", &length);
    if (!obj_is_stream(metadata) || obj_has(metadata, "/Filter") || length < 0 || length > XMP_MAX)
        return false;
    if (qpdf_oh_get_stream_data(q, metadata.oh, qpdf_dl_none, NULL, &xmp, &n) & (QPDF_ERRORS))
        return false;
    return xmp &&
           (memmem(xmp, n, "pdfaid:part>1<", 14) || memmem(xmp, n, "pdfaid:part=\"1\"", 15) ||
            memmem(xmp, n, "pdfaid:part='1'", 15));
}

static void set_encryption(qpdf_data q, const struct pdf_encryption *e)
{
    enum qpdf_r3_print_e print = e->print_high ? qpdf_r3p_full
                                 : e->print    ? qpdf_r3p_low
                                               : qpdf_r3p_none;

    /* Reading aloud for the blind is always allowed (ISO 32000-2, table 22, bit 10). */
    if (e->aes128)
        qpdf_set_r4_encryption_parameters_insecure(q, e->user, e->owner, QPDF_TRUE, e->copy,
                                                   e->assemble, e->annotate, e->forms, e->modify,
                                                   print, QPDF_TRUE, QPDF_TRUE);
    else
        qpdf_set_r6_encryption_parameters2(q, e->user, e->owner, QPDF_TRUE, e->copy, e->assemble,
                                           e->annotate, e->forms, e->modify, print, QPDF_TRUE);
}

/* The length of the key is optional in the newer versions of encryption (ISO 32000-2, table 20).
 * qpdf 11.3 reads documents without it, and takes it for 0 where it writes. */
static void mend_encryption(struct obj trailer)
{
    AUTO_OBJ struct obj encrypt = obj_key(trailer, "/Encrypt");
    long long version, bits;

    if (obj_key_int(encrypt, "/V", &version) && version >= 4 &&
        !(obj_key_int(encrypt, "/Length", &bits) && bits > 0))
        obj_set_int(encrypt, "/Length", version == 4 ? 128 : 256);
}

/* qpdf 11.3 writes the size only where there was one, and a file without cannot be read; it gives
 * up on an encrypted document without a proper identifier, whose key it takes from an empty one. */
static void mend_trailer(struct obj trailer, bool encrypted)
{
    AUTO_OBJ struct obj id = obj_key(trailer, "/ID");
    AUTO_OBJ struct obj first = obj_item(id, 0);
    AUTO_OBJ struct obj empty = obj_parse(trailer.q, "[()()]");

    if (!obj_has(trailer, "/Size"))
        obj_set_int(trailer, "/Size", 1);
    if (encrypted && !obj_is_string(first))
        obj_set(trailer, "/ID", empty);
    if (encrypted)
        mend_encryption(trailer);
}

static void set_up_writer(struct pdf_doc *doc, const struct pdf_save *save)
{
    qpdf_data q = doc->q;
    AUTO_OBJ struct obj trailer = obj_trailer(q);

    mend_trailer(trailer, doc->encrypted);
    if (pdf_doc_is_pdfa1(doc)) {
        qpdf_set_object_stream_mode(q, qpdf_o_disable);
        qpdf_set_stream_data_mode(q, qpdf_s_preserve);
    } else {
        qpdf_set_object_stream_mode(q, qpdf_o_generate);
    }
    if (*doc->version)
        qpdf_set_minimum_pdf_version(q, doc->version);
    if (save->archive)
        qpdf_force_pdf_version(q, "1.7");
    qpdf_set_linearization(q, save->linearize);
    qpdf_set_deterministic_ID(q, save->same_id);
    if (save->encryption != PDF_KEEP_ENCRYPTION || doc->filters_differ)
        qpdf_set_preserve_encryption(q, QPDF_FALSE);
    if (save->encryption == PDF_KEEP_ENCRYPTION && doc->filters_differ)
        qpdf_set_object_stream_mode(q, qpdf_o_disable); /* it is written once more */
    if (save->encryption == PDF_ENCRYPT)
        set_encryption(q, save->encrypt);
}

/* qpdf does not say why it could not write, and does not notice when the last bytes are lost:
 * asks the file by writing on. */
static int explain_failure(const char *path, struct err *err)
{
    AUTO_CLOSE int fd = open(path, O_WRONLY | O_CLOEXEC);
    static const char more[65536];

    if (fd >= 0 && lseek(fd, 0, SEEK_END) >= 0) {
        ssize_t n = write(fd, more, sizeof more);

        if (n >= 0 && n < (ssize_t) sizeof more)
            n = write(fd, more, sizeof more);
        if (n < 0 && errno == EFBIG)
            return err_set(err, ERR_LIMIT_EXCEEDED, "the result is larger than a file may be");
        if (n < 0)
            return err_sys(err, "write the result");
    }
    return err_set(err, ERR_INTERNAL, "the result could not be written");
}

/* The number of pages below a node of the page tree, -1 if unknown. If a node has as many kids
 * as pages, the kids are not read one by one: a document of 10,000 pages would be read whole. */
static int64_t count_leaves(qpdf_data q, struct obj node, int depth, int *nodes)
{
    AUTO_OBJ struct obj kids = obj_key(node, "/Kids");
    int n = obj_count(kids);
    long long count = -1;
    int64_t leaves = 0;

    if (depth == TREE_DEPTH || ++*nodes > PDF_DOC_PAGES || !obj_is_array(kids) ||
        !obj_key_int(node, "/Count", &count))
        return -1;
    if (count == n)
        return n;
    for (int i = 0; i < n; i++) {
        AUTO_OBJ struct obj kid = obj_item(kids, i);
        int64_t below = obj_has(kid, "/Kids") ? count_leaves(q, kid, depth + 1, nodes) : 1;

        if (below < 0)
            return -1;
        leaves += below;
    }
    return leaves == count ? leaves : -1;
}

/* Whether the page at one end of the tree can be read. */
static bool has_page_at(struct obj tree, bool last)
{
    struct obj node = obj_same(tree);
    bool found = false;

    for (int depth = 0; depth < TREE_DEPTH && obj_is_dict(node); depth++) {
        AUTO_OBJ struct obj kids = obj_key(node, "/Kids");

        if (!obj_is_array(kids)) {
            found = true;
            break;
        }
        obj_drop(&node);
        node = obj_item(kids, last ? obj_count(kids) - 1 : 0);
    }
    obj_drop(&node);
    return found;
}

/* That what qpdf has just written from sound objects can be read to its page tree: the end of the
 * file with its table, the objects' streams that hold the tree, its first and last page. */
static bool has_pages(qpdf_data q, int n_pages)
{
    AUTO_OBJ struct obj root = obj_root(q);
    AUTO_OBJ struct obj tree = obj_key(root, "/Pages");
    int nodes = 0;

    return count_leaves(q, tree, 0, &nodes) == n_pages &&
           (n_pages == 0 || (has_page_at(tree, false) && has_page_at(tree, true)));
}

/* Reads a small file at once: for a file of a page, qpdf moves about in the file a hundred times.
 */
static bool read_back(qpdf_data q, const char *path, const char *password, struct buf *bytes)
{
    AUTO_CLOSE int fd = open(path, O_RDONLY | O_CLOEXEC);
    struct stat st;
    struct err ignored;

    if (fd < 0 || fstat(fd, &st) < 0 || st.st_size > (off_t) WHOLE_BYTES)
        return (qpdf_read(q, path, password) & (QPDF_ERRORS)) == 0;
    return fdio_read_all(fd, WHOLE_BYTES, bytes, &ignored) == 0 &&
           (qpdf_read_memory(q, "written", buf_text(bytes), bytes->len, password) &
            (QPDF_ERRORS)) == 0;
}

/* Whether the file can be read without any guessing and has as many pages as it should. A document
 * whose page tree was damaged keeps a tree that only qpdf's own reading of all pages makes out. */
static bool is_sound(const char *path, const char *password, int n_pages)
{
    AUTO_BUF struct buf bytes = BUF_EMPTY;
    qpdf_data q = qpdf_init();
    bool sound;

    qpdf_silence_errors(q);
    qpdf_set_suppress_warnings(q, QPDF_TRUE);
    qpdf_set_attempt_recovery(q, QPDF_FALSE);
    sound = read_back(q, path, password, &bytes) &&
            (has_pages(q, n_pages) || qpdf_get_num_pages(q) == n_pages);
    qpdf_get_error(q); /* qpdf would print an error that was not fetched */
    qpdf_cleanup(&q);
    return sound;
}

int pdf_doc_verify(const char *path, const char *password, int n_pages, struct err *err)
{
    return is_sound(path, password, n_pages) ? 0 : explain_failure(path, err);
}

static int write_by_qpdf(struct pdf_doc *doc, const char *path, const struct pdf_save *save,
                         struct err *err)
{
    if (qpdf_init_write(doc->q, path) & (QPDF_ERRORS))
        return explain_failure(path, err);
    set_up_writer(doc, save);
    if (qpdf_write(doc->q) & (QPDF_ERRORS)) {
        qpdf_error e = qpdf_get_error(doc->q);

        if (e && qpdf_get_error_code(doc->q, e) == qpdf_e_damaged_pdf)
            return err_set(err, ERR_CORRUPT_FILE, "the document is damaged beyond repair");
        return explain_failure(path, err);
    }
    return 0;
}

/* The part of a version before or after its point; 0 without digits. */
static unsigned version_part(const char **text)
{
    unsigned part = 0;

    for (; **text >= '0' && **text <= '9' && part < 10; ++*text)
        part = 10 * part + (unsigned) (**text - '0');
    return part;
}

/* A version as one number: 17 for 1.7. */
static unsigned version_of(const char *text)
{
    unsigned major = text ? version_part(&text) : 0;

    return !text || *text++ != '.' ? 0 : 10 * major + version_part(&text);
}

/* Writes a document that is not encrypted and has object streams. 1: qpdf must write it. */
static int write_by_own(struct pdf_doc *doc, const char *path, const struct pdf_save *save,
                        struct err *err)
{
    bool stays_encrypted = save->encryption == PDF_KEEP_ENCRYPTION && doc->encrypted;
    unsigned version = version_of(qpdf_get_pdf_version(doc->q)), least = version_of(doc->version);
    char text[8];

    if (save->linearize || save->same_id || stays_encrypted || save->encryption == PDF_ENCRYPT ||
        pdf_doc_is_pdfa1(doc))
        return 1;
    version = version > least ? version : least;
    version = save->archive ? 17 : version < 15 ? 15 : version;
    if (version > 20)
        return 1;
    snprintf(text, sizeof text, "%u.%u", version / 10, version % 10);
    return rewrite_document(doc, path, text, err);
}

static int write_plainly(struct pdf_doc *doc, const char *path, const struct pdf_save *save,
                         struct err *err)
{
    int written = write_by_own(doc, path, save, err);

    return written == 1 ? write_by_qpdf(doc, path, save, err) : written;
}

/* A number above those of all objects, also of those that were added. */
static int number_above(struct pdf_doc *doc)
{
    AUTO_OBJ struct obj null = { doc->q, qpdf_oh_new_null(doc->q) };
    AUTO_OBJ struct obj fresh = obj_indirect(null);

    return OBJ_NUMBER(obj_id(fresh));
}

/* Encrypts a file as the document was. qpdf would encrypt all streams and strings by one method. */
static int encrypt_again(struct pdf_doc *doc, const char *path, struct err *err)
{
    AUTO_BUF struct buf plain = BUF_EMPTY, out = BUF_EMPTY;
    AUTO_CLOSE int fd = open(path, O_RDWR | O_CLOEXEC);

    if (fd < 0)
        return err_sys(err, "read the result");
    if (fdio_read_all(fd, ENCRYPTED_MAX, &plain, err) < 0 ||
        lock_encrypt(doc, &plain, &out, err) < 0)
        return -1;
    if (ftruncate(fd, 0) < 0 || lseek(fd, 0, SEEK_SET) < 0)
        return err_sys(err, "write the result");
    return fdio_write(fd, out.data, out.len, err);
}

/* Writes a document of which not everything is encrypted alike. */
static int write_by_filters(struct pdf_doc *doc, const char *path, const struct pdf_save *save,
                            struct err *err)
{
    int n = number_above(doc), written;

    if (save->linearize)
        return err_set(
            err, ERR_UNSUPPORTED_CONTENT,
            "the document is encrypted by several crypt filters, which a linearized file "
            "cannot keep: leave out linearize, or remove the password first");
    crypt_filters_mark(doc->q, n, true);
    written = write_by_qpdf(doc, path, save, err);
    crypt_filters_mark(doc->q, n, false);
    return written < 0 ? -1 : encrypt_again(doc, path, err);
}

int pdf_doc_save(struct pdf_doc *doc, const char *path, const struct pdf_save *save,
                 struct err *err)
{
    static const struct pdf_save plain = { .encryption = PDF_KEEP_ENCRYPTION };
    int n_pages = qpdf_get_num_pages(doc->q);
    const char *password = "";
    int written;

    if (!save)
        save = &plain;
    if (pdf_doc_check(doc, "edit", err) < 0)
        return -1;
    written = doc->filters_differ && save->encryption == PDF_KEEP_ENCRYPTION
                  ? write_by_filters(doc, path, save, err)
                  : write_plainly(doc, path, save, err);
    if (written < 0)
        return -1;
    pdf_doc_warn(doc);
    if (save->encryption == PDF_ENCRYPT)
        password = save->encrypt->user;
    else if (save->encryption == PDF_KEEP_ENCRYPTION)
        password = doc->password;
    return pdf_doc_verify(path, password, n_pages, err);
}
