"""What everything else is made of: exposures, decisions, exemplars, settings, the rule, and the registry.

Nothing here knows a backbone, a classifier or a file format.
"""
