"""The curves of the page, against scikit-learn and values by hand."""

import numpy as np
import pytest
from sklearn.metrics import roc_curve

from wellworn.report.page.curves import POINTS, power, roc, thinned
from wellworn.statistics.comparison import compare, detectable_auc


def test_the_roc_by_hand():
    """Of four references two exceed 0.3; above 0.9 lies one suspect of two, above 0.5 both."""
    found = roc([0.6, 1.0], [0.1, 0.2, 0.5, 0.9])
    assert found.references.tolist() == [0, 0.25, 0.5, 0.75, 1]
    assert found.suspects.tolist() == [0.5, 1, 1, 1, 1]


@pytest.mark.parametrize("decimals", [1, 6])
def test_the_roc_is_sklearns_where_it_steps(decimals):
    """With one decimal there are many ties, in which no threshold splits equal scores."""
    draw = np.random.default_rng(3)
    suspects, references = draw.normal(0.4, 1, 60), draw.normal(0, 1, 50)
    suspects, references = suspects.round(decimals), references.round(decimals)
    labels = [1] * 60 + [0] * 50
    fpr, tpr, _ = roc_curve(labels, [*suspects, *references], drop_intermediate=False)
    found = roc(suspects, references)
    for share, height in zip(found.references, found.suspects, strict=True):
        assert height == pytest.approx(tpr[fpr <= share + 1e-9].max())


def test_the_area_below_it_is_the_auc_without_ties():
    draw = np.random.default_rng(5)
    suspects, references = draw.normal(0.8, 1, 40).tolist(), draw.normal(0, 1, 30).tolist()
    found = roc(suspects, references)
    area = (found.suspects[:-1] * np.diff(found.references)).sum()
    assert area == pytest.approx(compare(suspects, references).auc)


def test_the_band_holds_the_curve_and_narrows_with_more_prompts():
    draw = np.random.default_rng(7)
    widths = []
    for size in (20, 320):
        found = roc(draw.normal(0.7, 1, size), draw.normal(0, 1, size))
        inside = (found.low <= found.suspects) & (found.suspects <= found.high)
        assert inside.mean() > 0.95
        widths.append(float((found.high - found.low).mean()))
    assert widths[1] < 0.4 * widths[0]


def test_the_band_of_separated_sets_has_no_width():
    found = roc([2, 3, 4], [0, 1])
    assert found.low.tolist() == found.high.tolist() == found.suspects.tolist() == [1, 1, 1]


def test_many_references_have_a_hundred_steps():
    assert len(roc(range(500), range(700)).references) == 101


@pytest.mark.parametrize(("n1", "n2"), [(15, 15), (50, 50), (83, 30)])
def test_power_inverts_what_is_detectable(n1, n2):
    assert power(np.array([detectable_auc(n1, n2)]), n1, n2)[0] == pytest.approx(0.8)
    assert power(np.array([0.5]), n1, n2)[0] == pytest.approx(0.025)


def test_thinning_keeps_the_ends_and_the_quartiles():
    values = np.random.default_rng(1).permutation(10_001).tolist()
    kept = thinned(values)
    assert (len(kept), kept[0], kept[-1]) == (POINTS, 0, 10_000)
    assert kept == sorted(kept)
    assert np.quantile(kept, 0.25) == pytest.approx(2_500, abs=30)


def test_few_values_are_all_kept():
    assert thinned([3.0, 1.0, 1.0]) == [1.0, 1.0, 3.0]
