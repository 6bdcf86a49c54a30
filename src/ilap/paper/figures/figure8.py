"""Figure 8: CIFAR-100, accuracy and number of classes over exposures."""

from functools import partial

from ilap.paper import over_stream

make = partial(over_stream.make, "figure8", "cifar100", "CIFAR-100")
