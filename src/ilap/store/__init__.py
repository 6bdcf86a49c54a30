"""The learner's file: one SQLite database that holds everything a learner knows and how it came to know it.

schema.py has the tables, file.py opens them, events.py is the log from which everything else follows, rows.py
and state.py read and write what a learner knows, check.py verifies it.
"""
