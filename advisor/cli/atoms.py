"""`advisor atoms` lists the atoms that hold in a position, to write rules with."""

import advisor
from advisor.cli import options, screen
from advisor.cli.groups import command

_SHOWN = 8
"""Atoms of a predicate that are shown unless all are wanted."""


@command("atoms", "advisor atoms 4453")
def atoms(
    *,
    all_: options.AllAtoms = False,
    weights: options.Weights = options.DEFAULT_WEIGHTS,
    where: options.Where,
    json: options.Json = False,
) -> None:
    """List the atoms that hold in a position, to write rules with.

    Of Connect Four it lists the predicates that a strategy of your own may read, with their
    meanings.
    """
    _, position = where.position(weights)
    found = advisor.atoms(position)
    if json:
        screen.print_json({name: [*each.atoms] for name, each in found.items()})
        return
    for name, each in found.items():
        print(each.meaning or name)
        shown = each.atoms if all_ else each.atoms[:_SHOWN]
        for atom in shown:
            print(f"    {atom}")
        if len(each.atoms) > len(shown):
            print(f"    and {len(each.atoms) - len(shown)} more")
