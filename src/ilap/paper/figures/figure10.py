"""Figure 10: smaller exposures (paper A.3)."""

from functools import partial

from ilap.paper import sizes

make = partial(sizes.make, "figure10")
