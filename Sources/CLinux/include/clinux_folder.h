#ifndef CLINUX_FOLDER_H
#define CLINUX_FOLDER_H
#include <dirent.h>
#include <stddef.h>

/* The next name of an open folder, copied into `name` with its final NUL: 1, or 0 at the end, or -1 with errno set
   (ENAMETOOLONG where `size` is too small). readdir(3) tells the end and a failure apart by errno alone. */
int clinux_next_name(DIR *folder, char *name, size_t size);

#endif
