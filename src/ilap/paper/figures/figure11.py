"""Figure 11: exposures of 50 on the other data sets (paper A.3)."""

from functools import partial

from ilap.paper import sizes

make = partial(sizes.make, "figure11")
