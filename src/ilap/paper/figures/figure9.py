"""Figure 9: CRIB, accuracy and number of classes over exposures."""

from functools import partial

from ilap.paper import over_stream

make = partial(over_stream.make, "figure9", "crib", "CRIB")
