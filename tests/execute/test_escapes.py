"""Attempts to get out of the sandbox, to break it or to use it up. Every one is refused, and reaches nothing."""

from __future__ import annotations

import os
from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest

from thinkaloud.errors import CodeRefused
from thinkaloud.execute.sandbox import Bounds, Sandbox

SMALL = Bounds(seconds=0.2, memory=8 * 2**20, depth=30, calls=20)

NO_LANGUAGE = [
    # attributes and dunders
    "x = ().__class__",
    "x = ().__class__.__bases__[0].__subclasses__()",
    "x = ''.__class__.__mro__[1]",
    "x = [].__class__.__base__.__subclasses__()[0]()",
    "x = (1).__class__",
    "x = show.__globals__",
    "x = show.__code__",
    "x = show.__self__",
    "x = reached.__call__()",
    "x = poke.__func__.__globals__['os']",
    "x = show('a').__class__",
    "x = [].append",
    "x = 'a'\nx.y = 1",
    "x = {}\nx.__dict__ = {}",
    "x = {}\nx.__setitem__('a', 1)",
    "x = (1).real",
    "x = 'a'.__len__()",
    "x = __builtins__",
    "x = __builtins__['reached']",
    "x = __name__",
    "x = __file__",
    "x = __loader__.load_module('os')",
    "__import__('os').system('touch here')",
    "__builtins__ = 1",
    "_given_reached()",
    "x = _list",
    "_sorted([1], key=reached)",
    "def __init__():\n    pass",
    "def f(_x):\n    return _x\nf(1)",
    "show(__x=1)",
    "a__b = 1",
    # what looks names up
    "getattr(show, '__globals__')",
    "getattr('', '__cl' + 'ass__')",
    "setattr(show, 'a', 1)",
    "hasattr(show, '__globals__')",
    "x = type('')",
    "x = type('X', (), {})",
    "x = vars()",
    "x = globals()",
    "x = locals()",
    "x = dir()",
    "x = id(1)",
    "x = object()",
    "x = super()",
    "x = isinstance(1, int)",
    "x = callable(show)",
    "x = memoryview('a')",
    # frames
    "x = (i for i in [1])\ny = x.gi_frame.f_back.f_globals",
    "x = (i for i in [1]).gi_code",
    "try:\n    1 / 0\nexcept Exception as e:\n    x = e.__traceback__.tb_frame",
    "async def f():\n    pass\nx = f().cr_frame",
    "def f():\n    yield 1\nx = f().gi_frame",
    "def f():\n    yield from [1]",
    "x = 1\nx.f_builtins",
    # imports
    "import os",
    "import os as x",
    "import os.path, sys",
    "from os import system",
    "from os import *",
    "from . import x",
    "from __future__ import annotations",
    "def f():\n    import os\nf()",
    "if False:\n    import os",
    "import os; reached()",
    "importlib.import_module('os')",
    # format strings
    "x = '{0.__class__}'.format(show)",
    "x = '{x.__class__}'.format_map({'x': 1})",
    "x = str.format('{0.__class__}', 1)",
    "x = f'{1!r}'",
    "x = f'{1:>1000000000}'",
    "x = f'{1:{10 ** 9}}'",
    "x = f'{().__class__}'",
    "x = f'{reached.__globals__}'",
    "x = f'{__import__(\"os\")}'",
    "x = 1\ny = f'{x=}'",
    # dangerous builtins
    "open('here', 'w')",
    "x = open('/etc/passwd').read()",
    "exec('reached()')",
    "eval('reached()')",
    "compile('reached()', '', 'exec')",
    "input()",
    "breakpoint()",
    "exit()",
    "quit()",
    "help()",
    "print('out')",
    "x = bytes(10)",
    "x = bytearray(10)",
    "x = chr(95) + chr(95)",
    "x = iter(reached, 1)",
    # statements
    "@reached\ndef f():\n    pass",
    "@show('a')\ndef f():\n    pass",
    "class A:\n    x = 1",
    "class A(metaclass=reached):\n    pass",
    "class A:\n    def __init__(self):\n        reached()\nA()",
    "class A:\n    reached()",
    "raise SystemExit",
    "raise KeyboardInterrupt",
    "try:\n    reached()\nfinally:\n    pass",
    "try:\n    pass\nexcept* ValueError:\n    pass",
    "while True:\n    try:\n        reached()\n    except BaseException:\n        pass",
    "with open('here', 'w') as f:\n    pass",
    "assert reached()",
    "global reached",
    "def f():\n    nonlocal x",
    "del reached",
    "match 1:\n    case int():\n        reached()",
    "async def f():\n    await reached()",
    "async def f():\n    return [x async for x in y]",
    "x: reached() = 1",
    "def f(a: reached()):\n    pass",
    "def f() -> reached():\n    pass",
    "return reached()",
    "break",
    # expressions
    "(x := reached())",
    "x = [y := 1 for z in [1]]",
    "x = lambda: reached()",
    "(lambda: reached())()",
    "x = (lambda f=reached: f())()",
    "x = sorted([1], key=lambda a, f=reached: f())",
    "x = sorted([1], key=lambda *a: reached())",
    "x = sorted([1], key=(lambda: reached)())",
    "x = sorted([1], key='reached')",
    "x = [1]\nx.sort(key=reached)",
    "x = max(1, 2, key=reached)",
    "x = [reached][0]()",
    "x = {'f': reached}['f']()",
    "(reached if True else show)()",
    "(reached or show)()",
    "x = list(map(reached, [1]))",
    "x = list(filter(reached, [1]))",
    "show(*[1])",
    "show(**{'value': 1})",
    "a, *b = [1, 2]",
    "x = [*[1]]",
    "x = {**{}}",
    "def f(*a):\n    pass",
    "def f(**a):\n    pass",
    "def f(a, /):\n    pass",
    "def f(*, a):\n    pass",
    "def f():\n    def g():\n        pass",
    "x = b'bytes'",
    "x = 1j",
    "x = ...",
    "x = 1 @ 2",
    "x = 1 << 10 ** 9",
    "x = 1 >> 1",
    "x = ~1",
    "x = 99999999999999999999",
    "x = 1e999",
    # functions are no values, and cannot be replaced
    "show(show)",
    "show(reached)",
    "show([reached])",
    "show(len)",
    "def f():\n    pass\nshow(f)",
    "x = reached",
    "reached.x = 1",
    "def f(a=reached):\n    a()\nf()",
    "x = [f for f in [reached]]",
    "def reached():\n    return 1",
    "def show(value):\n    reached()",
    "def len(x):\n    reached()",
    "def f():\n    pass\nf = 1",
    "def f():\n    pass\nfor f in [1]:\n    pass",
    "x = show\nx('a')",
    "x = str\nx(1)",
    "reached = 1\nshow(value=reached, key=reached)",
    # names in disguise
    "ｅｖａｌ('reached()')",
    "𝘦𝘷𝘢𝘭('reached()')",
    "x = ().＿＿class＿＿",
    "x = ()._\uff3fclass_\uff3f",
    "ﬁle = 1\nx = ﬂag",
    "еval('reached()')",
    "x\u200by = 1",
    "é = 1",
    "x" * 100 + " = 1",
    "imp\\\nort os",
    "import\\\n os",
    "# -*- coding: utf-7 -*-\n+AF8AXw-import+AF8AXw-('os')",
    "# coding: rot13\nvzcbeg bf",
    "x = 1\rimport os",
    "x = 1\x0cimport os",
    "x = 1;\timport os",
    "\x00",
    "x = 1\x00reached()",
    "'\ud800'",
    "\ufeff\ufeffreached()",
    "x = 1\u2028reached()",
    "if 1:\n\treached()\n        reached()",
    "reached(",
    "'''",
    "reached() reached()",
    # the parser's own limits
    "(" * 3000,
    "(" * 150 + "1" + ",)" * 150,
    "[" * 3900 + "]" * 3900,
    "{1:" * 100 + "1" + "}" * 100,
    "-" * 7000 + "1",
    "not " * 1900 + "1",
    "1+" * 3900 + "1",
    "1**" * 2000 + "1",
    "x=[]\nx" + "[0]" * 2000,
    "x=1\nx" + ".a" * 3900,
    "show" + "()" * 3900,
    "1 if 1 else " * 600 + "1",
    "lambda:" * 1000 + "1",
    "f'{" * 100 + "1" + "}'" * 100,
    "if 0: pass\n" + "elif 0: pass\n" * 500,
    "".join(" " * i + "if 1:\n" for i in range(90)) + " " * 90 + "reached()",
    "".join(" " * i + "def f():\n" for i in range(90)) + " " * 90 + "reached()",
    "".join(" " * i + "if 1:\n" for i in range(120)) + " " * 120 + "reached()",
    "[" * 100 + "1" + " for x in [1]]" * 100,
    "[1" + " for x in [1]" * 500 + "]",
    "1" * 7000,
    "0x" + "f" * 7000,
    "x = 1\n" * 5000,
    "#" * 100_000,
]
"""Refused before anything runs."""

