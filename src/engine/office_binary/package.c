#include "engine/office_binary/package.h"

#include <fcntl.h>

#include "base/fdio.h"
#include "base/octets.h"
#include "base/scope.h"
#include "engine/office_binary/ole.h"
#include "engine/office_binary/package_key.h"

#define INFO_BYTES   65536
#define SEGMENT      4096
#define EXCELS_OWN   "VelvetSweatshop" /* of workbooks that are only protected from changes */
#define LENGTH_BYTES 8                 /* of the decrypted file, before the data */

/* [MS-OFFCRYPTO] 2.3.4.15: each segment has an initialisation vector of its own. */
static void decrypt_segments(const struct package_key *key, uint8_t *data, size_t n)
{
    for (size_t at = 0, i = 0; at < n; at += SEGMENT, i++) {
        const uint8_t number[4] = { (uint8_t) i, (uint8_t) (i >> 8), (uint8_t) (i >> 16),
                                    (uint8_t) (i >> 24) };
        uint8_t iv[PACKAGE_KEY_HASH];

        package_key_hash(key->hash_bytes, key->salt, key->salt_bytes, number, sizeof number, iv);
        package_key_decrypt(key->key, key->key_bytes, iv, data + at, data + at,
                            n - at < SEGMENT ? n - at : SEGMENT);
    }
}

static int write_file(const char *to, const uint8_t *data, size_t n, struct err *err)
{
    AUTO_CLOSE int fd = open(to, O_WRONLY | O_CREAT | O_EXCL | O_CLOEXEC, 0600);

    if (fd < 0)
        return err_sys(err, "the job's folder");
    return fdio_write(fd, data, n, err);
}

static int decrypt(struct ole *ole, const struct package_key *key, size_t bytes, const char *to,
                   struct err *err)
{
    AUTO_BUF struct buf stream = BUF_EMPTY;
    uint8_t *data;
    size_t n, length;

    if (ole_read(ole, "EncryptedPackage", bytes, &stream, err) < 0)
        return -1;
    if (stream.len < LENGTH_BYTES || octets_le32(buf_text(&stream) + 4) != 0)
        return err_set(err, ERR_CORRUPT_FILE, "the encrypted document is damaged");
    length = octets_le32(buf_text(&stream));
    data = (uint8_t *) stream.data + LENGTH_BYTES;
    n = (stream.len - LENGTH_BYTES) / PACKAGE_KEY_BLOCK * PACKAGE_KEY_BLOCK;
    if (length > n)
        return err_set(err, ERR_CORRUPT_FILE, "the encrypted document is cut off");
    if (key->sealed && !package_key_is_whole(key, stream.data, stream.len))
        return err_set(err, ERR_CORRUPT_FILE,
                       "the encrypted document was changed after it was encrypted: its integrity "
                       "check (dataIntegrity) fails");
    if (key->chained)
        decrypt_segments(key, data, n);
    else
        package_key_decrypt(key->key, key->key_bytes, NULL, data, data, n);
    return write_file(to, data, length, err) < 0 ? -1 : 1;
}

int package_decrypt(int fd, size_t bytes, const char *password, const char *to, struct err *err)
{
    AUTO_OLE struct ole *ole = ole_open(fd, err);
    AUTO_BUF struct buf info = BUF_EMPTY;
    struct package_key key;
    enum package_key_found found;

    if (!ole || ole_read(ole, "EncryptionInfo", INFO_BYTES, &info, err) < 0)
        return -1;
    found = package_key_find(&info, EXCELS_OWN, &key);
    if (found == PACKAGE_KEY_WRONG && !password)
        return err_field(err, ERR_PASSWORD_REQUIRED, "inputPassword",
                         "the document is encrypted: give its password as inputPassword");
    if (found == PACKAGE_KEY_WRONG)
        found = package_key_find(&info, password, &key);
    if (found == PACKAGE_KEY_WRONG)
        return err_field(err, ERR_WRONG_PASSWORD, "inputPassword",
                         "inputPassword does not open the document");
    return found == PACKAGE_KEY_UNKNOWN ? 0 : decrypt(ole, &key, bytes, to, err);
}
