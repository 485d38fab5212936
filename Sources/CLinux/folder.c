#include "clinux_folder.h"

#include <errno.h>
#include <string.h>

int clinux_next_name(DIR *folder, char *name, size_t size) {
  errno = 0;
  const struct dirent *entry = readdir(folder);
  if (entry == NULL) return errno == 0 ? 0 : -1;
  size_t length = strlen(entry->d_name);
  if (length >= size) {
    errno = ENAMETOOLONG;
    return -1;
  }
  memcpy(name, entry->d_name, length + 1);
  return 1;
}
