"""What hostile programs try, in tables."""

MODEL = '''
import pulp
from decision_ai import InputData, OptModel, Var, Variables, constraint, continuous, objective


class D(InputData):
    size: int = 3


class V(Variables):
    x: Var = continuous(upper=5)


class M(OptModel[D, V]):
    @constraint()
    def cap(self, data, v):
        """Cap."""
        ATTACK
        return v.x <= 4

    @objective("maximize")
    def most(self, data, v):
        """Most."""
        return v.x + 0

    def solution_to_str(self, data, v):
        return str(v.x.value())
'''


def program(attack: str, before: str = "") -> str:
    """A good model with an attack in its constraint."""
    return before + MODEL.replace("ATTACK", attack.replace("\n", "\n        "))


ATTACKS = {
    "read a file": program("open('/etc/passwd').read()"),
    "read the environment": program("raise ValueError(dict(os.environ))", "import os\n"),
    "write a file": program("open('/tmp/evil', 'w').write('x')"),
    "write into the package": program("open(pulp.__file__, 'a')"),
    "open a socket": program("socket.create_connection(('127.0.0.1', 9))", "import socket\n"),
    "send a datagram": program(
        "socket.socket(socket.AF_INET, socket.SOCK_DGRAM).sendto(b'x', ('127.0.0.1', 9))", "import socket\n"
    ),
    "fork": program("os.fork()", "import os\n"),
    "start a program": program("subprocess.run(['/bin/sh', '-c', 'true'])", "import subprocess\n"),
    "replace the process": program("os.execv('/bin/sh', ['sh'])", "import os\n"),
    "signal the parent": program("os.kill(os.getppid(), 9)", "import os\n"),
    "signal everybody": program("os.kill(-1, 9)", "import os\n"),
    "raise its limits": program(
        "resource.setrlimit(resource.RLIMIT_AS, (2**40, 2**40))", "import resource\n"
    ),
    "read the parent's environment": program(
        "open(f'/proc/{os.getppid()}/environ', 'rb').read()", "import os\n"
    ),
    "delete files": program("os.unlink(pulp.__file__)", "import os\n"),
    "change modes": program("os.chmod(pulp.__file__, 0)", "import os\n"),
    "trace the parent": program(
        "if ctypes.CDLL(None).ptrace(16, os.getppid(), 0, 0) < 0: raise OSError", "import ctypes, os\n"
    ),
    "list a folder": program("os.listdir('/')", "import os\n"),
}
SYSTEM = (
    "import ctypes, fcntl, os, resource, socket\n"
    "C = ctypes.CDLL(None, use_errno=True)\n"
    "def call(number, *arguments):\n"
    "    if C.syscall(ctypes.c_long(number), *arguments) < 0:\n"
    "        raise OSError(ctypes.get_errno(), 'refused')\n"
)
SYSTEM_CALLS = {
    "a file by a folder": "os.open('passwd', os.O_RDONLY, dir_fd=os.open('/etc', os.O_PATH))",
    "its own memory as a file": "os.open('/proc/self/mem', os.O_RDWR)",
    "the parent's memory": "open(f'/proc/{os.getppid()}/mem', 'rb')",
    "the parent's memory by copy": "call(310, os.getppid(), 0, 0, 0, 0, 0)",
    "the parent's pages": "call(279, os.getppid(), 0, 0, 0, 0, 0)",
    "a datagram over IPv6": "socket.socket(socket.AF_INET6, socket.SOCK_DGRAM)",
    "a local socket": "socket.socket(socket.AF_UNIX)",
    "a netlink socket": "socket.socket(socket.AF_NETLINK, socket.SOCK_RAW)",
    "a raw socket": "socket.socket(socket.AF_PACKET, socket.SOCK_RAW)",
    "vfork": "call(58)",
    "clone": "call(56, 17, 0, 0, 0, 0)",
    "clone3": "call(435, ctypes.create_string_buffer(88), 88)",
    "a program by descriptor": "call(322, -100, b'/bin/sh', 0, 0, 0x1000)",
    "a descriptor of a process": "call(434, os.getppid(), 0)",
    "a queued signal": "call(129, os.getppid(), 9, 0)",
    "a thread's signal": "call(234, os.getppid(), os.getppid(), 9)",
    "a signal when it can be read": "fcntl.fcntl(0, fcntl.F_SETOWN, os.getppid())",
    "a memory file": "os.memfd_create('x')",
    "shared memory": "call(29, 0, 4096, 0o1600)",
    "a file in shared memory": "os.open('/dev/shm/x', os.O_CREAT | os.O_RDWR)",
    "a file without a name": "os.open('/tmp', os.O_TMPFILE | os.O_RDWR)",
    "a device": "open('/dev/null', 'w')",
    "a pipe with a name": "os.mkfifo('/tmp/evil')",
    "io_uring": "call(425, 8, ctypes.create_string_buffer(120))",
    "asynchronous input": "call(206, 8, ctypes.create_string_buffer(8))",
    "bpf": "call(321, 0, 0, 0)",
    "a namespace": "call(272, 0x10000000)",
    "another root": "os.chroot('/tmp')",
    "another user": "os.setuid(65534)",
    "limits by prlimit": "call(302, 0, 9, ctypes.create_string_buffer(b'\\xff' * 16), 0)",
    "life after its parent": "if C.prctl(1, 0, 0, 0, 0): raise OSError",
    "to be traced": "if C.prctl(4, 1, 0, 0, 0): raise OSError",
    "another session": "os.setsid()",
    "the parent's processors": "os.sched_setaffinity(os.getppid(), {0})",
    "memory that is never paged": "if C.mlockall(3): raise OSError",
}
ATTACKS |= {name: program(attack, SYSTEM) for name, attack in SYSTEM_CALLS.items()}

