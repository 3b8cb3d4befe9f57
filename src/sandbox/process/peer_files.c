#include "sandbox/process/peer_files.h"
#include "base/fnv.h"

#include <stddef.h>
#include <sys/stat.h>

/* Not /etc/ssl and /etc/pki as a whole: they contain servers' keys (private/). resolv.conf is
 * often a link to a file in /run, the certificates one to /var/lib: the target counts. */
const char *const peer_files[] = {
    "/etc/resolv.conf",
    "/run/systemd/resolve",
    "/etc/hosts",
    "/etc/nsswitch.conf",
    "/etc/host.conf",
    "/etc/gai.conf",
    "/etc/services",
    "/etc/protocols",
    "/etc/networks",
    "/usr/etc", /* openSUSE's place for the same names */
    "/etc/ssl/certs",
    "/etc/ssl/cert.pem",
    "/etc/ssl/ca-bundle.pem",
    "/etc/ssl/openssl.cnf",
    "/etc/ca-certificates",
    "/var/lib/ca-certificates",
    "/etc/pki/ca-trust",
    "/etc/pki/tls/certs",
    "/etc/pki/tls/cert.pem",
    "/etc/pki/tls/openssl.cnf",
    "/etc/crypto-policies",
    "/etc/ld.so.cache",
    "/lib",
    "/lib64",
    "/usr/lib",
    "/usr/lib64",
    "/usr/local/lib",
    "/usr/share",
    "/usr/local/share",
    NULL,
};

uint64_t peer_files_state(void)
{
    uint64_t state = FNV_START;

    for (const char *const *path = peer_files; *path; path++) {
        struct stat st;

        if (stat(*path, &st) < 0)
            st = (struct stat){ 0 };
        state = fnv_mix(fnv_mix(state, st.st_dev), st.st_ino);
        state =
            fnv_mix(fnv_mix(state, (uint64_t) st.st_mtim.tv_sec), (uint64_t) st.st_mtim.tv_nsec);
    }
    return state;
}
