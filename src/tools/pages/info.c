/* info: everything that a PDF says of itself and has, as JSON. */
#include <fcntl.h>

#include "base/fdio.h"
#include "base/scope.h"
#include "declare/tool/tool.h"
#include "pdf/document/doc.h"
#include "pdf/properties/info.h"
#include "pdf/properties/reading.h"

struct params {
    const char *inputPassword;
};

static const struct param params[] = {
    SECRET(struct params, inputPassword, "The password that opens the document.", .max = 1000),
};

static int run(struct tool_run *run, const void *values, struct err *err)
{
    const struct params *p = values;
    AUTO_PDF_DOC struct pdf_doc doc = { 0 };
    AUTO_BUF struct buf json = BUF_EMPTY;
    AUTO_CLOSE int fd = open(run->output, O_WRONLY | O_CLOEXEC);

    if (fd < 0)
        return err_sys(err, "result");
    if (reading_open(&doc, run->inputs[0].path, p->inputPassword, run, err) < 0 ||
        info_write(&doc, run, run->inputs[0].bytes, &json, err) < 0 ||
        fdio_write(fd, json.data, json.len, err) < 0)
        return -1;
    return tool_done(run, 0, err);
}

const struct tool tool_info = {
    .name = "info",
    .summary = "Tells what a PDF is: pages, fonts, images, encryption, signatures, tags and more.",
    .accepts = { "pdf" },
    .gives = "json",
    .min_files = 1,
    .max_files = 1,
    .params = params,
    .n_params = COUNT(params),
    .params_size = sizeof(struct params),
    .run = run,
};
