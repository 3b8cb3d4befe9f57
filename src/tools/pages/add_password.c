/* add-password: encrypts a PDF and says what may be done with it. */
#include <string.h>

#include "base/id.h"
#include "declare/tool/rule.h"
#include "declare/tool/tool.h"
#include "declare/value/password.h"
#include "pdf/document/doc.h"
#include "pdf/forms/unsign.h"

#define RANDOM_LENGTH 32

struct params {
    const char *password;
    const char *ownerPassword;
    const char *encryption;
    const char *allowPrint;
    bool allowCopy, allowModify, allowAnnotate, allowForms, allowAssemble;
    const char *inputPassword;
};

static const char *const encryptions[] = { "aes256", "aes128", NULL };
static const char *const prints[] = { "full", "low", "none", NULL };

static const struct param params[] = {
    PASSWORD(struct params, password, "The password that opens the result.", .required = true,
             .min = 1, .max = PASSWORD_MAX),
    PASSWORD(struct params, ownerPassword,
             "The password that lifts all restrictions; if left out, a random one that is not "
             "disclosed.",
             .min = 1, .max = PASSWORD_MAX),
    CHOICE(struct params, encryption,
           "aes256 (PDF 2.0) or aes128 (PDF 1.6, for readers from before 2009).",
           .preset = "aes256", .choices = encryptions),
    CHOICE(struct params, allowPrint, "Printing in full, in low resolution, or not at all.",
           .preset = "full", .choices = prints),
    BOOL(struct params, allowCopy, "Whether text and pictures may be copied out.",
         .preset = "true"),
    BOOL(struct params, allowModify, "Whether the contents may be changed.", .preset = "true"),
    BOOL(struct params, allowAnnotate, "Whether comments may be added.", .preset = "true"),
    BOOL(struct params, allowForms, "Whether form fields may be filled in.", .preset = "true"),
    BOOL(struct params, allowAssemble, "Whether pages may be inserted, turned and deleted.",
         .preset = "true"),
    SECRET(struct params, inputPassword,
           "The password the document has now; needed if it is encrypted, may be empty if it opens "
           "without.",
           .max = 1000),
};

static int encrypt(struct pdf_doc *doc, const char *path, const struct params *p, struct err *err)
{
    char random[RANDOM_LENGTH + 1], user[PASSWORD_R4_MAX + 1], owner[PASSWORD_R4_MAX + 1];
    struct pdf_encryption encryption = {
        .user = p->password,
        .owner = p->ownerPassword,
        .aes128 = strcmp(p->encryption, "aes128") == 0,
        .print = strcmp(p->allowPrint, "none") != 0,
        .print_high = strcmp(p->allowPrint, "full") == 0,
        .copy = p->allowCopy,
        .modify = p->allowModify,
        .annotate = p->allowAnnotate,
        .forms = p->allowForms,
        .assemble = p->allowAssemble,
    };
    struct pdf_save save = { .encryption = PDF_ENCRYPT, .encrypt = &encryption };

    /* Without an owner's password of its own the document would open as its owner's. */
    if (!encryption.owner) {
        id_secret(random, RANDOM_LENGTH);
        encryption.owner = random;
    }
    if (encryption.aes128) {
        if (password_encode_r4("password", encryption.user, user, err) < 0 ||
            password_encode_r4("ownerPassword", encryption.owner, owner, err) < 0)
            return -1;
        encryption.user = user;
        encryption.owner = owner;
    }
    return pdf_doc_save(doc, path, &save, err);
}

static int run(struct tool_run *run, const void *values, struct err *err)
{
    const struct params *p = values;
    AUTO_PDF_DOC struct pdf_doc doc = { 0 };

    if (pdf_doc_open(&doc, run->inputs[0].path, p->inputPassword, run, err) < 0)
        return -1;
    /* A document with an owner's password alone opens without one, but what its owner allows is
     * replaced only for who says so. */
    if (doc.encrypted && !p->inputPassword)
        return err_field(err, ERR_PASSWORD_REQUIRED, "inputPassword",
                         "the document opens without a password but restricts what may be done: to "
                         "replace that, give its owner's password as inputPassword, or an empty "
                         "one");
    if (doc.encrypted && !doc.password_fits)
        return err_field(err, ERR_WRONG_PASSWORD, "inputPassword",
                         "inputPassword is not a password of this document");
    tool_progress(run, 0.1);
    unsign_document(&doc);
    if (encrypt(&doc, run->output, p, err) < 0)
        return -1;
    return tool_done(run, doc.n_pages, err);
}

const struct tool tool_add_password = {
    .name = "add-password",
    .summary = "Encrypts a PDF with a password and sets what readers of it may do.",
    .accepts = { "pdf" },
    .gives = "pdf",
    .min_files = 1,
    .max_files = 1,
    .params = params,
    .n_params = COUNT(params),
    .params_size = sizeof(struct params),
    .rule = &rule_add_password,
    .run = run,
};
