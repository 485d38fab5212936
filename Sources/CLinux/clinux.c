#include "clinux.h"

#include <stddef.h>

#ifndef SO_PEERPIDFD
#define SO_PEERPIDFD 77
#endif

int clinux_open(const char *path, int flags, mode_t mode) { return open(path, flags | O_CLOEXEC, mode); }

int clinux_fcntl(int fd, int command, int argument) { return fcntl(fd, command, argument); }

int clinux_prctl(int option, unsigned long argument) { return prctl(option, argument, 0UL, 0UL, 0UL); }

int clinux_window_size(int fd, struct winsize *size) { return ioctl(fd, TIOCGWINSZ, size); }

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

int clinux_peer_credentials(int fd, struct ucred *credentials) {
  socklen_t size = sizeof *credentials;
  credentials->pid = 0;
  credentials->uid = (uid_t)-1;
  credentials->gid = (gid_t)-1;
  if (getsockopt(fd, SOL_SOCKET, SO_PEERCRED, credentials, &size) != 0) return -1;
  if (size != sizeof *credentials) {
    errno = ENODATA;
    return -1;
  }
  return 0;
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
