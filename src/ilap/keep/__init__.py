"""A learner in a file: it decides as any other, writes down every step, and can be corrected.

learner.py        the learner in a file
learn.py          bursts from a source, through it
words.py          which class or exposure is meant by a word, and commands as a shell takes them
cuts.py           whether they were cut where the stream changes
words.py          which class or exposure is meant by a word, and commands that mean what they say
answers.py        questions, corrections and answers in words, and what they did
labels.py         labels that exist already, as a person's word
combine.py        one learner of two
audit.py          sure decisions that a person judges, and what that says of all
redecide.py       what was decided by an earlier rule, decided again
summary.py        how much is sure, and what kind of stream it is, as sentences
overview.py       all there is to tell, as plain data
listing.py        exposures as a list that can be searched
identities.py     classes and tentative groups as a list, and one of them
history.py        the log in words
identify.py       single pictures
store/            all SQL: tables, log, state, checks
"""
