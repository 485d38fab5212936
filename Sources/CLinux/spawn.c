#define _GNU_SOURCE 1
#include "clinux.h"

#include <sched.h>
#include <stddef.h>
#include <sys/mman.h>
#include <sys/prctl.h>
#include <sys/syscall.h>

/* The child shares the parent's memory until it execs (CLONE_VM | CLONE_VFORK), so that no copy of the parent's secrets
   is ever made and no page table is copied. Therefore the child makes raw system calls only: glibc's own setuid family
   would signal the PARENT's threads, and malloc or stdio could be in the middle of another thread's work. errno is the
   waiting caller's own. */

enum { STACK_SIZE = 64 * 1024, MIDDLE_SIZE = 16 * 1024, GUARD_SIZE = 64 * 1024, SIGNAL_COUNT = 64, SIGNAL_SET_SIZE = 8 };

/* The kernel's struct sigaction, all zero: the default action. */
struct kernel_action {
  unsigned long words[4];
};

struct child {
  const struct clinux_spawn_plan *plan;
  pid_t parent;
  void *stack_end;
  volatile int failure;
};

static int reset_signals(void) {
  struct kernel_action action = {{0, 0, 0, 0}};
  for (int number = 1; number <= SIGNAL_COUNT; number++) {
    if (number == SIGKILL || number == SIGSTOP) continue;
    if (syscall(SYS_rt_sigaction, number, &action, NULL, (size_t)SIGNAL_SET_SIZE) != 0) return -1;
  }
  return 0;
}

static int close_between(unsigned first, unsigned last) {
  return first > last ? 0 : (int)syscall(SYS_close_range, first, last, 0U);
}

/* Moves the sources out of the way, then to their numbers, and closes all else. */
static int arrange_descriptors(const struct clinux_spawn_plan *plan, int *moved) {
  int above = 3;
  for (size_t index = 0; index < plan->descriptor_count; index++) {
    if (plan->targets[index] >= above) above = plan->targets[index] + 1;
  }
  for (size_t index = 0; index < plan->descriptor_count; index++) {
    moved[index] = (int)syscall(SYS_fcntl, plan->sources[index], F_DUPFD_CLOEXEC, above);
    if (moved[index] < 0) return -1;
  }
  unsigned next = 0;
  for (size_t index = 0; index < plan->descriptor_count; index++) {
    if (syscall(SYS_dup3, moved[index], plan->targets[index], 0) < 0) return -1;
  }
  for (size_t index = 0; index < plan->descriptor_count; index++) {
    unsigned target = (unsigned)plan->targets[index];
    if (target > 0 && close_between(next, target - 1) != 0) return -1;
    next = target + 1;
  }
  return close_between(next, ~0U);
}

static int become_user(const struct clinux_spawn_plan *plan) {
  if (syscall(SYS_setgroups, plan->group_count, plan->groups) != 0) return -1;
  if (syscall(SYS_setresgid, plan->group, plan->group, plan->group) != 0) return -1;
  return (int)syscall(SYS_setresuid, plan->user, plan->user, plan->user);
}

/* After the change of user, which clears it. A parent that died meanwhile sends no signal any more. */
static int follow_parent(const struct child *child) {
  unsigned long signal = (unsigned long)child->plan->parent_death_signal;
  if (syscall(SYS_prctl, PR_SET_PDEATHSIG, signal, 0UL, 0UL, 0UL) != 0) return -1;
  if (syscall(SYS_getppid) == child->parent) return 0;
  errno = ESRCH;
  return -1;
}

static int prepare(const struct child *child, int *moved) {
  const struct clinux_spawn_plan *plan = child->plan;
  unsigned long no_signals = 0;
  if (reset_signals() != 0) return -1;
  if (plan->new_session && syscall(SYS_setsid) < 0) return -1;
  syscall(SYS_umask, plan->mask);
  if (arrange_descriptors(plan, moved) != 0) return -1;
  if (plan->change_user && become_user(plan) != 0) return -1;
  if (plan->parent_death_signal != 0 && follow_parent(child) != 0) return -1;
  if (syscall(SYS_chdir, plan->directory) != 0) return -1;
  return (int)syscall(SYS_rt_sigprocmask, SIG_SETMASK, &no_signals, NULL, (size_t)SIGNAL_SET_SIZE);
}

