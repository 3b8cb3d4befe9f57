#include "base/system/process.h"

#include <linux/capability.h>
#include <stdint.h>
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

#define BIT(capability) (UINT64_C(1) << (capability))
static const uint64_t kept = BIT(CAP_CHOWN) | BIT(CAP_DAC_OVERRIDE) | BIT(CAP_DAC_READ_SEARCH) |
                             BIT(CAP_FOWNER) | BIT(CAP_FSETID) | BIT(CAP_KILL) | BIT(CAP_SETGID) |
                             BIT(CAP_SETUID) | BIT(CAP_SETPCAP) | BIT(CAP_NET_BIND_SERVICE);

void process_shed_capabilities(void)
{
    struct __user_cap_header_struct head = { _LINUX_CAPABILITY_VERSION_3, 0 };
    struct __user_cap_data_struct data[2];

    prctl(PR_SET_NO_NEW_PRIVS, 1, 0, 0, 0);
    for (unsigned long capability = 0; capability < 64; capability++)
        if (!(kept & BIT(capability)))
            prctl(PR_CAPBSET_DROP, capability, 0, 0, 0);
    if (syscall(SYS_capget, &head, data) < 0)
        return;
    for (int i = 0; i < 2; i++) {
        uint32_t some = (uint32_t) (kept >> 32 * i);

        data[i].effective &= some;
        data[i].permitted &= some;
        data[i].inheritable &= some;
    }
    syscall(SYS_capset, &head, data);
}
