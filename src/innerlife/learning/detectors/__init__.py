"""What is noticed after an answer, one detector a file. A new file here is a new detector.

Each binds `SORT` and `detect(window, policy)`, which is pure, and says None for nothing.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace
from functools import cache
from importlib import import_module
from pkgutil import iter_modules

from innerlife.learning.head import read_words
from innerlife.learning.policy import LearningPolicy
from innerlife.learning.terms import Sort
from innerlife.learning.turns import Detection, Followed, Window

Detector = Callable[[Window, LearningPolicy], Detection | None]


@cache
def all_detectors() -> dict[Sort, Detector]:
    """Every detector of this package, by what it finds."""
    modules = [import_module(f"{__name__}.{one.name}") for one in iter_modules(__path__)]
    return {module.SORT: module.detect for module in modules}


def noticed(window: Window, policy: LearningPolicy) -> tuple[Detection, ...]:
    """Everything that the detectors find in a window, in the order of their list. It is read once for all of them.

    Raises ModelUnavailable where a file of heads is damaged.
    """
    if not window.turns:
        return ()
    if window.followed in {Followed.MESSAGE, Followed.NOTHING} and window.judged.answer_seq:
        reading = window.read(window, policy) or read_words(window, policy)
        window = replace(window, read=lambda _window, _policy: reading)
    found = {sort: detect(window, policy) for sort, detect in all_detectors().items()}
    return tuple(one for sort in Sort if (one := found.get(sort)) is not None)
