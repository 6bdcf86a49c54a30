"""The file of a learner: SQLite, and all SQL there is.

schema.py       tables, migrations
file.py         opening: one writer, many readers, transactions, errors in words
events.py       the log: who moved which exposures where
exposures.py    exposures, their pictures, features and thumbnails
state.py        what a learner knows, out of the file and into it
steps.py        what is written down of a step
view.py         rows for people and exports
check.py        does everything follow from the log and the features?
compact.py      all that is derived, made anew
"""
