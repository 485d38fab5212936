#define _GNU_SOURCE 1
#include "clinux.h"

#include <stddef.h>
#include <stdio.h>
#include <sys/ioctl.h>
#include <sys/prctl.h>
#include <sys/resource.h>
#include <sys/eventfd.h>
#include <sys/signalfd.h>
#include <sys/syscall.h>

#ifndef SO_PEERPIDFD
#define SO_PEERPIDFD 77
#endif

const int clinux_o_path = O_PATH;
const int clinux_o_tmpfile = O_TMPFILE;
const short clinux_pollrdhup = POLLRDHUP;

const char *clinux_error_name(int number) { return strerrorname_np(number); }

const char *clinux_error_words(int number) { return strerrordesc_np(number); }

int clinux_open(const char *path, int flags, mode_t mode) { return open(path, flags | O_CLOEXEC, mode); }

int clinux_rename_new(const char *old, const char *new) {
  return renameat2(AT_FDCWD, old, AT_FDCWD, new, RENAME_NOREPLACE);
}

int clinux_fcntl(int fd, int command, int argument) { return fcntl(fd, command, argument); }

int clinux_prctl(int option, unsigned long argument) { return prctl(option, argument, 0UL, 0UL, 0UL); }

int clinux_pipe(int ends[2]) { return pipe2(ends, O_CLOEXEC); }

int clinux_window_size(int fd, unsigned short *rows, unsigned short *columns) {
  struct winsize size;
  if (ioctl(fd, TIOCGWINSZ, &size) != 0) return -1;
  *rows = size.ws_row;
  *columns = size.ws_col;
  return 0;
}

int clinux_get_exclusive(int fd, int *exclusive) { return ioctl(fd, TIOCGEXCL, exclusive); }

int clinux_set_exclusive(int fd, int exclusive) { return ioctl(fd, exclusive ? TIOCEXCL : TIOCNXCL); }

ssize_t clinux_send(
    int fd, const struct iovec *parts, size_t part_count, const int *descriptors, size_t count, int flags) {
  union {
    struct cmsghdr header;
    char bytes[CMSG_SPACE(sizeof(int) * CLINUX_DESCRIPTORS_MAX)];
  } control;
  struct msghdr message = {.msg_iov = (struct iovec *)parts, .msg_iovlen = part_count};
  if (count > CLINUX_DESCRIPTORS_MAX) {
    errno = EINVAL;
    return -1;
  }
  if (count > 0) {
    memset(&control, 0, sizeof control);
    message.msg_control = control.bytes;
    message.msg_controllen = CMSG_SPACE(sizeof(int) * count);
    struct cmsghdr *header = CMSG_FIRSTHDR(&message);
    header->cmsg_level = SOL_SOCKET;
    header->cmsg_type = SCM_RIGHTS;
    header->cmsg_len = CMSG_LEN(sizeof(int) * count);
    memcpy(CMSG_DATA(header), descriptors, sizeof(int) * count);
  }
  return sendmsg(fd, &message, flags | MSG_NOSIGNAL);
}

/* Hands out the descriptors of one SCM_RIGHTS block and closes those beyond `maximum`. */
static void take_descriptors(struct cmsghdr *header, int *descriptors, size_t maximum, size_t *count, int *flags) {
  size_t number = (header->cmsg_len - CMSG_LEN(0)) / sizeof(int);
  for (size_t index = 0; index < number; index++) {
    int descriptor;
    memcpy(&descriptor, CMSG_DATA(header) + index * sizeof(int), sizeof descriptor);
    if (*count < maximum) {
      descriptors[(*count)++] = descriptor;
    } else {
      close(descriptor);
      *flags |= MSG_CTRUNC;
    }
  }
}

