#pragma once
#include <errno.h>
#include <sodium.h>
#include <stdint.h>
#include <sys/mman.h>
#include <sys/resource.h>
#include <unistd.h>

/* Swift imports neither MAP_FAILED nor errno; these give the four calls locked memory is made of as plain functions. */

/* Bytes of a page of this kernel. */
static inline size_t csodium_page_size(void) { return (size_t)sysconf(_SC_PAGESIZE); }

/* Address space that nobody can read or write; NULL where there is none. */
static inline void *csodium_reserve(size_t size) {
  void *start = mmap(NULL, size, PROT_NONE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
  return start == MAP_FAILED ? NULL : start;
}

/* Opens part of a reservation: locked, left out of core dumps, all zero in forked children. 0, or the errno of the step that
   failed. */
static inline int csodium_open_locked(void *start, size_t size) {
  if (madvise(start, size, MADV_DONTDUMP) != 0 || madvise(start, size, MADV_WIPEONFORK) != 0) return errno;
  if (mprotect(start, size, PROT_READ | PROT_WRITE) != 0 || mlock(start, size) != 0) return errno;
  return 0;
}

/* Gives a reservation back, locked parts included. */
static inline void csodium_release(void *start, size_t size) { munmap(start, size); }

/* A page that is marked in this process and not in a child that fork(2) made of it; NULL where there is none. */
static inline void *csodium_make_fork_mark(void) {
  size_t size = csodium_page_size();
  void *mark = mmap(NULL, size, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
  if (mark == MAP_FAILED) return NULL;
  if (madvise(mark, size, MADV_WIPEONFORK) != 0) {
    munmap(mark, size);
    return NULL;
  }
  *(volatile uint8_t *)mark = 1;
  return mark;
}

/* Whether the page is marked. */
static inline int csodium_has_fork_mark(const void *mark) { return *(const volatile uint8_t *)mark; }

/* Marks the page. */
static inline void csodium_set_fork_mark(void *mark) { *(volatile uint8_t *)mark = 1; }

/* The soft RLIMIT_MEMLOCK in bytes; UINT64_MAX for none, 0 where it cannot be read. */
static inline uint64_t csodium_locked_memory_limit(void) {
  struct rlimit limit;
  if (getrlimit(RLIMIT_MEMLOCK, &limit) != 0) return 0;
  return limit.rlim_cur == RLIM_INFINITY ? UINT64_MAX : (uint64_t)limit.rlim_cur;
}
