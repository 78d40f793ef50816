/* Preloaded into the writer: logs, in order, what is done to the files of one folder, and what is acknowledged.
 *
 * DAYNIGHT_POWER_ROOT  the folder (resolved); its files are followed, but for *-shm, which no recovery reads
 * DAYNIGHT_POWER_ACKS  the file (resolved) that is the writer's standard output
 * DAYNIGHT_POWER_LOG   where the log goes
 *
 * An entry is a struct head, the name, the data. It is written after the call has succeeded, and one lock is held from
 * before the call until then, for all threads (a mutex) and all processes (flock): the log's order is what happened.
 * Which file a descriptor means is asked of /proc each time, so nothing here can go stale.
 *
 * W write  T new size  S file synced  D folder synced  C created  U unlinked  R renamed  A acknowledged  H here I am
 * X something that this log cannot tell: the recording is then refused
 */
#define _GNU_SOURCE
#include <dlfcn.h>
#include <errno.h>
#include <fcntl.h>
#include <limits.h>
#include <pthread.h>
#include <stdarg.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/file.h>
#include <sys/mman.h>
#include <sys/stat.h>
#include <sys/uio.h>
#include <unistd.h>

struct head {
    char kind;
    char none[3];
    uint32_t name;
    uint64_t offset;
    uint64_t length;
};

enum { OTHER, INSIDE, FOLDER, ACKS };

static pthread_mutex_t mutex = PTHREAD_MUTEX_INITIALIZER;
static pthread_once_t once = PTHREAD_ONCE_INIT;
static const char *root, *acks, *log_path;
static int log_fd = -1;

#define REAL(result, name, ...) static result (*real_##name)(__VA_ARGS__)
REAL(int, openat, int, const char *, int, ...);
REAL(ssize_t, write, int, const void *, size_t);
REAL(ssize_t, writev, int, const struct iovec *, int);
REAL(ssize_t, pwrite, int, const void *, size_t, off_t);
REAL(ssize_t, pwritev, int, const struct iovec *, int, off_t);
REAL(int, ftruncate, int, off_t);
REAL(int, truncate, const char *, off_t);
REAL(int, fallocate, int, int, off_t, off_t);
REAL(int, posix_fallocate, int, off_t, off_t);
REAL(int, fsync, int);
REAL(int, fdatasync, int);
REAL(int, unlinkat, int, const char *, int);
REAL(int, renameat, int, const char *, int, const char *);
REAL(int, linkat, int, const char *, int, const char *, int);
REAL(void *, mmap, void *, size_t, int, int, int, off_t);

static void die(const char *why) {
    dprintf(2, "the recorder of tests/store/power: %s (%s)\n", why, strerror(errno));
    abort();
}

static void *next(const char *name) {
    void *found = dlsym(RTLD_NEXT, name);
    if (!found) die(name);
    return found;
}

static void before_fork(void) { pthread_mutex_lock(&mutex); }
static void parent_after_fork(void) { pthread_mutex_unlock(&mutex); }
static void child_after_fork(void) {
    if (log_fd >= 0) close(log_fd); /* flock belongs to the open file: a child needs its own */
    log_fd = -1;
    pthread_mutex_unlock(&mutex);
}

static void begin(void) {
    real_openat = next("openat");
    real_write = next("write");
    real_writev = next("writev");
    real_pwrite = next("pwrite");
    real_pwritev = next("pwritev");
    real_ftruncate = next("ftruncate");
    real_truncate = next("truncate");
    real_fallocate = next("fallocate");
    real_posix_fallocate = next("posix_fallocate");
    real_fsync = next("fsync");
    real_fdatasync = next("fdatasync");
    real_unlinkat = next("unlinkat");
    real_renameat = next("renameat");
    real_linkat = next("linkat");
    real_mmap = next("mmap");
    root = getenv("DAYNIGHT_POWER_ROOT");
    acks = getenv("DAYNIGHT_POWER_ACKS");
    log_path = getenv("DAYNIGHT_POWER_LOG");
    if (!root || !acks || !log_path) die("the environment does not say what to record");
    root = strdup(root), acks = strdup(acks), log_path = strdup(log_path);
    pthread_atfork(before_fork, parent_after_fork, child_after_fork);
}

