"""The file of a learner: SQLite, and all SQL there is.

schema.py       tables, migrations
file.py         opening: one writer, many readers, transactions, errors in words
connection.py   names that are no text
events.py       the log (learner/log.py), as rows
exposures.py    exposures, their pictures, features and thumbnails
state.py        what a learner knows, out of the file and into it
store.py        the file as the store of a learner (learner/store.py)
view.py         rows for people and exports
check.py        does all that is derived follow from the log and the features? or rebuilt
"""
