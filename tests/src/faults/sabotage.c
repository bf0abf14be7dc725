/* Preloaded into a process under test: while the file SABOTAGE_SWITCH exists, whatever would change a file below
 * SABOTAGE_FOLDER fails with the error number that stands in the switch, as on a disk that is dying. */
#define _GNU_SOURCE
#include <dlfcn.h>
#include <errno.h>
#include <fcntl.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/syscall.h>
#include <sys/uio.h>
#include <unistd.h>

/* The error number in the switch, or 0. It is read by bare system calls, which nothing here stands in for. */
static int armed(void) {
  const char *path = getenv("SABOTAGE_SWITCH");
  if (!path) return 0;
  int before = errno;
  long fd = syscall(SYS_openat, AT_FDCWD, path, O_RDONLY | O_CLOEXEC, 0);
  errno = before;
  if (fd < 0) return 0;
  char text[16] = {0};
  long got = syscall(SYS_read, (int)fd, text, sizeof text - 1);
  syscall(SYS_close, (int)fd);
  errno = before;
  return got > 0 ? atoi(text) : 0;
}

static int below(const char *path) {
  const char *folder = getenv("SABOTAGE_FOLDER");
  return folder && path && strncmp(path, folder, strlen(folder)) == 0;
}

/* The error with which a change of this file fails now, or 0. */
static int fails(int fd) {
  int error = armed();
  if (!error) return 0;
  int before = errno;
  char link[64], path[4096];
  snprintf(link, sizeof link, "/proc/self/fd/%d", fd);
  ssize_t length = readlink(link, path, sizeof path - 1);
  errno = before;
  if (length < 0) return 0;
  path[length] = 0;
  return below(path) ? error : 0;
}

#define ORIGINAL(name) \
  static __typeof__(name) *original; \
  if (!original) original = (__typeof__(name) *)dlsym(RTLD_NEXT, #name)
#define FAIL_IF(error) \
  do { int failed = (error); if (failed) { errno = failed; return -1; } } while (0)

#define ON_FD(result, name, parameters, arguments) \
  result name parameters { \
    ORIGINAL(name); \
    FAIL_IF(fails(fd)); \
    return original arguments; \
  }

ON_FD(ssize_t, write, (int fd, const void *data, size_t size), (fd, data, size))
ON_FD(ssize_t, pwrite, (int fd, const void *data, size_t size, off_t at), (fd, data, size, at))
ON_FD(ssize_t, pwrite64, (int fd, const void *data, size_t size, off64_t at), (fd, data, size, at))
ON_FD(ssize_t, writev, (int fd, const struct iovec *parts, int count), (fd, parts, count))
ON_FD(ssize_t, pwritev, (int fd, const struct iovec *parts, int count, off_t at), (fd, parts, count, at))
ON_FD(ssize_t, pwritev64, (int fd, const struct iovec *parts, int count, off64_t at), (fd, parts, count, at))
ON_FD(int, fsync, (int fd), (fd))
ON_FD(int, fdatasync, (int fd), (fd))
ON_FD(int, ftruncate, (int fd, off_t size), (fd, size))
ON_FD(int, ftruncate64, (int fd, off64_t size), (fd, size))

/* A file system that is read-only also refuses to open for writing; a broken one mostly does not. */
static int refuses(const char *path, int flags) {
  int writes = (flags & O_ACCMODE) != O_RDONLY || (flags & O_CREAT);
  return writes && below(path) && armed() == EROFS ? EROFS : 0;
}

#define OPENING(name) \
  int name(const char *path, int flags, ...) { \
    ORIGINAL(name); \
    va_list rest; \
    va_start(rest, flags); \
    int mode = va_arg(rest, int); \
    va_end(rest); \
    FAIL_IF(refuses(path, flags)); \
    return original(path, flags, mode); \
  }

OPENING(open)
OPENING(open64)
