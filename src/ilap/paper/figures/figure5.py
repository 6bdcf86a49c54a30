"""Figure 5: MNIST, accuracy and number of classes over exposures."""

from functools import partial

from ilap.paper import over_stream

make = partial(over_stream.make, "figure5", "mnist", "MNIST")