static void ready(void) { pthread_once(&once, begin); }

static void lock(void) {
    pthread_mutex_lock(&mutex);
    if (log_fd < 0) log_fd = real_openat(AT_FDCWD, log_path, O_WRONLY | O_APPEND | O_CREAT | O_CLOEXEC, 0600);
    if (log_fd < 0) die("the log does not open");
    while (flock(log_fd, LOCK_EX))
        if (errno != EINTR) die("the log cannot be locked");
}

static void unlock(void) {
    int kept = errno;
    flock(log_fd, LOCK_UN);
    pthread_mutex_unlock(&mutex);
    errno = kept;
}

static void put(char kind, const char *name, uint64_t offset, const void *data, uint64_t length) {
    int kept = errno;
    struct head head = {kind, {0}, (uint32_t)strlen(name), offset, length};
    struct iovec parts[3] = {
        {&head, sizeof head}, {(void *)(uintptr_t)name, head.name}, {(void *)(uintptr_t)data, length}};
    if (real_writev(log_fd, parts, 3) != (ssize_t)(sizeof head + head.name + length)) die("the log is not written");
    errno = kept;
}

static int is_shm(const char *name) {
    size_t length = strlen(name);
    return length >= 4 && !strcmp(name + length - 4, "-shm");
}

/* What an absolute path means; the name of a file inside the folder is put into name. */
static int meaning(const char *path, char *name) {
    size_t length = strlen(root);
    if (!strcmp(path, acks)) return ACKS;
    if (strncmp(path, root, length)) return OTHER;
    if (!path[length]) return FOLDER;
    if (path[length] != '/' || strchr(path + length + 1, '/')) return OTHER;
    strcpy(name, path + length + 1);
    return is_shm(name) ? OTHER : INSIDE;
}

static int path_of(int fd, char *path) {
    char link[64];
    snprintf(link, sizeof link, "/proc/self/fd/%d", fd);
    ssize_t length = readlink(link, path, PATH_MAX - 1);
    path[length < 0 ? 0 : length] = 0;
    return length > 0;
}

static int which(int fd, char *name) {
    char path[PATH_MAX];
    int kept = errno;
    int found = path_of(fd, path) ? meaning(path, name) : OTHER;
    errno = kept;
    return found;
}

/* The same for a path as a call is given it; its last part need not exist, and a link there is not followed. */
static int which_at(int at, const char *given, char *name) {
    char full[2 * PATH_MAX + 2] = "", folder[PATH_MAX], path[2 * PATH_MAX + 2];
    int kept = errno, found = OTHER;
    if (given && strlen(given) < PATH_MAX) {
        if (given[0] != '/' && (at == AT_FDCWD ? !getcwd(full, PATH_MAX) : !path_of(at, full))) full[0] = 0;
        strcat(strcat(full, "/"), given);
        char *slash = strrchr(full, '/');
        *slash = 0;
        if (realpath(full[0] ? full : "/", folder)) {
            snprintf(path, sizeof path, "%s/%s", folder, slash + 1);
            if (strlen(path) < PATH_MAX) found = meaning(path, name);
        }
    }
    errno = kept;
    return found;
}

__attribute__((constructor)) static void here(void) {
    ready();
    lock();
    put('H', "", 0, "", 0);
    unlock();
}

/* ------------------------------------------------------------------------------------------- the calls themselves */

