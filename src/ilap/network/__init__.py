"""The engine that is trained: the paper's network, with a head that grows, by gradient descent (section 3).

parameters.py     what it can be told
frozen_part.py    the part below what is trained, computed once an exposure
training.py       how to train, and the one training function: Adam, early stopping
heads.py          the head, a row for every class; several heads on frozen features, trained side by side
trial.py          detection training: what copies are shown, and what becomes of the old classes
network.py        the classifier, which keeps core/classifier.py: detection on copies, update, replay
bias.py           a scale and a shift of every class's logit
bic.py            BiC: distillation and bias correction
confident.py      a confidence branch that is trained along
maps.py           activations inside, layer by layer
"""
