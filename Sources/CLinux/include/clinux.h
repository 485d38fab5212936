#ifndef CLINUX_H
#define CLINUX_H
/* Without _GNU_SOURCE: Swift's own Glibc module is built without it, and two modules that see one structure in two ways
   do not compile together. What needs it goes through functions of our own. */
#include <sys/types.h>
#include <dirent.h>
#include <errno.h>
#include <fcntl.h>
#include <grp.h>
#include <poll.h>
#include <pthread.h>
#include <pty.h>
#include <pwd.h>
#include <shadow.h>
#include <signal.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/file.h>
#include <sys/socket.h>
#include <sys/stat.h>
#include <sys/uio.h>
#include <sys/un.h>
#include <sys/wait.h>
#include <termios.h>
#include <time.h>
#include <unistd.h>
#include "clinux_folder.h"

/* Only what Swift cannot import: macros, variadic functions, raw system calls. Every function that can fail answers
   -1 and sets errno, as its system call does. */

/* errno is a macro. */
static inline int clinux_errno(void) { return errno; }
/* strerrorname_np(3): the symbol, or NULL. */
const char *clinux_error_name(int number);
/* strerrordesc_np(3): the English sentence, or NULL. */
const char *clinux_error_words(int number);

/* Constants of _GNU_SOURCE. */
extern const int clinux_o_path;
extern const int clinux_o_tmpfile;
extern const short clinux_pollrdhup;

/* open(2), openat(2), fcntl(2), ioctl(2), prctl(2) are variadic. */
int clinux_open(const char *path, int flags, mode_t mode);
int clinux_openat(int folder, const char *path, int flags);
/* statx(2) for size and link count alone: asking for the times of a file makes its next write take new ones. */
int clinux_extent(int fd, int64_t *size, uint32_t *links);
int clinux_pipe(int ends[2]);
/* renameat2(2) that fails with EEXIST where the new name is there; EINVAL where the file system cannot. */
int clinux_rename_new(const char *old, const char *new);
int clinux_fcntl(int fd, int command, int argument);
int clinux_prctl(int option, unsigned long argument);
int clinux_window_size(int fd, unsigned short *rows, unsigned short *columns);

/* Whether a terminal refuses further opens: TIOCGEXCL, TIOCEXCL and TIOCNXCL of ioctl_tty(2). */
int clinux_get_exclusive(int fd, int *exclusive);
int clinux_set_exclusive(int fd, int exclusive);

/* Descriptors per message in both directions. */
enum { CLINUX_DESCRIPTORS_MAX = 16 };

/* sendmsg(2) with SCM_RIGHTS. EINVAL for more than CLINUX_DESCRIPTORS_MAX descriptors. */
ssize_t clinux_send(
    int fd, const struct iovec *parts, size_t part_count, const int *descriptors, size_t count, int flags);

/* recvmsg(2) with SCM_RIGHTS, close-on-exec. At most `maximum` descriptors come back, in `descriptors` and `*count`;
   those beyond are closed and MSG_CTRUNC is set in `*flags`. */
ssize_t clinux_receive(int fd, void *buffer, size_t size, int *descriptors, size_t maximum, size_t *count, int *flags);

/* bind(2) and connect(2) with a path of `length` bytes, at most 107; ENAMETOOLONG beyond, EINVAL for an empty one. */
enum { CLINUX_SOCKET_PATH_MAX = sizeof(((struct sockaddr_un *)0)->sun_path) - 1 };
int clinux_bind(int fd, const char *path, size_t length);
int clinux_connect(int fd, const char *path, size_t length);
/* accept4(2), close-on-exec, without the address. */
int clinux_accept(int fd);

/* SO_PEERCRED; ENODATA unless the kernel filled the whole structure. */
struct clinux_credentials {
  pid_t pid;
  uid_t user;
  gid_t group;
};
int clinux_peer_credentials(int fd, struct clinux_credentials *credentials);
/* SO_PEERPIDFD (77; Debian 12 headers do not name it). */
int clinux_peer_pidfd(int fd);
int clinux_pidfd_open(pid_t pid);
int clinux_pidfd_send_signal(int pidfd, int signal);

/* What a new program is started with; every pointer stays valid and unchanged during clinux_spawn. */
struct clinux_spawn_plan {
  const char *program;
  char **arguments;         /* ends with NULL */
  char **environment;       /* ends with NULL */
  const char *directory;
  mode_t mask;
  int new_session;
  int detached;            /* the program is no child of the caller; then `*pid` and `*pidfd` are of no use */
  int parent_death_signal; /* 0 for none; it follows the calling THREAD, see prctl(2) */
  const int *sources;      /* descriptors here ... */
  const int *targets;      /* ... and their numbers there, rising, none twice */
  size_t descriptor_count;
  int change_user;
  uid_t user;
  gid_t group;
  const gid_t *groups;
  size_t group_count;
};

/* Starts a program with nothing but what the plan names: every other descriptor closed, default signals, empty mask.
   0, or the errno of the step that failed, also of execve itself; then no child is left behind. */
int clinux_spawn(const struct clinux_spawn_plan *plan, pid_t *pid, int *pidfd);

/* waitid(P_PIDFD): 1 with `*code` (CLD_*) and `*status`, 0 while it runs (only with `no_hang`), -1 with errno. */
int clinux_wait(int pidfd, int no_hang, int *code, int *status);

/* execve(2) with this environment. Descriptors, signal mask and terminal stay as they are. */
int clinux_become(const char *program, char **arguments);

/* _exit(2) without atexit handlers, flushes or unwinding. */
void clinux_exit_now(int status) __attribute__((noreturn));

/* getrlimit(2), setrlimit(2); UINT64_MAX for no limit. Resources by the names below. */
enum clinux_resource { CLINUX_LIMIT_CORE, CLINUX_LIMIT_MEMLOCK, CLINUX_LIMIT_NOFILE };
int clinux_limit(int resource, uint64_t *soft, uint64_t *hard);
int clinux_set_limit(int resource, uint64_t soft, uint64_t hard);

/* prctl(2) options. */
extern const int clinux_pr_set_dumpable;
extern const int clinux_pr_get_dumpable;
extern const int clinux_pr_set_pdeathsig;

/* SO_TYPE: SOCK_STREAM, SOCK_SEQPACKET, ... */
int clinux_socket_type(int fd);
/* Throws every variable away (clearenv(3)). */
int clinux_clear_environment(void);

/* Blocks the signals in the calling thread and makes a descriptor they are read from (signalfd(2)). */
int clinux_signal_descriptor(const int *signals, size_t count);
/* Lets the signals through again. */
int clinux_unblock_signals(const int *signals, size_t count);
/* The next signal of such a descriptor, or -1; it does not wait (EAGAIN). */
int clinux_next_signal(int fd);
/* A descriptor that is made readable by hand, close-on-exec and non-blocking (eventfd(2)). */
int clinux_event_descriptor(void);
/* Makes it readable; -1 only where it is so already. */
int clinux_raise_event(int fd);
/* Ignores a signal (signal(2) with SIG_IGN, a macro). */
int clinux_ignore_signal(int number);
int clinux_leave_crashes(void);

/* The date of local time for syslog: "Nov 30 04:25:00". 16 bytes with the NUL. */
int clinux_syslog_date(char *text, size_t size);
/* A datagram socket connected to a unix path. */
int clinux_connect_datagram(const char *path, size_t length);

#endif
