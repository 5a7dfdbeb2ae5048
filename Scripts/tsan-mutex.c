// Tells the thread sanitizer of the slow path of Swift's Mutex, which libswiftSynchronization has
// without instrumentation: otherwise every contended lock looks like a race.
#define _GNU_SOURCE
#include <dlfcn.h>
#include <stdint.h>

#define LOCK "$s15Synchronization12_MutexHandleV9_lockSlowyys6UInt32VF"
#define UNLOCK "$s15Synchronization12_MutexHandleV11_unlockSlowyyF"
#define swiftcall __attribute__((swiftcall))
#define context __attribute__((swift_context))

typedef swiftcall void (*lock_call)(uint32_t thread, context void *mutex);
typedef swiftcall void (*unlock_call)(context void *mutex);

extern void __tsan_acquire(void *address);
extern void __tsan_release(void *address);

swiftcall void lock_slow(uint32_t thread, context void *mutex) __asm__(LOCK);
swiftcall void lock_slow(uint32_t thread, context void *mutex) {
    ((lock_call)dlsym(RTLD_NEXT, LOCK))(thread, mutex);
    __tsan_acquire(mutex);
}

swiftcall void unlock_slow(context void *mutex) __asm__(UNLOCK);
swiftcall void unlock_slow(context void *mutex) {
    __tsan_release(mutex);
    ((unlock_call)dlsym(RTLD_NEXT, UNLOCK))(mutex);
}
