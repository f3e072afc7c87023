"""Strategies and weights that a game learns: from its rules alone, or from known results."""

from advisor.registry import Command, Plugin

PLUGIN = Plugin(
    commands={
        "learn": Command("advisor.plugins.learn.learn_command", "Other games"),
        "tune": Command("advisor.plugins.learn.tune_command", "Strategies and weights"),
    },
    names={
        **dict.fromkeys(("learn", "tune"), "advisor.plugins.learn.library"),
        "Learned": "advisor.plugins.learn.learning.outcome",
        "SelfTuning": "advisor.plugins.learn.tuning.selfplay",
        "Tuning": "advisor.plugins.learn.tuning.tune",
    },
)