ssize_t clinux_receive(
    int fd, void *buffer, size_t size, int *descriptors, size_t maximum, size_t *count, int *flags) {
  union {
    struct cmsghdr header;
    char bytes[CMSG_SPACE(sizeof(int) * CLINUX_DESCRIPTORS_MAX)];
  } control;
  struct iovec part = {.iov_base = buffer, .iov_len = size};
  struct msghdr message = {
      .msg_iov = &part, .msg_iovlen = 1, .msg_control = control.bytes, .msg_controllen = sizeof control.bytes};
  *count = 0;
  *flags = 0;
  ssize_t received = recvmsg(fd, &message, MSG_CMSG_CLOEXEC);
  if (received < 0) return -1;
  *flags = message.msg_flags;
  for (struct cmsghdr *header = CMSG_FIRSTHDR(&message); header; header = CMSG_NXTHDR(&message, header)) {
    if (header->cmsg_level == SOL_SOCKET && header->cmsg_type == SCM_RIGHTS) {
      take_descriptors(header, descriptors, maximum, count, flags);
    }
  }
  return received;
}

/* Fills a unix address; its size, or 0 with errno set. */
static socklen_t unix_address(struct sockaddr_un *address, const char *path, size_t length) {
  if (length == 0 || length > CLINUX_SOCKET_PATH_MAX) {
    errno = length == 0 ? EINVAL : ENAMETOOLONG;
    return 0;
  }
  memset(address, 0, sizeof *address);
  address->sun_family = AF_UNIX;
  memcpy(address->sun_path, path, length);
  return (socklen_t)(offsetof(struct sockaddr_un, sun_path) + length + 1);
}

int clinux_bind(int fd, const char *path, size_t length) {
  struct sockaddr_un address;
  socklen_t size = unix_address(&address, path, length);
  return size == 0 ? -1 : bind(fd, (struct sockaddr *)&address, size);
}

int clinux_connect(int fd, const char *path, size_t length) {
  struct sockaddr_un address;
  socklen_t size = unix_address(&address, path, length);
  return size == 0 ? -1 : connect(fd, (struct sockaddr *)&address, size);
}

int clinux_peer_credentials(int fd, struct clinux_credentials *credentials) {
  struct ucred found = {.pid = 0, .uid = (uid_t)-1, .gid = (gid_t)-1};
  socklen_t size = sizeof found;
  int answer = getsockopt(fd, SOL_SOCKET, SO_PEERCRED, &found, &size);
  if (answer == 0 && size != sizeof found) {
    errno = ENODATA;
    answer = -1;
  }
  *credentials = (struct clinux_credentials){.pid = 0, .user = (uid_t)-1, .group = (gid_t)-1};
  if (answer == 0) *credentials = (struct clinux_credentials){.pid = found.pid, .user = found.uid, .group = found.gid};
  return answer;
}

int clinux_peer_pidfd(int fd) {
  int pidfd = -1;
  socklen_t size = sizeof pidfd;
  if (getsockopt(fd, SOL_SOCKET, SO_PEERPIDFD, &pidfd, &size) != 0) return -1;
  return pidfd;
}

int clinux_pidfd_open(pid_t pid) { return (int)syscall(SYS_pidfd_open, pid, 0U); }

int clinux_pidfd_send_signal(int pidfd, int signal) {
  return (int)syscall(SYS_pidfd_send_signal, pidfd, signal, NULL, 0U);
}

int clinux_accept(int fd) { return accept4(fd, NULL, NULL, SOCK_CLOEXEC); }

static int resource_of(int resource) {
  switch (resource) {
    case CLINUX_LIMIT_CORE: return RLIMIT_CORE;
    case CLINUX_LIMIT_MEMLOCK: return RLIMIT_MEMLOCK;
    default: return RLIMIT_NOFILE;
  }
}

int clinux_limit(int resource, uint64_t *soft, uint64_t *hard) {
  struct rlimit limit;
  if (getrlimit(resource_of(resource), &limit) != 0) return -1;
  *soft = limit.rlim_cur;
  *hard = limit.rlim_max;
  return 0;
}

