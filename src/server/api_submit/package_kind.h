/* package_kind: detects the kind of office document in a ZIP, for messages. */
#pragma once

/* Returns "docx", "xlsx", "pptx", "odt", "ods", "odp", or "zip" for any other. The descriptor's
 * offset does not change. */
const char *package_kind(int fd);
