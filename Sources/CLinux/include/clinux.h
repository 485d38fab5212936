#ifndef CLINUX_H
#define CLINUX_H
#ifndef _GNU_SOURCE
#define _GNU_SOURCE 1
#endif
#include <sys/types.h>
#include <dirent.h>
#include <errno.h>
#include <fcntl.h>
#include <grp.h>
#include <poll.h>
#include <pthread.h>
#include <pwd.h>
#include <shadow.h>
#include <signal.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/file.h>
#include <sys/ioctl.h>
#include <sys/mman.h>
#include <sys/prctl.h>
#include <sys/random.h>
#include <sys/resource.h>
#include <sys/signalfd.h>
#include <sys/socket.h>
#include <sys/stat.h>
#include <sys/syscall.h>
#include <sys/sysmacros.h>
#include <sys/uio.h>
#include <sys/un.h>
#include <sys/wait.h>
#include <termios.h>
#include <time.h>
#include <unistd.h>

/* Only what Swift cannot import: macros, variadic functions, raw system calls. Every function that can fail answers
   -1 and sets errno, as its system call does. */

/* errno is a macro. */
static inline int clinux_errno(void) { return errno; }

/* open(2), openat(2), fcntl(2), ioctl(2), prctl(2) are variadic. */
int clinux_open(const char *path, int flags, mode_t mode);
int clinux_fcntl(int fd, int command, int argument);
int clinux_prctl(int option, unsigned long argument);
int clinux_window_size(int fd, struct winsize *size);

/* Descriptors per message in both directions. */
enum { CLINUX_DESCRIPTORS_MAX = 16 };

/* sendmsg(2) with SCM_RIGHTS. EINVAL for more than CLINUX_DESCRIPTORS_MAX descriptors. */
ssize_t clinux_send(int fd, const struct iovec *parts, size_t part_count, const int *descriptors, size_t count, int flags);

/* recvmsg(2) with SCM_RIGHTS, close-on-exec. At most `maximum` descriptors come back, in `descriptors` and `*count`; those
   beyond are closed and MSG_CTRUNC is set in `*flags`. */
ssize_t clinux_receive(int fd, void *buffer, size_t size, int *descriptors, size_t maximum, size_t *count, int *flags);

/* bind(2) and connect(2) with a path of `length` bytes, at most 107; ENAMETOOLONG beyond, EINVAL for an empty one. */
enum { CLINUX_SOCKET_PATH_MAX = sizeof(((struct sockaddr_un *)0)->sun_path) - 1 };
int clinux_bind(int fd, const char *path, size_t length);
int clinux_connect(int fd, const char *path, size_t length);
/* accept4(2), close-on-exec, without the address. */
int clinux_accept(int fd);

/* SO_PEERCRED; ENODATA unless the kernel filled the whole structure. */
int clinux_peer_credentials(int fd, struct ucred *credentials);
/* SO_PEERPIDFD (77; Debian 12 headers do not name it). */
int clinux_peer_pidfd(int fd);
int clinux_pidfd_open(pid_t pid);
int clinux_pidfd_send_signal(int pidfd, int signal);

#endif