static int opened(int at, const char *path, int flags, mode_t mode) {
    char name[PATH_MAX];
    struct stat found;
    ready();
    if (!(flags & (O_CREAT | O_TRUNC)) || which_at(at, path, name) != INSIDE) return real_openat(at, path, flags, mode);
    lock();
    int kept = errno, there = !fstatat(at, path, &found, 0);
    errno = kept;
    int fd = real_openat(at, path, flags, mode);
    if (fd >= 0 && which(fd, name) == INSIDE) {
        if (!there) put('C', name, 0, "", 0);
        else if (flags & O_TRUNC) put('T', name, 0, "", 0);
    }
    unlock();
    return fd;
}

#define MODE(flags, last) \
    mode_t mode = 0; \
    if ((flags) & (O_CREAT | (O_TMPFILE & ~O_DIRECTORY))) { \
        va_list rest; \
        va_start(rest, last); \
        mode = va_arg(rest, mode_t); \
        va_end(rest); \
    }

int open(const char *path, int flags, ...) { MODE(flags, flags) return opened(AT_FDCWD, path, flags, mode); }
int open64(const char *path, int flags, ...) { MODE(flags, flags) return opened(AT_FDCWD, path, flags, mode); }
int openat(int at, const char *path, int flags, ...) { MODE(flags, flags) return opened(at, path, flags, mode); }
int openat64(int at, const char *path, int flags, ...) { MODE(flags, flags) return opened(at, path, flags, mode); }
int creat(const char *path, mode_t mode) { return opened(AT_FDCWD, path, O_CREAT | O_WRONLY | O_TRUNC, mode); }
int creat64(const char *path, mode_t mode) { return creat(path, mode); }

ssize_t write(int fd, const void *data, size_t length) {
    char name[PATH_MAX];
    ready();
    int what = which(fd, name);
    if (what != INSIDE && what != ACKS) return real_write(fd, data, length);
    lock();
    ssize_t done = real_write(fd, data, length);
    if (done > 0 && what == ACKS) put('A', "", 0, data, done);
    if (done > 0 && what == INSIDE) put('W', name, lseek(fd, 0, SEEK_CUR) - done, data, done);
    unlock();
    return done;
}

ssize_t pwrite(int fd, const void *data, size_t length, off_t offset) {
    char name[PATH_MAX];
    ready();
    if (which(fd, name) != INSIDE) return real_pwrite(fd, data, length, offset);
    lock();
    ssize_t done = real_pwrite(fd, data, length, offset);
    if (done > 0) put('W', name, offset, data, done);
    unlock();
    return done;
}
ssize_t pwrite64(int fd, const void *data, size_t length, off_t offset) { return pwrite(fd, data, length, offset); }

/* Of a call that may have changed a file's size, the size it now has. */
static void put_size(int fd, const char *name) {
    struct stat found;
    int kept = errno;
    if (fstat(fd, &found)) die("a file has no size");
    put('T', name, found.st_size, "", 0);
    errno = kept;
}

#define LOGGED(result, call, succeeded, wanted, entry) \
    char name[PATH_MAX]; \
    name[0] = 0; \
    ready(); \
    int what = which(fd, name); \
    if (!(wanted)) return call; \
    lock(); \
    result done = call; \
    if (succeeded) { entry; } \
    unlock(); \
    return done;

int ftruncate(int fd, off_t size) {
    LOGGED(int, real_ftruncate(fd, size), !done, what == INSIDE, put_size(fd, name))
}
int ftruncate64(int fd, off_t size) { return ftruncate(fd, size); }

int fallocate(int fd, int mode, off_t offset, off_t length) {
    LOGGED(int, real_fallocate(fd, mode, offset, length), !done, what == INSIDE,
           if (mode & ~FALLOC_FL_KEEP_SIZE) put('X', name, 0, "fallocate", 9); else put_size(fd, name))
}
int fallocate64(int fd, int mode, off_t offset, off_t length) { return fallocate(fd, mode, offset, length); }

