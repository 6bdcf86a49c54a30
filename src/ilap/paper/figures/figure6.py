"""Figure 6: SVHN, accuracy and number of classes over exposures."""

from functools import partial

from ilap.paper import over_stream

make = partial(over_stream.make, "figure6", "svhn", "SVHN")
