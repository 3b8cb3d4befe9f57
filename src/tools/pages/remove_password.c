/* remove-password: decrypts a PDF for who knows its user's or its owner's password. */
#include <fcntl.h>

#include "base/fdio.h"
#include "declare/tool/tool.h"
#include "pdf/document/doc.h"
#include "pdf/forms/unsign.h"

struct params {
    const char *password;
};

static const struct param params[] = {
    SECRET(struct params, password,
           "The user's or the owner's password; may be empty for a document that opens without.",
           .alias = "inputPassword", .required = true, .max = 1000),
};

/* The input's own bytes. */
static int copy_input(const struct tool_input *input, const char *path, struct err *err)
{
    AUTO_CLOSE int fd = open(path, O_WRONLY | O_CLOEXEC);

    if (fd < 0)
        return err_sys(err, "result");
    return fdio_copy(input->fd, 0, input->bytes, fd, err);
}

static int decrypt(struct tool_run *run, struct pdf_doc *doc, struct err *err)
{
    struct pdf_save save = { .encryption = PDF_DECRYPT };

    if (doc->encrypted && !doc->password_fits)
        return err_field(err, ERR_WRONG_PASSWORD, "password",
                         "the password is neither the user's nor the owner's");
    if (!doc->encrypted)
        tool_warn(run, "not_encrypted", "the document is not encrypted: the result is a copy");
    if (!doc->encrypted && !doc->repaired)
        return copy_input(&run->inputs[0], run->output, err);
    doc->run = run;
    pdf_doc_warn(doc);
    unsign_document(doc);
    return pdf_doc_save(doc, run->output, &save, err);
}

static int run(struct tool_run *run, const void *values, struct err *err)
{
    const struct params *p = values;
    AUTO_PDF_DOC struct pdf_doc doc = { 0 };

    /* Warnings wait until it is known whether the document is touched at all. */
    if (pdf_doc_open(&doc, run->inputs[0].path, p->password, NULL, err) < 0) {
        if (err->code == ERR_PASSWORD_REQUIRED)
            err_field(err, ERR_WRONG_PASSWORD, "password",
                      "the document does not open with an empty password");
        return -1;
    }
    tool_progress(run, 0.1);
    if (decrypt(run, &doc, err) < 0)
        return -1;
    return tool_done(run, doc.n_pages, err);
}

const struct tool tool_remove_password = {
    .name = "remove-password",
    .summary = "Removes the password and all restrictions from a PDF.",
    .accepts = { "pdf" },
    .gives = "pdf",
    .min_files = 1,
    .max_files = 1,
    .params = params,
    .n_params = COUNT(params),
    .params_size = sizeof(struct params),
    .run = run,
};
