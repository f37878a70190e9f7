"""What a child puts between itself and the machine: limits, no new privileges, Landlock, seccomp.

Each layer is applied by itself and reported; none is claimed that the kernel did not confirm. All of them
last until the process ends and are inherited by its threads, so they must be up before a second thread
starts.
"""

import ctypes
import os
import resource
import sys
import sysconfig
from collections.abc import Callable, Iterable
from pathlib import Path
from typing import Any

try:
    # At import, because it runs ldconfig to find its library, which the fences themselves would stop.
    import pyseccomp as seccomp
except (ImportError, OSError, RuntimeError):
    seccomp = None

LAYERS = ("limits", "no_new_privileges", "landlock", "seccomp")

_PR_SET_PDEATHSIG, _PR_SET_DUMPABLE, _PR_SET_NO_NEW_PRIVS = 1, 4, 38
_SIGKILL = 9
_FILE_BYTES = 0  # a child writes no files at all
_OPEN_FILES = 64
_PROCESSES = 64  # threads of HiGHS; void for root, where seccomp stops forks

_CREATE_RULESET, _ADD_RULE, _RESTRICT_SELF = 444, 445, 446
_RULE_PATH_BENEATH = 1
_READ_FILE, _READ_DIR = 1 << 2, 1 << 3
# Rights of the file system by ABI: 1 has thirteen, 2 adds refer, 3 truncate, 5 ioctl on devices.
_FS_RIGHTS = {1: 13, 2: 14, 3: 15, 4: 15, 5: 16}
_NET_RIGHTS, _SCOPES = 0b11, 0b11


def apply(*, memory_bytes: int, cpu_seconds: int | None) -> dict[str, bool]:
    """Put up every fence this system has.

    Returns:
        Layer → whether it holds.
    """
    held = {"limits": _limits(memory_bytes, cpu_seconds)}
    linux = sys.platform == "linux"
    # Landlock and seccomp need the privileges promise first.
    held["no_new_privileges"] = linux and _prctl(_PR_SET_NO_NEW_PRIVS, 1)
    held["landlock"] = held["no_new_privileges"] and _holds(_landlock)
    held["seccomp"] = held["no_new_privileges"] and _holds(_seccomp)
    return held


def die_with_parent(parent: int) -> None:
    """End this process when its parent's only thread does; Linux only.

    Right for a zygote, which has one thread; a parent with threads would end us with the thread that forked.
    """
    if sys.platform == "linux":
        _prctl(_PR_SET_PDEATHSIG, _SIGKILL)
        _prctl(_PR_SET_DUMPABLE, 0)
    if os.getppid() != parent:
        os._exit(1)


def _holds(layer: Callable[[], None]) -> bool:
    try:
        layer()
    except (OSError, ImportError, AttributeError, ValueError, RuntimeError):
        return False
    return True


def _prctl(option: int, value: int) -> bool:
    libc = ctypes.CDLL(None, use_errno=True)
    return bool(libc.prctl(option, value, 0, 0, 0) == 0)


def _limits(memory_bytes: int, cpu_seconds: int | None) -> bool:
    limits = {
        resource.RLIMIT_AS: memory_bytes,
        resource.RLIMIT_FSIZE: _FILE_BYTES,
        resource.RLIMIT_NOFILE: _OPEN_FILES,
        resource.RLIMIT_CORE: 0,
    }
    if sys.platform == "linux" and os.getuid():
        limits[resource.RLIMIT_NPROC] = _PROCESSES + _threads_of_user()
    if cpu_seconds is not None:
        limits[resource.RLIMIT_CPU] = cpu_seconds
    held = True
    for limit, value in limits.items():
        hard = resource.getrlimit(limit)[1]
        if hard != resource.RLIM_INFINITY:
            value = min(value, hard)  # noqa: PLW2901 - an ordinary user cannot go above the hard limit
        try:
            resource.setrlimit(limit, (value, value))
        except (OSError, ValueError):
            held = False
    return held


def _threads_of_user() -> int:
    """RLIMIT_NPROC counts every thread of the user, so what runs already must be added."""
    threads = 0
    for status in Path("/proc").glob("[0-9]*/status"):
        try:
            lines = dict(line.split(":\t", 1) for line in status.read_text().splitlines() if ":\t" in line)
        except OSError:
            continue  # the process has ended
        if lines.get("Uid", "").split("\t")[:1] == [str(os.getuid())]:
            threads += int(lines.get("Threads", "1"))
    return threads


def readable_folders() -> list[Path]:
    """What a late import may have to read: the interpreter's libraries, site-packages and this package."""
    names = ("stdlib", "platstdlib", "purelib", "platlib")
    folders = {Path(sysconfig.get_path(name)) for name in names}
    folders.add(Path(__file__).resolve().parents[1])
    return sorted(folder for folder in folders if folder.is_dir())


class _PathBeneath(ctypes.Structure):
    _pack_ = 1
    _layout_ = "ms"
    _fields_ = (("allowed_access", ctypes.c_uint64), ("parent_fd", ctypes.c_int32))


