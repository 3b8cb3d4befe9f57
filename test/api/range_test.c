#include "api/range.h"

#include "tap.h"

static const char *range(const char *header, int64_t total)
{
    static char shown[64];
    int64_t first = 0, length = 0;

    switch (range_parse(header, total, &first, &length)) {
    case RANGE_NONE:
        return "whole";
    case RANGE_BAD:
        return "outside";
    case RANGE_PART:
        break;
    }
    snprintf(shown, sizeof shown, "%lld+%lld", (long long) first, (long long) length);
    return shown;
}

int main(void)
{
    is_str(range(NULL, 100), "whole", "no header: the whole");
    is_str(range("bytes=0-9", 100), "0+10", "first to last");
    is_str(range("bytes=90-200", 100), "90+10", "a last beyond the end is the end");
    is_str(range("bytes=90-", 100), "90+10", "open");
    is_str(range("bytes=-10", 100), "90+10", "the last bytes");
    is_str(range("bytes=-200", 100), "0+100", "more of them than there are");
    is_str(range("bytes=-0", 100), "outside", "none of them");
    is_str(range("bytes=100-", 100), "outside", "behind the end");
    is_str(range("bytes=0-", 0), "outside", "of nothing");
    is_str(range("bytes=9-5", 100), "whole", "backwards is no range");
    is_str(range("bytes=0-1,5-6", 100), "whole", "several are answered with the whole");
    is_str(range("lines=0-9", 100), "whole", "so is another unit");
    is_str(range("bytes=a-b", 100), "whole", "and nonsense");
    is_str(range("bytes=-", 100), "whole", "and nothing");
    is_str(range("bytes=99999999999999999999-", 100), "whole", "and what does not fit");
    return done_testing();
}
