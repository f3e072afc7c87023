"""`advisor weights`: the effective settings, to save and change."""

import advisor
from advisor.cli import options
from advisor.cli.groups import command


@command("weights", "advisor weights > mine.yaml")
def weights(
    weights: options.Weights = options.DEFAULT_WEIGHTS, game: options.OtherRules = None
) -> None:
    """Print the effective settings as YAML, to save and change."""
    print(advisor.load_weights(weights, game=game).to_yaml(), end="")
