"""The benchmark: any learner on any labelled data.

stream.py, draw.py    streams: which class comes when, which pictures it shows
run.py                one learner on one stream: a record an exposure
follow.py             whether each answer was right when it was given, and where its exposure is now
summary.py            the figures of a run, from its records
jobs.py               a piece of work with a log: what it was told, its name, how it goes on
processes.py          jobs in processes of their own
cell.py               the job of ilap bench: one learner, one data set, one seed
records.py            records as lines of a log
tables.py             figures over seeds, as Markdown, CSV and LaTeX
learners/             rivals and bounds, one file each
demo.py, page.py      ilap demo and its page
"""
