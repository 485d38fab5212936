// A hostile program of the same user: tries to trace every process of the given names from its first moment on.
//
// usage: latchkey-tracer NAME...   Runs until its standard input ends, then prints "seen N traced M".

#define _GNU_SOURCE
#include <ctype.h>
#include <dirent.h>
#include <errno.h>
#include <fcntl.h>
#include <poll.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/ptrace.h>
#include <sys/wait.h>
#include <unistd.h>

enum { most_processes = 4194304 };
static unsigned char state[most_processes];  // 1: seen, 2: traced

// The kernel keeps 15 bytes of a program's name.
static int is_named(const char *name, int count, char **names) {
  for (int index = 0; index < count; index++)
    if (strncmp(name, names[index], 15) == 0) return 1;
  return 0;
}

static int read_name(int process, char name[32]) {
  char path[64];
  snprintf(path, sizeof path, "/proc/%d/comm", process);
  int file = open(path, O_RDONLY | O_CLOEXEC);
  if (file < 0) return 0;
  ssize_t count = read(file, name, 31);
  close(file);
  if (count <= 0) return 0;
  name[count] = 0;
  name[strcspn(name, "\n")] = 0;
  return 1;
}

static void try_to_trace(int process) {
  if (ptrace(PTRACE_SEIZE, process, 0, 0) != 0) return;
  state[process] = 2;
  // What a tracer would use: its memory. Then it lets go, so that the process lives on.
  if (ptrace(PTRACE_INTERRUPT, process, 0, 0) == 0) {
    int status;
    waitpid(process, &status, __WALL);
    ptrace(PTRACE_DETACH, process, 0, 0);
  }
}

int main(int count, char **arguments) {
  long traced = 0, seen = 0;
  int last = 0;
  struct pollfd input = {.fd = 0, .events = POLLIN};
  for (;;) {
    if (poll(&input, 1, 0) != 0) break;
    DIR *all = opendir("/proc");
    if (!all) return 1;
    for (struct dirent *entry; (entry = readdir(all));) {
      if (!isdigit((unsigned char)entry->d_name[0])) continue;
      int process = atoi(entry->d_name);
      if (process <= 1 || process >= most_processes || process == getpid() || state[process] == 2) continue;
      char name[32];
      if (!read_name(process, name) || !is_named(name, count - 1, arguments + 1)) continue;
      if (state[process] == 0) state[process] = 1;
      try_to_trace(process);
      last = process;
    }
    closedir(all);
  }
  for (int process = 0; process < most_processes; process++) {
    seen += state[process] != 0;
    traced += state[process] == 2;
  }
  printf("seen %ld traced %ld last %d\n", seen, traced, last);
  return 0;
}
