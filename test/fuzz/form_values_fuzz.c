/* Values for forms: JSON, XFDF, FDF and CSV from clients. */
#include <stdlib.h>
#include <string.h>

#include "fuzz.h"
#include "pdf/form_data/form_read.h"

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    AUTO_FORM_VALUES struct form_values values = { 0 };
    struct buf bytes = BUF_EMPTY;
    struct err err = { 0 };
    size_t n = 0;

    buf_put(&bytes, data, size);
    if (form_values_read(&values, &bytes, &err) < 0) {
        if (!*err.msg)
            abort();
    } else {
        for (size_t i = 0; i < values.n; i++)
            for (size_t j = 0; j < values.rows[i].n; j++)
                for (size_t k = 0; k < values.rows[i].items[j].n; k++)
                    n += strlen(values.rows[i].items[j].texts[k]);
        if (values.n == 0 || n > 64 * (size + 1))
            abort();
    }
    buf_free(&bytes);
    return 0;
}
