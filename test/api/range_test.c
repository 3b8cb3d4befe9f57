#include "server/api/range.h"

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
    is_str(range(NULL, 100), "whole", "without a header the range is the whole file");
    is_str(range("bytes=0-9", 100), "0+10", "a range has its first and its last byte");
    is_str(range("bytes=90-200", 100), "90+10",
           "a range that ends beyond the file ends with the file");
    is_str(range("bytes=90-", 100), "90+10", "an open range ends with the file");
    is_str(range("bytes=-10", 100), "90+10", "a suffix range has the last bytes");
    is_str(range("bytes=-200", 100), "0+100", "a suffix longer than the file is the whole file");
    is_str(range("bytes=-0", 100), "outside", "a suffix of no bytes is outside of the file");
    is_str(range("bytes=100-", 100), "outside",
           "a range that begins at the end is outside of the file");
    is_str(range("bytes=0-", 0), "outside", "every range of an empty file is outside of it");
    is_str(range("bytes=9-5", 100), "whole", "a range whose end precedes its start is ignored");
    is_str(range("bytes=0-1,5-6", 100), "whole", "several ranges are ignored");
    is_str(range("lines=0-9", 100), "whole", "a range in another unit is ignored");
    is_str(range("bytes=a-b", 100), "whole", "a range that is not a number is ignored");
    is_str(range("bytes=-", 100), "whole", "a range without numbers is ignored");
    is_str(range("bytes=99999999999999999999-", 100), "whole",
           "a range whose number overflows is ignored");
    return done_testing();
}
