"""The file of a learner: SQLite, and all SQL there is.

schema.py       tables, migrations
file.py         opening: one writer, many readers, transactions, errors in words
connection.py   names that are no text
events.py       the log (learner/log.py), as rows
exposures.py    exposures, their pictures, features and thumbnails
state.py        what a learner knows, out of the file and into it
store.py        the file as the store of a learner (learner/store.py)
view.py         rows for people and exports
checksums.py    every row's, kept by triggers, and what does not fit them
wal.py          is SQLite's write-ahead log whole?
derived.py      what follows from the log and the features, derived again
check.py        does all that is derived follow from the log and the features? or rebuilt
salvage.py      what can be read of a damaged file
first_page.py   where its tables are, where that is damaged
repair.py       a new file of it, and what is lost
log_repair.py   the log of that file
"""
