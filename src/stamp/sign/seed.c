#include "stamp/sign/seed.h"

#include <string.h>

#include "pdf/forms/sigfields.h"

#define MAX_ITEMS 1000

/* Bits of /Ff: that a constraint is one, and not a wish. */
enum { FILTER = 1 << 0, SUB_FILTER = 1 << 1, REASONS = 1 << 3, DIGEST_METHOD = 1 << 6 };

/* Whether a list has a name or text. */
static bool lists(struct obj seed, const char *key, const char *wanted)
{
    AUTO_OBJ struct obj array = obj_key(seed, key);

    for (int i = 0, n = obj_count(array); i < n && i < MAX_ITEMS; i++) {
        AUTO_OBJ struct obj item = obj_item(array, i);

        if (obj_name_is(item, wanted) || strcmp(sigfields_text(item), wanted) == 0)
            return true;
    }
    return false;
}

static int check_format(struct obj seed, long long constraints, struct err *err)
{
    AUTO_OBJ struct obj filter = obj_key(seed, "/Filter");

    if (((constraints & FILTER) && obj_is_name(filter) && !obj_name_is(filter, "/Adobe.PPKLite")) ||
        ((constraints & SUB_FILTER) && !lists(seed, "/SubFilter", "/ETSI.CAdES.detached")) ||
        ((constraints & DIGEST_METHOD) && !lists(seed, "/DigestMethod", "SHA256")))
        return err_set(err, ERR_UNSUPPORTED_CONTENT,
                       "the signature field requires a signature of another format than PAdES with "
                       "SHA-256");
    return 0;
}

static int check_reason(struct obj seed, const char *reason, struct err *err)
{
    if (lists(seed, "/Reasons", "."))
        return reason && *reason ? err_field(err, ERR_INVALID_PARAMETER, "reason",
                                             "the signature field does not allow a reason")
                                 : 0;
    if (!reason || !lists(seed, "/Reasons", reason))
        return err_field(err, ERR_INVALID_PARAMETER, "reason",
                         "the signature field requires one of the reasons that it lists");
    return 0;
}

static int check_certification(struct obj seed, bool certifies, struct err *err)
{
    AUTO_OBJ struct obj mdp = obj_key(seed, "/MDP");
    long long p = 0;

    if (!obj_key_int(mdp, "/P", &p) || certifies == (p > 0))
        return 0;
    return err_field(err, ERR_INVALID_PARAMETER, "certify",
                     "the signature field requires a signature that %s",
                     certifies ? "does not certify" : "certifies");
}

int seed_check(struct obj field, const struct seed_signature *signature, bool *certificates,
               struct err *err)
{
    AUTO_OBJ struct obj seed = obj_key(field, "/SV");
    AUTO_OBJ struct obj stamp = obj_key(seed, "/TimeStamp");
    AUTO_OBJ struct obj certificate = obj_key(seed, "/Cert");
    long long constraints = 0, stamp_constraints = 0, certificate_constraints = 0;

    *certificates = false;
    if (!obj_is_dict(seed))
        return 0;
    obj_key_int(seed, "/Ff", &constraints);
    obj_key_int(stamp, "/Ff", &stamp_constraints);
    obj_key_int(certificate, "/Ff", &certificate_constraints);
    *certificates = certificate_constraints != 0;
    if (check_format(seed, constraints, err) < 0 ||
        check_certification(seed, signature->certifies, err) < 0)
        return -1;
    if ((constraints & REASONS) && check_reason(seed, signature->reason, err) < 0)
        return -1;
    if (stamp_constraints != 0 && !signature->stamped)
        return err_field(err, ERR_INVALID_PARAMETER, "level",
                         "the signature field requires a time stamp: level must be B-T");
    return 0;
}
