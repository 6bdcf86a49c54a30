"""A learner in a file: it decides as any other, writes down every step, and can be corrected.

learner.py        the learner in a file
learn.py          bursts from a source, through it
words.py          which class or exposure is meant by a word
answers.py        corrections in words, and what they did: for the command line, a page, an API
suggestions.py    what could be done, as commands
anew.py           what was decided by an earlier rule, decided anew
tally.py          how much is sure and how much tentative
understood.py     what kind of stream it is
health.py         how well each class is known
overview.py       all there is to tell, as plain data
identify.py       single pictures
store/            all SQL: tables, log, state, checks
"""