"""Each must raise where it stands; `assert False` of a success would look the same, so a marker follows
it."""

SPEAK = (
    "import os, json\n"
    "def say(kind, body):\n"
    "    data = body if isinstance(body, bytes) else json.dumps(body).encode()\n"
    "    raw(len(data).to_bytes(4, 'big') + bytes([kind]) + data)\n"
    "def raw(data):\n"
    "    for fd in range(3, 64):\n"
    "        try: os.write(fd, data)\n"
    "        except OSError: pass\n"
    "FAMILY = {'variable_id': 'x', 'domain': 'continuous', 'indices': [[]]}\n"
    "BUILT = {'families': {'x': FAMILY}, 'constraints': {}, 'sense': 'minimize', 'columns': 1, 'rows': 0}\n"
    "OUTCOME = {'kind': 'optimal', 'objective': 1.0}\n"
    "POINT = {'values': [1.0], 'activities': [], 'lower': [], 'upper': [], 'violations': []}\n"
)
FORGED = {
    "another number of columns": "say(4, {'description': BUILT | {'columns': 10**9}})",
    "another number of rows": "say(4, {'description': BUILT | {'rows': 10**9}})",
    "a label that is no number": "say(4, json.dumps({'description': BUILT | {'families': {'x': FAMILY |"
    " {'indices': [[float('nan')]]}}}}).encode())",
    "an objective that is no number": "say(4, {'description': BUILT})\n"
    "say(6, {'outcome': OUTCOME | {'objective': float('inf')}, 'point': POINT})",
    "a value that is no number": "say(4, {'description': BUILT})\n"
    "say(6, {'outcome': OUTCOME, 'point': POINT | {'values': [float('nan')]}})",
    "too few values": "say(4, {'description': BUILT})\n"
    "say(6, {'outcome': OUTCOME, 'point': POINT | {'values': []}})\nsay(7, {'text': ''})",
    "a plan of nothing": "say(4, {'description': BUILT})\nsay(6, {'outcome': OUTCOME})",
    "progress that is no number": "say(4, {'description': BUILT})\nsay(5, {'seconds': float('inf')})",
    "a result of half a gigabyte": "say(4, {'description': BUILT})\nraw(b'\\x1f\\xff\\xff\\xff\\x06')",
    "a report of half a gigabyte": "raw(b'\\x1f\\xff\\xff\\xff\\x03')",
    "text before the plan": "say(4, {'description': BUILT})\nsay(7, {'text': 'x'})",
    "findings before the plan": "say(4, {'description': BUILT})\nsay(8, {'findings': {}})",
    "findings nobody asked for": "say(4, {'description': BUILT})\n"
    "say(6, {'outcome': OUTCOME, 'point': POINT})\n"
    "say(8, {'findings': {'exported': {'text': '', 'names': {}}}})\nsay(7, {'text': ''})",
    "findings about another check": "say(4, {'description': BUILT})\n"
    "say(6, {'outcome': OUTCOME, 'point': POINT})\n"
    "say(8, {'findings': {'checks': [{'name': 'x', 'sentence': '', 'holds': True}]}})\nsay(7, {'text': ''})",
    "findings of half a gigabyte": "say(4, {'description': BUILT})\nraw(b'\\x1f\\xff\\xff\\xff\\x08')",
    "a plan that does not fit, and an end": "say(4, {'description': BUILT})\n"
    "say(6, {'outcome': OUTCOME, 'point': POINT | {'values': []}})",
    "a job": "say(1, {})",
    "nesting without end": "say(3, b'{\"validation\":' + b'[' * 100000)",
}
"""Frames no worker of ours sends, by what is wrong with them."""

MEMBER = "{'variable_id': %s, 'index': [], 'value': 1.0, 'lower': None, 'upper': None, 'whole': True}"
PRICED = (
    "say(4, {'description': BUILT})\n"
    "say(8, {'findings': {'priced': {'objective': 1.0, 'rows': [], 'members': [%s], 'missing': [],"
    " 'unknown': []}}, 'point': POINT%s})"
)
FORGED_FINDINGS = {
    "a plan priced without numbers": ("price", PRICED % ("", " and None")),
    "a plan priced with too few numbers": ("price", PRICED % ("", " | {'values': []}")),
    "a broken member of no family": ("price", PRICED % (MEMBER % "'y'", "")),
    "nothing priced": ("price", "say(4, {'description': BUILT})\nsay(8, {'findings': {}})"),
    "a solve of what is to be priced": (
        "price",
        "say(4, {'description': BUILT})\nsay(6, {'outcome': OUTCOME, 'point': POINT})",
    ),
    "nothing exported": ("export", "say(4, {'description': BUILT})\nsay(8, {'findings': {}})"),
    "an export of half a gigabyte": (
        "export",
        "say(4, {'description': BUILT})\nraw(b'\\x1f\\xff\\xff\\xff\\x08')",
    ),
    "a part of no program": (
        "compatibility",
        "say(8, {'findings': {'incompatible': [{'kind': 'constraint', 'id': 'y', 'reason': ''}]}})",
    ),
    "a part twice": (
        "compatibility",
        "say(8, {'findings': {'incompatible': [{'kind': 'variable', 'id': 'x', 'reason': ''}] * 2}})",
    ),
    "a description of what may not build": (
        "compatibility",
        "say(4, {'description': BUILT})\nsay(8, {'findings': {}})\nsay(8, {'findings': {}})",
    ),
}
"""The same for the other tasks, with the task."""
