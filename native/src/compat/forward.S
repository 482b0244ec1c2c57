// Keeps the runner startable from glibc 2.28 on although it is linked against a newer one. Built with Debian 12's g++ its
// newest symbol is of 2.17. It ran on Debian 11 (2.31), the oldest system at hand.
// test/native/sweeps/glibc-floor.test.ts finds a symbol that binds too high; a line here fixes it.
//
// glibc 2.34 moved libpthread and libdl into libc and gave what moved a second, newer version (release notes of 2.34);
// 2.29 and 2.35 did so for the functions of libm that stopped setting errno by way of _LIB_VERSION. The linker always
// takes the newest version, also for references inside libstdc++.a and crt1.o. So every reference to a name below goes
// to __wrap_NAME (ld --wrap; native/Makefile reads the names from this file), which is a jump to the old version of the
// same function. Both versions are the same code in newer glibcs. What an old system has in libpthread.so.0 and
// libdl.so.2 it finds because the executable names these as needed; in newer glibcs they are empty but there.
//
// Second column: the version on x86-64 (objdump -T libc.so.6). On aarch64, which came with 2.17, all have that one.

.macro FORWARD name, version
.section .text.__wrap_\name, "ax", %progbits
.globl __wrap_\name
.hidden __wrap_\name
.type __wrap_\name, %function
__wrap_\name:
#if defined(__x86_64__)
  jmp old_\name
  .symver old_\name, \name@GLIBC_\version
#else
  b old_\name
  .symver old_\name, \name@GLIBC_2.17
#endif
.size __wrap_\name, . - __wrap_\name
.endm

FORWARD __pthread_key_create, 2.2.5
FORWARD pthread_attr_setstacksize, 2.2.5
FORWARD pthread_create, 2.2.5
FORWARD pthread_detach, 2.2.5
FORWARD pthread_getaffinity_np, 2.3.4
FORWARD pthread_getspecific, 2.2.5
FORWARD pthread_join, 2.2.5
FORWARD pthread_key_create, 2.2.5
FORWARD pthread_key_delete, 2.2.5
FORWARD pthread_kill, 2.2.5
FORWARD pthread_mutex_timedlock, 2.2.5
FORWARD pthread_mutex_trylock, 2.2.5
FORWARD pthread_once, 2.2.5
FORWARD pthread_rwlock_rdlock, 2.2.5
FORWARD pthread_rwlock_unlock, 2.2.5
FORWARD pthread_rwlock_wrlock, 2.2.5
FORWARD pthread_setaffinity_np, 2.3.4
FORWARD pthread_setname_np, 2.12
FORWARD pthread_setspecific, 2.2.5
FORWARD pthread_sigmask, 2.2.5
FORWARD sem_destroy, 2.2.5
FORWARD sem_init, 2.2.5
FORWARD sem_post, 2.2.5
FORWARD sem_wait, 2.2.5
FORWARD dladdr, 2.2.5
FORWARD dlclose, 2.2.5
FORWARD dlerror, 2.2.5
FORWARD dlopen, 2.2.5
FORWARD dlsym, 2.2.5
FORWARD dlvsym, 2.2.5
FORWARD exp, 2.2.5
FORWARD exp2, 2.2.5
FORWARD hypot, 2.2.5
FORWARD hypotf, 2.2.5
FORWARD log, 2.2.5
FORWARD log2, 2.2.5
FORWARD pow, 2.2.5

// No executable stack: assembler sources have to say so themselves.
.section .note.GNU-stack, "", %progbits