int clinux_set_limit(int resource, uint64_t soft, uint64_t hard) {
  struct rlimit limit = {.rlim_cur = soft, .rlim_max = hard};
  return setrlimit(resource_of(resource), &limit);
}

const int clinux_pr_set_dumpable = PR_SET_DUMPABLE;
const int clinux_pr_get_dumpable = PR_GET_DUMPABLE;
const int clinux_pr_set_pdeathsig = PR_SET_PDEATHSIG;

int clinux_signal_descriptor(const int *signals, size_t count) {
  sigset_t set;
  sigemptyset(&set);
  for (size_t index = 0; index < count; index++) {
    if (sigaddset(&set, signals[index]) != 0) return -1;
  }
  errno = pthread_sigmask(SIG_BLOCK, &set, NULL);
  if (errno != 0) return -1;
  return signalfd(-1, &set, SFD_CLOEXEC | SFD_NONBLOCK);
}

int clinux_unblock_signals(const int *signals, size_t count) {
  sigset_t set;
  sigemptyset(&set);
  for (size_t index = 0; index < count; index++) {
    if (sigaddset(&set, signals[index]) != 0) return -1;
  }
  errno = pthread_sigmask(SIG_UNBLOCK, &set, NULL);
  return errno == 0 ? 0 : -1;
}

int clinux_event_descriptor(void) { return eventfd(0, EFD_CLOEXEC | EFD_NONBLOCK); }

int clinux_raise_event(int fd) { return eventfd_write(fd, 1); }

int clinux_next_signal(int fd) {
  struct signalfd_siginfo information;
  ssize_t count = read(fd, &information, sizeof information);
  return count == (ssize_t)sizeof information ? (int)information.ssi_signo : -1;
}

// Signals of a crash, as Swift's runtime takes them over (SWIFT_BACKTRACE), and SIGQUIT.
int clinux_leave_crashes(void) {
  static const int signals[] = {SIGQUIT, SIGILL, SIGTRAP, SIGABRT, SIGBUS, SIGFPE, SIGSEGV};
  for (size_t index = 0; index < sizeof signals / sizeof signals[0]; index++) {
    if (signal(signals[index], SIG_DFL) == SIG_ERR) return -1;
  }
  return 0;
}

int clinux_ignore_signal(int number) { return signal(number, SIG_IGN) == SIG_ERR ? -1 : 0; }

int clinux_syslog_date(char *text, size_t size) {
  static const char months[12][4] = {
      "Jan", "Feb", "Mar", "Apr", "May", "Jun", "Jul", "Aug", "Sep", "Oct", "Nov", "Dec"};
  time_t now = time(NULL);
  struct tm date;
  if (localtime_r(&now, &date) == NULL) return -1;
  snprintf(text, size, "%s %2d %02d:%02d:%02d", months[date.tm_mon % 12], date.tm_mday, date.tm_hour, date.tm_min,
           date.tm_sec);
  return 0;
}

int clinux_connect_datagram(const char *path, size_t length) {
  int fd = socket(AF_UNIX, SOCK_DGRAM | SOCK_CLOEXEC, 0);
  if (fd < 0) return -1;
  if (clinux_connect(fd, path, length) == 0) return fd;
  int failure = errno;
  close(fd);
  errno = failure;
  return -1;
}

int clinux_openat(int folder, const char *path, int flags) { return openat(folder, path, flags | O_CLOEXEC); }

int clinux_extent(int fd, int64_t *size, uint32_t *links) {
  struct statx facts;
  if (statx(fd, "", AT_EMPTY_PATH, STATX_SIZE | STATX_NLINK, &facts) != 0) return -1;
  *size = (int64_t)facts.stx_size;
  *links = facts.stx_nlink;
  return 0;
}

int clinux_socket_type(int fd) {
  int type = 0;
  socklen_t size = sizeof type;
  return getsockopt(fd, SOL_SOCKET, SO_TYPE, &type, &size) == 0 ? type : -1;
}

int clinux_clear_environment(void) { return clearenv(); }
