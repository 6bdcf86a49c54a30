"""Figure 7: CIFAR-10, accuracy and number of classes over exposures."""

from functools import partial

from ilap.paper import over_stream

make = partial(over_stream.make, "figure7", "cifar10", "CIFAR-10")
