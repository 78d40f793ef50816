"""The operating system's error messages are translated in one place: `machine.reasons`.

Other modules read `strerror` only to pass it on in an error of the same kind; a sentence about a caught OSError
contains the text of `reason_of`, never the error itself.
"""

import ast
import builtins

import pytest

from .reading import modules

PLACE = "daynight.machine.reasons"


def is_of_the_system(kind):
    """Return whether `kind`, the class or tuple after `except`, contains OSError or a subclass of OSError."""
    kinds = kind.elts if isinstance(kind, ast.Tuple) else [] if kind is None else [kind]
    found = [getattr(builtins, ast.unparse(each), None) for each in kinds]
    return any(isinstance(each, type) and issubclass(each, OSError) for each in found)


def raw(tree):
    """Return the numbers of the lines that read `strerror`, or make text of a caught OSError; passing `strerror` to a
    new OSError is allowed."""
    ours = {
        each.name
        for each in ast.walk(tree)
        if isinstance(each, ast.ClassDef) and any(is_of_the_system(base) for base in each.bases)
    }
    handed = {
        id(word)
        for call in ast.walk(tree)
        if isinstance(call, ast.Call)
        and (is_of_the_system(call.func) or ast.unparse(call.func) in {"type(error)", *ours})
        for argument in call.args
        for word in ast.walk(argument)
    }
    found = [node for node in ast.walk(tree) if isinstance(node, ast.Attribute) and node.attr == "strerror"]
    lines = {node.lineno for node in found if id(node) not in handed}
    for handler in ast.walk(tree):
        if not isinstance(handler, ast.ExceptHandler) or not handler.name or not is_of_the_system(handler.type):
            continue
        for node in ast.walk(handler):
            texts = []
            if isinstance(node, ast.FormattedValue):
                texts = [node.value]
            elif isinstance(node, ast.Call) and ast.unparse(node.func) == "str":
                texts = node.args
            elif isinstance(node, ast.Call) and ast.unparse(node.func).endswith(".format"):
                texts = [*node.args, *(each.value for each in node.keywords)]
            lines |= {node.lineno for each in texts if isinstance(each, ast.Name) and each.id == handler.name}
    return sorted(lines)


@pytest.mark.wide
def test_reasons():
    """No module except `machine.reasons` uses the operating system's own error text."""
    wrong = [f"{one.where}:{line}" for one in modules() if one.name != PLACE for line in raw(one.tree)]
    assert not wrong, f"only English is understood there; use reason_of of {PLACE}: {', '.join(wrong)}"


@pytest.mark.parametrize("expected, lines", [
    ([1], "_('{r}').format(r=error.strerror)"), ([1], "os.strerror(2)"), ([1], "told(error.strerror or error)"),
    ([4], "try:\n    pass\nexcept OSError as error:\n    print(str(error))"),
    ([4], "try:\n    pass\nexcept (ValueError, PermissionError) as error:\n    sentence.format(reason=error)"),
    ([4], "try:\n    pass\nexcept OSError as e:\n    f'{e}'"),
    ([], "try:\n    pass\nexcept ValueError as error:\n    sentence.format(reason=error)"),
    ([], "try:\n    pass\nexcept OSError as error:\n    sentence.format(reason=reason_of(error))"),
    ([], "try:\n    pass\nexcept OSError as error:\n    raise Other(error) from error"),
    ([], "OSError(error.errno, error.strerror, str(path))"),
    ([], "class NotKept(OSError): pass\nNotKept(error.errno, error.strerror, error.filename)"),
    ([2], "class NotKept(ValueError): pass\nNotKept(error.strerror)"),
])  # fmt: skip
def test_raw_reasons_are_found(expected, lines):
    """`raw` finds where `strerror` is read or a caught OSError is made into text, and accepts `strerror` as an argument
    of a new OSError."""
    assert expected == raw(ast.parse(lines))
