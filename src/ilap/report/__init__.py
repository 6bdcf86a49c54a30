"""The page that is kept of a learner: what to check, what is unsure, what every class looks like."""
