"""``ilap serve``: the API over a learner in a file, and the page on which a person answers.

server.py     a process that listens: its socket, its address, its end
access.py     who may ask: token, cookie, Host, Origin, sizes; what every answer says to a browser
problems.py   what went wrong, as an answer
service.py    the learner, used by one request at a time
app.py        the application: routes, errors, static files
reads.py      routes that tell
pictures.py   pictures by their ids
learning.py   new bursts, taken in by a thread beside the requests
live.py       events as they happen, and how far learning is
writes.py     routes that change
bodies.py     what requests and answers hold
paging.py     lists, some at a time
static/       the page: plain modules, nothing is built
"""
