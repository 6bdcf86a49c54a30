"""The learner: unlabelled exposures in, classes out.

    state.py        all that was learned, as one value
    step.py         the loop of the paper as one transition: step(state, samples) -> steps
    tentative.py    where that belongs which is unsure, with ids that last
    answers.py      what a person answers to a question, and what follows
    proposals.py    what is proposed to a person, and what accepting all of a kind changes
    log.py          what was decided, by whom: events that move exposures, and what follows from them
    corrections.py  what a person's word changes
    names.py        which names a class may have
    naming.py       classes and single pictures, out of a state
    store.py        where all of it is kept: the contract, a store in memory, and what is written
    learner.py      the learner, over a store

keep/ has the store that is a file.
"""
