import pytest
from hypothesis import given
from hypothesis import strategies as st

from portal.ui import charts

values = st.floats(min_value=0, max_value=1e9)


@given(st.lists(values, min_size=1, max_size=40))
def test_no_line_leaves_its_drawing(numbers):
    line = charts.line([(str(number), number) for number in numbers])
    assert all(0 <= point.x <= charts.WIDTH and 0 <= point.y <= charts.HEIGHT for point in line.points)


@given(st.lists(st.tuples(values, values), min_size=1, max_size=24))
def test_stacked_bars_stand_on_each_other_inside_the_drawing(pairs):
    pieces, _ = charts.bars([str(n) for n in range(len(pairs))], list(zip(*pairs, strict=True)))
    assert all(-1 <= piece.y <= charts.HEIGHT + 1 and piece.height >= 0 for piece in pieces)


@given(st.lists(values, min_size=1, max_size=8))
def test_the_parts_of_a_ring_close_it(numbers):
    segments, total = charts.ring([("part", number, "good") for number in numbers])
    assert sum(segment.length for segment in segments) == pytest.approx(100 if total else 0, abs=0.1)


@pytest.mark.parametrize(("highest", "top"), [(0, 1), (9.2, 12), (34, 36), (1000, 1200)])
def test_an_axis_ends_at_a_round_number_above_the_highest_value(highest, top):
    assert charts.axis(highest)[-1] == pytest.approx(top, rel=0.25)
    assert charts.axis(highest)[-1] >= highest
