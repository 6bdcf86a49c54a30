"""A learner in a file: it decides as any other, writes down every step, and can be corrected.

learner.py        the learner in a file
learn.py          bursts from a source, through it
words.py          which class or exposure is meant by a word, and commands as a shell takes them
answers.py        questions, corrections and answers in words, and what they did
labels.py         labels that exist already, as a person's word
combine.py        one learner of two
redecide.py       what was decided by an earlier rule, decided again
summary.py        how much is sure, and what kind of stream it is, as sentences
overview.py       all there is to tell, as plain data
listing.py        exposures as a list that can be searched
identify.py       single pictures
store/            all SQL: tables, log, state, checks
"""
