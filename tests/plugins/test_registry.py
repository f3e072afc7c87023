"""Plugins: their additions are there, and another person's package adds its own."""

import shutil
import subprocess
import sys
from importlib import import_module
from pathlib import Path

import pytest

import advisor
from advisor import registry
from commands import ROOT, environment

OWN = sorted(each.name for each in (ROOT / "advisor" / "plugins").iterdir() if each.is_dir())


def test_what_plugins_name_can_be_imported() -> None:
    for plugin in registry.built_in():
        for command in plugin.commands.values():
            import_module(command.module)
        for name, module in plugin.names.items():
            assert getattr(advisor, name) is getattr(import_module(module), name)
            assert name in advisor.__all__
        places = (plugin.engines, plugin.hooks, plugin.options)
        for place in (*plugin.routes, *(each for named in places for each in named.values())):
            assert callable(registry.load(place))


def test_no_two_plugins_bring_the_same_name() -> None:
    for kind in ("commands", "names", "games", "presets", "engines", "hooks"):
        names = [name for plugin in registry.built_in() for name in getattr(plugin, kind)]
        assert len(names) == len({*names})


@pytest.fixture(scope="module")
def packages(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A folder in which the example of a plugin is installed."""
    folder = tmp_path_factory.mktemp("plugin")
    shutil.copytree(ROOT / "examples" / "plugin", folder / "source")
    pip = (sys.executable, "-m", "pip", "install", "--quiet", "--no-deps", "--no-build-isolation")
    subprocess.run((*pip, "--target", folder / "site", folder / "source"), check=True)
    return folder / "site"


def run(packages: Path, *words: str) -> subprocess.CompletedProcess[str]:
    given = environment() | {"PYTHONPATH": f"{packages}:{ROOT}"}
    command = (sys.executable, "-P", "-m", "advisor", *words)
    return subprocess.run(command, env=given, capture_output=True, text=True, check=False)


@pytest.mark.slow
def test_a_package_of_another_person_brings_its_own(packages: Path) -> None:
    assert "corners " in run(packages, "--help").stdout
    assert run(packages, "corners", "a1", "b2").stdout.startswith("Play c3: a win in 1 ply")
    told = run(packages, "match", "cornering", "random", "--game", "corners", "--games", "20")
    assert told.stdout.startswith("cornering against random: 20 games"), told.stderr
    checked = run(packages, "game", "check", "corners", "--games", "20")
    assert "corners: keeps the contract" in checked.stdout
    weights = run(packages, "weights", "--weights", "edges")
    assert "    0: 1  " in weights.stdout, weights.stderr
    code = "import advisor; print(advisor.corner_share(['a1', 'b2']), advisor.game_names())"
    shown = subprocess.run(
        (sys.executable, "-P", "-c", code),
        env=environment() | {"PYTHONPATH": f"{packages}:{ROOT}"},
        capture_output=True,
        text=True,
        check=True,
    ).stdout
    assert shown.startswith("0.5 ")
    assert "'corners'" in shown


@pytest.mark.slow
def test_a_package_that_brings_no_plugin_is_named(packages: Path) -> None:
    (found,) = packages.glob("*.dist-info/entry_points.txt")
    before = found.read_text()
    for value, why in (
        ("advisor_corners:_HERE", "is no advisor.registry.Plugin"),
        ("advisor_corners:NOTHING", "cannot be loaded"),
    ):
        found.write_text(before.replace("advisor_corners:PLUGIN", value))
        told = run(packages, "--help")
        assert told.returncode == 2
        assert told.stderr.startswith("error: plugin 'corners'")
        assert why in told.stderr
        assert told.stderr.count("\n") == 1
    found.write_text(before)