static int child_main(void *argument) {
  struct child *child = argument;
  int moved[CLINUX_DESCRIPTORS_MAX];
  if (prepare(child, moved) == 0) {
    syscall(SYS_execve, child->plan->program, child->plan->arguments, child->plan->environment);
  }
  child->failure = errno;
  syscall(SYS_exit_group, 127);
  return 127;
}

/* The process between the caller and a detached program: it ends at once, so that the program belongs to init (or the
   nearest subreaper). Its own stack lies below the program's. */
static int middle_main(void *argument) {
  struct child *child = argument;
  pid_t pid = clone(child_main, child->stack_end, CLONE_VM | CLONE_VFORK | SIGCHLD, child);
  if (pid < 0) child->failure = errno;
  syscall(SYS_exit_group, 0);
  return 0;
}

/* clone(2) with every signal blocked, glibc's internal ones too: a handler must not run in the shared memory. The middle
   process ends without a signal and is seen by no ordinary wait, so that the caller's own waiting never meets it. */
static pid_t clone_blocked(char *stack_end, struct child *child, int *pidfd) {
  unsigned long all = ~0UL, before = 0;
  syscall(SYS_rt_sigprocmask, SIG_SETMASK, &all, &before, (size_t)SIGNAL_SET_SIZE);
  int flags = CLONE_VM | CLONE_VFORK | CLONE_PIDFD;
  child->stack_end = stack_end;
  pid_t pid = child->plan->detached ? clone(middle_main, stack_end - STACK_SIZE, flags, child, pidfd)
                                    : clone(child_main, stack_end, flags | SIGCHLD, child, pidfd);
  int failure = errno;
  syscall(SYS_rt_sigprocmask, SIG_SETMASK, &before, NULL, (size_t)SIGNAL_SET_SIZE);
  errno = failure;
  return pid;
}

/* The child that never became a program, and the middle process, are collected here, so that the caller has nothing to
   clean up. */
static void collect(int pidfd) {
  siginfo_t information;
  while (waitid(P_PIDFD, (id_t)pidfd, &information, WEXITED | __WALL) < 0 && errno == EINTR) continue;
  close(pidfd);
}

int clinux_spawn(const struct clinux_spawn_plan *plan, pid_t *pid, int *pidfd) {
  if (plan->descriptor_count > CLINUX_DESCRIPTORS_MAX) return EINVAL;
  size_t size = GUARD_SIZE + MIDDLE_SIZE + STACK_SIZE;
  char *memory = mmap(NULL, size, PROT_NONE, MAP_PRIVATE | MAP_ANONYMOUS | MAP_STACK | MAP_NORESERVE, -1, 0);
  if (memory == MAP_FAILED) return errno;
  struct child child = {.plan = plan, .parent = getpid(), .failure = 0};
  int failure = 0;
  if (mprotect(memory + GUARD_SIZE, MIDDLE_SIZE + STACK_SIZE, PROT_READ | PROT_WRITE) != 0) {
    failure = errno;
  } else {
    *pid = clone_blocked(memory + size, &child, pidfd);
    failure = *pid < 0 ? errno : child.failure;
    if (*pid > 0 && (failure != 0 || plan->detached)) collect(*pidfd);
  }
  munmap(memory, size);
  return failure;
}

int clinux_wait(int pidfd, int no_hang, int *code, int *status) {
  siginfo_t information;
  memset(&information, 0, sizeof information);
  if (waitid(P_PIDFD, (id_t)pidfd, &information, WEXITED | (no_hang ? WNOHANG : 0)) != 0) return -1;
  if (information.si_pid == 0) return 0;
  *code = information.si_code;
  *status = information.si_status;
  return 1;
}

int clinux_become(const char *program, char **arguments) { return execv(program, arguments); }

void clinux_exit_now(int status) { _exit(status); }
