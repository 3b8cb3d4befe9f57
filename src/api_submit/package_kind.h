/* package_kind: which kind of office document a ZIP is, for people to read. */
#pragma once

/* "docx", "xlsx", "pptx", "odt", "ods", "odp", or "zip" for any other. The descriptor's offset does
 * not change. */
const char *package_kind(int fd);
