// Shows the thread sanitizer what it cannot see: Swift's Mutex takes and lets go of a contended lock in its own library, which
// is not instrumented, so that what the lock orders looks like a race. Linked into a program, these stand in front of the
// library's functions and tell the sanitizer of the order; the library still does the work. Uncontended locks are inlined and
// seen anyway. Compiled with clang, which knows its calling convention.
#define _GNU_SOURCE
#include <dlfcn.h>
#include <stdint.h>

#define LOCK_SLOW "$s15Synchronization12_MutexHandleV9_lockSlowyys6UInt32VF"
#define UNLOCK_SLOW "$s15Synchronization12_MutexHandleV11_unlockSlowyyF"

#define SWIFT __attribute__((swiftcall))
// Where the mutex is.
#define SELF __attribute__((swift_context)) void *mutex

void __tsan_acquire(void *address);
void __tsan_release(void *address);

typedef SWIFT void lock_function(uint32_t thread, SELF);
typedef SWIFT void unlock_function(SELF);

SWIFT void lock_slow(uint32_t thread, SELF) __asm__(LOCK_SLOW);
SWIFT void unlock_slow(SELF) __asm__(UNLOCK_SLOW);

SWIFT void lock_slow(uint32_t thread, SELF) {
  ((lock_function *)dlsym(RTLD_NEXT, LOCK_SLOW))(thread, mutex);
  __tsan_acquire(mutex);
}

SWIFT void unlock_slow(SELF) {
  __tsan_release(mutex);
  ((unlock_function *)dlsym(RTLD_NEXT, UNLOCK_SLOW))(mutex);
}