USED_UP = [
    # time
    "while True: pass",
    "while 1:\n    x = [1]",
    "for i in range(10 ** 18): pass",
    "x = sum(range(10 ** 12))",
    "x = max(range(10 ** 12))",
    "x = [1]\nfor i in x:\n    x.append(i)\n    x.pop()\n    x.append(i)",
    "def f():\n    while True: pass\nx = sorted([1, 2], key=lambda a: f())",
    "x = 7\nfor i in range(100): x = x * x",
    "x = 3\nwhile True: x = x ** 3",
    "x = [0 for a in range(10 ** 9) if a < 0 for b in range(10 ** 9)]",
    # memory
    "x = [0] * 10 ** 9",
    "x = 'a' * 10 ** 9",
    "x = (1, 2) * 10 ** 9",
    "x = 10 ** 10 ** 8",
    "x = 10 ** 10 ** 10 ** 10",
    "x = list(range(10 ** 9))",
    "x = range(10 ** 9)",
    "x = '%1000000000d' % 1",
    "x = '%*d' % (10 ** 9, 1)",
    "x = 'a'\nwhile True: x = x + x",
    "x = 'a'\nwhile True: x = f'{x}{x}'",
    "x = [1]\nwhile True: x = x + x",
    "x = [1]\nwhile True: x.extend(x)",
    "x = [1]\nfor i in x: x.append(i)",
    "x = {}\nfor i in range(10 ** 9): x[i] = {i: [i]}",
    "x = set()\nfor i in range(10 ** 9): x.add(i)",
    "x = []\nwhile True: x = [x, x]",
    "x = 'ab'.replace('a', 'b' * 10 ** 8)",
    "x = [a for a in range(10 ** 9)]",
    "x = {a: a for a in range(10 ** 9)}",
    "x = any(False for a in range(10 ** 9))",
    "x = ','.join([str(i) for i in range(10 ** 8)])",
    "x = list(zip(range(10 ** 9), range(10 ** 9)))",
    "x = list(reversed(range(10 ** 9)))",
    # depth
    "def f(n):\n    return f(n + 1)\nf(0)",
    "def f():\n    return g()\ndef g():\n    return f()\nf()",
    "def f():\n    return [f() for x in [1]]\nf()",
    "def f(n):\n    return sorted([n], key=f)\nf(1)",
    "x = []\nx.append(x)\ny = []\ny.append(y)\nz = x == y",
    "x = ()\nfor i in range(10 ** 5): x = (x,)\ny = {x: 1}",
    # what goes to the host
    "show('a' * 2001)",
    "show('a' * 10 ** 6)",
    "show(['a' * 2001])",
    "show({'a' * 2001: 1})",
    "show(list(range(2000)))",
    "show([[i, i] for i in range(600)])",
    "show(10 ** 100)",
    "show(10 ** 5000)",
    "show(-(10 ** 30))",
    "show(float('inf'))",
    "show(float('nan'))",
    "show()",
    "show(1, 2, 3)",
    "show(other=1)",
    "show(value=1, value=2)",
    # the wrong kind
    "x = 1\nx()",
    "x = 1 / 0",
    "x = [1][5]",
    "x = {}['a']",
    "x = y\ny = 1",
    "x = 'a' + 1",
    "str = 1\nx = str(2)",
    "x = int('9' * 5000)",
    "x = str(10 ** 5000)",
    "x = {[]: 1}",
    "a, b = [1]",
    "def f(a, a):\n    pass",
]
"""Refused before, or while, they run."""


