#pragma once
#include <sys/types.h>
#include <errno.h>
#include <keyutils.h>
#include <pthread.h>
#include <stddef.h>

/* errno is a macro that Swift cannot import. */
static inline int ckeyutils_errno(void) { return errno; }

/* One read on a thread of its own: keyrings belong to threads, so only this shows that later threads reach a key. */
struct ckeyutils_reading {
  key_serial_t key;
  char byte;
  long count;
  int error;
};

static inline void *ckeyutils_read_once(void *argument) {
  struct ckeyutils_reading *reading = (struct ckeyutils_reading *)argument;
  reading->count = keyctl_read(reading->key, &reading->byte, 1);
  reading->error = reading->count < 0 ? errno : 0;
  return NULL;
}

/* Reads a key of one byte from a new thread: 0 where it found one byte, else an errno. */
static inline int ckeyutils_read_from_thread(key_serial_t key) {
  struct ckeyutils_reading reading = {key, 0, 0, 0};
  pthread_t thread;
  int error = pthread_create(&thread, NULL, ckeyutils_read_once, &reading);
  if (error != 0) return error;
  pthread_join(thread, NULL);
  return reading.error != 0 ? reading.error : reading.count == 1 ? 0 : ENOKEY;
}