int posix_fallocate(int fd, off_t offset, off_t length) {
    LOGGED(int, real_posix_fallocate(fd, offset, length), !done, what == INSIDE, put_size(fd, name))
}
int posix_fallocate64(int fd, off_t offset, off_t length) { return posix_fallocate(fd, offset, length); }

static void put_sync(int what, const char *name) {
    if (what == INSIDE) put('S', name, 0, "", 0);
    else put('D', "", 0, "", 0);
}

int fsync(int fd) { LOGGED(int, real_fsync(fd), !done, what == INSIDE || what == FOLDER, put_sync(what, name)) }
int fdatasync(int fd) { LOGGED(int, real_fdatasync(fd), !done, what == INSIDE || what == FOLDER, put_sync(what, name)) }

ssize_t writev(int fd, const struct iovec *parts, int count) {
    LOGGED(ssize_t, real_writev(fd, parts, count), done > 0, what == INSIDE || what == ACKS,
           put('X', name, 0, "writev", 6))
}
ssize_t pwritev(int fd, const struct iovec *parts, int count, off_t offset) {
    LOGGED(ssize_t, real_pwritev(fd, parts, count, offset), done > 0, what == INSIDE, put('X', name, 0, "pwritev", 7))
}
ssize_t pwritev64(int fd, const struct iovec *parts, int count, off_t offset) {
    return pwritev(fd, parts, count, offset);
}

void *mmap(void *at, size_t length, int protection, int flags, int fd, off_t offset) {
    int writes = fd >= 0 && (protection & PROT_WRITE) && (flags & MAP_TYPE) != MAP_PRIVATE;
    LOGGED(void *, real_mmap(at, length, protection, flags, fd, offset), done != MAP_FAILED, writes && what == INSIDE,
           put('X', name, 0, "mmap", 4))
}
void *mmap64(void *at, size_t length, int protection, int flags, int fd, off_t offset) {
    return mmap(at, length, protection, flags, fd, offset);
}

int truncate(const char *path, off_t size) {
    char name[PATH_MAX];
    ready();
    if (which_at(AT_FDCWD, path, name) != INSIDE) return real_truncate(path, size);
    lock();
    int done = real_truncate(path, size);
    if (!done) put('T', name, size, "", 0);
    unlock();
    return done;
}
int truncate64(const char *path, off_t size) { return truncate(path, size); }

int unlinkat(int at, const char *path, int flags) {
    char name[PATH_MAX];
    ready();
    if ((flags & AT_REMOVEDIR) || which_at(at, path, name) != INSIDE) return real_unlinkat(at, path, flags);
    lock();
    int done = real_unlinkat(at, path, flags);
    if (!done) put('U', name, 0, "", 0);
    unlock();
    return done;
}
int unlink(const char *path) { return unlinkat(AT_FDCWD, path, 0); }

/* From the folder to elsewhere, or from elsewhere into it, is more than this log can tell. */
static int moved(int old_at, const char *old, int new_at, const char *new, int link) {
    char from[PATH_MAX] = "", to[PATH_MAX] = "";
    ready();
    int inside = (which_at(old_at, old, from) == INSIDE) + (which_at(new_at, new, to) == INSIDE);
    if (!inside) return link ? real_linkat(old_at, old, new_at, new, 0) : real_renameat(old_at, old, new_at, new);
    lock();
    int done = link ? real_linkat(old_at, old, new_at, new, 0) : real_renameat(old_at, old, new_at, new);
    if (!done && !link && inside == 2) put('R', from, 0, to, strlen(to));
    else if (!done) put('X', from, 0, link ? "link" : "rename", link ? 4 : 6);
    unlock();
    return done;
}
int rename(const char *old, const char *new) { return moved(AT_FDCWD, old, AT_FDCWD, new, 0); }
int renameat(int old_at, const char *old, int new_at, const char *new) { return moved(old_at, old, new_at, new, 0); }
int link(const char *old, const char *new) { return moved(AT_FDCWD, old, AT_FDCWD, new, 1); }
