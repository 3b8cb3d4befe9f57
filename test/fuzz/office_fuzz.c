/* Input: one byte for the tool it is given to, a file that says it is an office document. Plain
 * text is written out as LibreOffice would get it. */
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>

#include "base/fdio.h"
#include "base/scope.h"
#include "engine/office/mention.h"
#include "engine/office/plain.h"
#include "fuzz.h"

static void write_out(int fd, enum kit_type want, struct err *err)
{
    struct encoding_found found;
    AUTO_CLOSE int to = fdio_memory_file(err);
    AUTO_BUF struct buf text = BUF_EMPTY;
    char path[40];

    snprintf(path, sizeof path, "/proc/self/fd/%d", to);
    if (to < 0 || plain_read(fd, NULL, &text, &found, err) < 0)
        return;
    if (want == KIT_SHEET)
        csv_write_sheet(&text, path, err);
    else
        plain_write_text(&text, path, err);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t n)
{
    struct err err;
    AUTO_CLOSE int fd = fdio_memory_file(&err);
    enum kit_type want = n ? (enum kit_type)(data[0] % 3) : KIT_TEXT;
    struct sniff sniff = { 0 };
    char path[40];

    snprintf(path, sizeof path, "/proc/self/fd/%d", fd);
    if (n == 0 || fd < 0 || fdio_write(fd, data + 1, n - 1, &err) < 0)
        return 0;
    const struct tool_input input = { fd, path, "", (int64_t) n - 1 };
    if (sniff_classify(&input, want, &sniff, &err) < 0) {
        if (err.code == ERR_INTERNAL)
            abort();
        return 0;
    }
    if (sniff.type != want || !sniff.extension)
        abort();
    mention_of("OpenSymbol", &input, sniff.form, sniff.encrypted);
    if (sniff.form == SNIFF_PLAIN)
        write_out(fd, want, &err);
    return 0;
}