class Host:
    """Functions that a program is given, and what must stay as it is."""

    def __init__(self) -> None:
        self.secret = ["untouched"]
        self.arrived: list[Any] = []
        self.was_reached = False

    def reached(self, *_: Any) -> None:
        """What comes after a successful escape."""
        self.was_reached = True

    def show(self, value: Any) -> Any:
        self.arrived.append(value)
        return value

    def poke(self) -> None:
        """A method, whose object is worth reaching."""


@pytest.fixture
def host(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Host:
    monkeypatch.chdir(tmp_path)
    return Host()


def attempt(code: str, host: Host, bounds: Bounds = SMALL) -> CodeRefused:
    """Run a program that must be refused; nothing may have been reached."""
    environment = dict(os.environ)
    with pytest.raises(CodeRefused) as caught:
        Sandbox(bounds).run(code, {"show": host.show, "reached": host.reached, "poke": host.poke})
    assert caught.value.words == code
    assert str(caught.value).endswith((".", "?"))
    assert not host.was_reached
    assert host.secret == ["untouched"]
    assert dict(os.environ) == environment
    assert list(Path.cwd().iterdir()) == []
    return caught.value


def named(code: str) -> str:
    return ascii(code[:60])


@pytest.mark.parametrize("code", NO_LANGUAGE, ids=named)
def test_what_is_not_in_the_language_is_refused_before_anything_runs(code: str, host: Host) -> None:
    attempt(f"show('first')\n{code}", host)
    assert host.arrived == []


@pytest.mark.parametrize("code", USED_UP, ids=named)
def test_nothing_runs_on_after_a_bound_is_broken(code: str, host: Host) -> None:
    attempt(f"{code}\nreached()", host)
    assert host.arrived == []


@pytest.mark.parametrize(
    "code", ["while True: show('a')", "def f():\n    show('a')\n    f()\nf()", "for i in range(99): show(i)"]
)
def test_calls_are_counted(code: str, host: Host) -> None:
    attempt(f"{code}\nreached()", host, replace(SMALL, seconds=60.0))
    assert len(host.arrived) == SMALL.calls


def test_there_are_enough_attempts() -> None:
    assert len(set(NO_LANGUAGE)) + len(set(USED_UP)) > 200
