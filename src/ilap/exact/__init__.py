"""The engine in closed form: a linear discriminant with one covariance, on frozen features. Nothing is trained.

    metric.py         the covariance within a class: what the prior says, and the residuals seen
    class_prior.py    how classes differ, and which directions so few pictures can tell
    frame.py          coordinates that follow from a metric, and what was carried into them
    statistics.py     what is kept of an exposure
    model.py          all that was learned, as one value; learn, move, forget
    noise.py          how much of a distance is noise
    succession.py     do the pictures of an exposure follow each other?
    whitened.py       an exposure in the coordinates of the metric
    bands.py          how exposures vary, in a few bands of directions
    cosine.py         how alike two exposures are in direction, freed of noise
    agglomerate.py    which exposures show one thing, by the odds of the model of sessions
    session.py        how much of what exposures differ by comes from the session
    surroundings.py   an exposure among all others that were seen, their groups, and where each belongs
    separability.py   how well the things of a stream can be told apart
    features.py       what the log odds of a group are made of
    calibration.py    what was fitted beforehand on many kinds of data (calibration.json)
    belief.py         how likely an exposure is each class, and how likely a new one
    told.py           what people answered, and what that teaches of the stream
    questions.py      which questions to people would help most
    strangers.py      pictures that do not belong
    trial.py          the paper's accuracy drop, in closed form
    leave_one_out.py  accuracy of what was learned, each picture left out
    typicality.py     is a single picture like any class at all?
    review.py         for people: how well classes are known, which may be one or two, what the stream is like
    exact.py          the classifier, which keeps core/classifier.py

The constants of all of them are in core/rule.py.
"""