def _landlock() -> None:
    libc = ctypes.CDLL(None, use_errno=True)
    libc.syscall.restype = ctypes.c_long
    abi = _call(libc, _CREATE_RULESET, None, 0, 1)
    files = (1 << _FS_RIGHTS.get(abi, 16)) - 1
    attributes = (ctypes.c_uint64 * 3)(files, _NET_RIGHTS if abi >= 4 else 0, _SCOPES if abi >= 6 else 0)
    size = 24 if abi >= 6 else 16 if abi >= 4 else 8
    ruleset = _call(libc, _CREATE_RULESET, ctypes.byref(attributes), size, 0)
    try:
        _allow_reading(libc, ruleset, readable_folders())
        _call(libc, _RESTRICT_SELF, ruleset, 0)
    finally:
        os.close(ruleset)


def _allow_reading(libc: ctypes.CDLL, ruleset: int, folders: Iterable[Path]) -> None:
    for folder in folders:
        fd = os.open(folder, os.O_PATH | os.O_CLOEXEC)
        try:
            rule = _PathBeneath(_READ_FILE | _READ_DIR, fd)
            _call(libc, _ADD_RULE, ruleset, _RULE_PATH_BENEATH, ctypes.byref(rule), 0)
        finally:
            os.close(fd)


def _call(libc: ctypes.CDLL, number: int, *arguments: object) -> int:
    result = int(libc.syscall(ctypes.c_long(number), *arguments))
    if result < 0:
        raise OSError(ctypes.get_errno(), os.strerror(ctypes.get_errno()))
    return result


_DENIED = """
socket socketpair connect bind listen accept accept4 sendto sendmsg sendmmsg recvmsg recvmmsg
execve execveat fork vfork
kill tkill pidfd_open pidfd_send_signal pidfd_getfd rt_sigqueueinfo rt_tgsigqueueinfo
ptrace process_vm_readv process_vm_writev process_madvise process_mrelease kcmp migrate_pages move_pages
mount umount2 pivot_root chroot unshare setns move_mount open_tree fsopen fsmount fsconfig fspick
mount_setattr open_by_handle_at name_to_handle_at
bpf perf_event_open userfaultfd io_uring_setup io_uring_enter io_uring_register
init_module finit_module delete_module kexec_load kexec_file_load reboot swapon swapoff acct quotactl syslog
sethostname setdomainname settimeofday clock_settime clock_adjtime adjtimex
add_key request_key keyctl personality iopl ioperm
setuid setgid setreuid setregid setresuid setresgid setfsuid setfsgid setgroups capset
chmod fchmod fchmodat fchmodat2 chown fchown lchown fchownat
setxattr lsetxattr fsetxattr removexattr lremovexattr fremovexattr
utime utimes utimensat futimesat truncate
link linkat symlink symlinkat rename renameat renameat2 unlink unlinkat mkdir mkdirat rmdir mknod mknodat
shmget shmat msgget semget mq_open mq_unlink memfd_create memfd_secret
setrlimit sched_setscheduler sched_setparam sched_setattr sched_setaffinity setpriority ioprio_set
mlock mlock2 mlockall sync syncfs io_setup modify_ldt setsid setpgid vhangup
inotify_init inotify_init1 fanotify_init fanotify_mark
"""
_CLONE_THREAD = 0x00010000
_DENIED_OPTIONS = (
    ("prctl", 0, (_PR_SET_PDEATHSIG, _PR_SET_DUMPABLE, 0x59616D61)),  # the last: let others trace
    ("fcntl", 1, (8, 10, 15)),  # F_SETOWN, F_SETSIG, F_SETOWN_EX
    ("ioctl", 1, (0x8901, 0x8902, 0x5412, 0x541C)),  # FIOSETOWN, SIOCSPGRP, TIOCSTI, TIOCLINUX
)
_EPERM, _ENOSYS = 1, 38


def _seccomp() -> None:
    if seccomp is None:
        raise ImportError("pyseccomp or libseccomp is missing")
    filters = seccomp.SyscallFilter(seccomp.ALLOW)
    refuse = seccomp.ERRNO(_EPERM)
    for name in _DENIED.split():
        _add(filters, refuse, name)
    # Threads are clones that share everything; glibc tries clone3 first, whose flags a filter cannot see.
    _add(filters, seccomp.ERRNO(_ENOSYS), "clone3")
    _add(filters, refuse, "clone", seccomp.Arg(0, seccomp.MASKED_EQ, _CLONE_THREAD, 0))
    # abort() signals its own process; any other is out of reach.
    _add(filters, refuse, "tgkill", seccomp.Arg(0, seccomp.NE, os.getpid()))
    # Limits may be read, not changed: root could raise them.
    _add(filters, refuse, "prlimit64", seccomp.Arg(2, seccomp.NE, 0))
    # A child ends with its parent, is not traced, and has no signal sent when a descriptor is ready.
    for name, argument, values in _DENIED_OPTIONS:
        for value in values:
            _add(filters, refuse, name, seccomp.Arg(argument, seccomp.MASKED_EQ, 0xFFFFFFFF, value))
    filters.load()


def _add(filters: Any, action: int, name: str, *arguments: object) -> None:
    try:
        filters.add_rule(action, name, *arguments)
    except (ValueError, OSError) as error:
        # An older libseccomp or another processor does not know every name; what it does not know cannot be
        # called by that name there. The ones that matter must be known.
        if name in ("socket", "connect", "execve", "clone", "ptrace", "kill", "mount"):
            raise OSError(f"seccomp cannot refuse {name}") from error
