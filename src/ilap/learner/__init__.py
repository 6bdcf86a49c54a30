"""The learner: unlabelled exposures in, classes out.

    risk.py       which answers are sure enough
    state.py      all that was learned, as one value
    step.py       the loop of the paper as one transition: step(state, samples) -> steps
    tentative.py  where that belongs which is unsure, with ids that last
    answers.py    what a person answers to a question, and what follows
    moves.py      exposures that a person puts into classes
    naming.py     classes and single pictures, out of a state
    learner.py    a learner in memory, which keeps the last state

A learner in a file (keep/) records the same steps.
"""
