#include "base/err.h"

#include <errno.h>

#include "tap.h"

int main(void)
{
    struct err err;
    char longer[400];

    errno = ENOENT;
    ok(err_sys(&err, "open %s", "a.pdf") == -1, "err_sys returns -1");
    is_str(err.msg, "open a.pdf: No such file or directory", "err_sys says why");
    err_wrap(&err, "merge");
    is_str(err.msg, "merge: open a.pdf: No such file or directory",
           "err_wrap adds context in front");
    errno = ENOSPC;
    err_sys(&err, "write");
    ok(err.code == ERR_STORAGE_FULL, "a full disk is its own code");
    err_field(&err, ERR_INVALID_PARAMETER, "pages", "no");
    is_str(err.field, "pages", "the field at fault is named");
    memset(longer, 'x', sizeof longer);
    longer[399] = '\0';
    err_set(&err, ERR_INTERNAL, "%s", longer);
    is_int(strlen(err.msg), sizeof err.msg - 1, "a long message is cut");
    is_str(err.field, "", "err_set names no field");
    is_str(err_name(ERR_QUOTA_EXCEEDED), "quota_exceeded", "codes have names");
    is_int(err_status(ERR_QUOTA_EXCEEDED), 429, "and HTTP statuses");
    is_int(err_status(ERR_WRONG_PASSWORD), 500, "a job's code is no answer of its own");
    ok(err_code_find("wrong_password") == ERR_WRONG_PASSWORD, "names lead back to codes");
    ok(err_code_find("nonsense") == ERR_INTERNAL, "an unknown name is an internal error");
    return done_testing();
}
