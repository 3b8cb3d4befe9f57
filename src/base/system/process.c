#include "base/system/process.h"

#include <linux/capability.h>
#include <sys/prctl.h>
#include <sys/resource.h>
#include <sys/syscall.h>
#include <unistd.h>

void process_close_to_others(void)
{
    static const struct rlimit none = { 0, 0 };

    setrlimit(RLIMIT_CORE, &none);
#ifndef PLATEN_SANITIZERS
    prctl(PR_SET_DUMPABLE, 0);
#endif
}

static int set_capabilities(uint64_t kept, struct err *err)
{
    struct __user_cap_header_struct head = { _LINUX_CAPABILITY_VERSION_3, 0 };
    struct __user_cap_data_struct set[2];

    if (syscall(SYS_capget, &head, set) < 0)
        return err_sys(err, "capabilities");
    for (size_t i = 0; i < 2; i++) {
        set[i].permitted &= (uint32_t) (kept >> (32 * i));
        set[i].effective = set[i].permitted;
        set[i].inheritable = 0;
    }
    return syscall(SYS_capset, &head, set) < 0 ? err_sys(err, "give up capabilities") : 0;
}

int process_keep_capabilities(uint64_t kept, struct err *err)
{
    /* The change of the user has made those that are left ineffective. */
    if (set_capabilities(~0ULL, err) < 0)
        return -1;
    prctl(PR_CAP_AMBIENT, PR_CAP_AMBIENT_CLEAR_ALL, 0, 0, 0);
    /* A container may have removed the right to change the bounding set. What is executed then has
     * what the container left. */
    for (unsigned cap = 0; cap <= CAP_LAST_CAP; cap++)
        if (!(kept >> cap & 1))
            prctl(PR_CAPBSET_DROP, cap, 0, 0, 0);
    return set_capabilities(kept, err);
}
