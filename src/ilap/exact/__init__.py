"""The engine in closed form: a linear discriminant with one covariance, on frozen features. Nothing is trained.

    metric.py         the covariance within a class: what the prior says, and the residuals seen
    class_prior.py    how classes differ, and which directions so few pictures can tell
    frame.py          coordinates that follow from a metric, and what was carried into them
    statistics.py     what is kept of an exposure
    model.py          all that was learned, as one value; learn, move, forget
    noise.py          how much of a distance is noise
    likelihood.py     how likely a distance is within a class, and between two
    bursts.py         exposures whose pictures hang together
    evidence.py       how likely an exposure is each class, and how likely a new one
    second_look.py    is a class two, now that another exposure has come?
    strangers.py      pictures that do not belong
    trial.py          the paper's accuracy drop, in closed form
    leave_one_out.py  accuracy of what was learned, each picture left out
    typicality.py     is a single picture like any class at all?
    review.py         classes that may be one, classes that may be two
    exact.py          the classifier, which keeps core/classifier.py

The constants of all of them are in core/rule.py.
"""
