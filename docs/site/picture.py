"""Draw what depends on what, as SVG in the colours of the page: columns from left to right."""

from collections.abc import Mapping, Sequence, Set
from html import escape

Edges = Set[tuple[str, str]]
"""Pairs: the second one depends on the first."""

_ROW, _GAP, _LETTER, _HEIGHT = 32, 56, 7.3, 22
"""Pixels: from row to row, between columns, the width of a letter, and the height of a box."""


def draw_dependencies(edges: Edges, links: Mapping[str, str], given: Set[str]) -> str:
    """Return an SVG of names and the arrows between them; empty if there are none.

    Arrows that follow from two others are left out, and so is the one that closes a circle.

    Args:
        edges: the dependencies.
        links: addresses for names.
        given: names from elsewhere, drawn with a broken outline.
    """
    columns = place_in_columns({(a, b) for a, b in edges if a != b})
    if not columns:
        return ""
    forward = {(a, b) for a, b in edges if columns.get(a, 0) < columns.get(b, 0)}
    arrows = {(a, b) for a, b in forward if not _has_detour(a, b, forward)}
    order = _order_in_columns(columns, arrows)
    widths = [max(len(name) for name in column) * _LETTER + 16 for column in order]
    starts = [sum(widths[:i]) + i * _GAP + 4 for i in range(len(order))]
    tall = max(map(len, order))
    boxes = {
        name: (starts[x], (y + (tall - len(column)) / 2) * _ROW + 4, widths[x])
        for x, column in enumerate(order)
        for y, name in enumerate(column)
    }
    width, height = starts[-1] + widths[-1] + 4, tall * _ROW
    lines = [_arrow(boxes[a], boxes[b]) for a, b in sorted(arrows)]
    names = [_box(name, boxes[name], links.get(name), name in given) for name in sorted(boxes)]
    return (
        f'<div class="dependencies"><svg width="{width:.0f}" height="{height:.0f}" '
        f'viewBox="0 0 {width:.0f} {height:.0f}" role="img" aria-label="dependencies">'
        f"{''.join(lines)}{''.join(names)}</svg></div>"
    )


def place_in_columns(edges: Edges) -> dict[str, int]:
    """Return each name's column: one to the right of all that it depends on, circles aside."""
    needs: dict[str, set[str]] = {name: set() for edge in sorted(edges) for name in edge}
    for a, b in edges:
        needs[b].add(a)
    columns: dict[str, int] = {}

    def column(name: str, path: tuple[str, ...]) -> int:
        if name not in columns:
            left = [column(n, (*path, name)) for n in sorted(needs[name]) if n not in (*path, name)]
            columns[name] = max(left, default=-1) + 1
        return columns[name]

    for name in sorted(needs):
        column(name, ())
    return columns


def _has_detour(a: str, b: str, edges: Edges) -> bool:
    """Return whether another way leads from one name to the other."""
    seen, ahead = {a}, [end for start, end in edges if start == a and end != b]
    while ahead:
        name = ahead.pop()
        if name == b:
            return True
        if name not in seen:
            seen.add(name)
            ahead += [end for start, end in edges if start == name]
    return False


def _order_in_columns(columns: Mapping[str, int], arrows: Edges) -> list[list[str]]:
    """Return the names of each column, each near the middle of its neighbours."""
    last = max(columns.values())
    order = [sorted(name for name in columns if columns[name] == x) for x in range(last + 1)]
    near: dict[str, list[str]] = {name: [] for name in columns}
    for a, b in arrows:
        near[a].append(b)
        near[b].append(a)
    for _ in range(8):
        for column in order:
            rows = {n: y - len(names) / 2 for names in order for y, n in enumerate(names)}
            means = {n: _mean([rows[other] for other in near[n]], rows[n]) for n in column}
            column.sort(key=lambda n, means=means: (means[n], n))  # type: ignore[misc]
    return order


def _mean(values: Sequence[float], default: float) -> float:
    return sum(values) / len(values) if values else default


def _arrow(a: tuple[float, float, float], b: tuple[float, float, float]) -> str:
    x, y = a[0] + a[2], a[1] + _HEIGHT / 2
    x2, y2 = b[0], b[1] + _HEIGHT / 2
    bend = _GAP * 0.7
    path = f"M{x:.0f} {y:.0f}C{x + bend:.0f} {y:.0f} {x2 - bend:.0f} {y2:.0f} {x2:.0f} {y2:.0f}"
    return f'<path d="{path}m-6 -3.5l6 3.5l-6 3.5"/>'


def _box(name: str, box: tuple[float, float, float], link: str | None, given: bool) -> str:
    x, y, width = box
    outline = ' class="given"' if given else ""
    drawn = (
        f'<rect x="{x:.0f}" y="{y:.0f}" width="{width:.0f}" height="{_HEIGHT}" rx="4"{outline}/>'
        f'<text x="{x + 8:.0f}" y="{y + 15:.0f}">{escape(name)}</text>'
    )
    return f'<a href="{escape(link)}">{drawn}</a>' if link else drawn
