"""A plan in words: what sets of such sizes can show."""

from wellworn.statistics.power import Plan


def in_words(plan: Plan) -> str:
    """Return what an audit of such sizes can and cannot show, in a few sentences."""
    sizes = f"{plan.suspects} suspects against {plan.references} references"
    power = plan.power
    lines = [
        f"{sizes} cannot see an AUC below about {power.detectable:.2f} "
        f"(seen in 80 % of such audits).",
        f"The smallest p-value is {plan.smallest_p:.2g}; of a single prompt, "
        f"{plan.smallest_item_p:.2g}.",
    ]
    if not plan.possible:
        lines.append("No claim beyond converged, not attributable is possible with so few.")
    elif power.claim is not None:
        lines.append(
            f"A claim beyond converged, not attributable needs a control model, and an AUC of "
            f"about {power.claim:.2f} where the sets are equally hard, more where they are not."
        )
    return "\n".join(lines)
