"""Everything that can go wrong, by name. Each message is one sentence that says what to do."""


class IlapError(Exception):
    """The base of all errors that are reported to a person without a traceback."""


class BadData(IlapError, ValueError):
    """A file of a data set is damaged or is something else."""


class BadExposure(IlapError, ValueError):
    """The exposure holds no picture, or something that is not a picture."""


class BadFeatures(IlapError, ValueError):
    """A backbone gave features that cannot be learned from."""


class BadSetting(IlapError, ValueError):
    """A setting is out of its range, or has a name that is not known."""


class BadStream(IlapError, ValueError):
    """A stream cannot be made of these pictures."""


class BadOutput(IlapError, OSError):
    """A file cannot be written where it was asked for."""


class CellFailed(IlapError, RuntimeError):
    """A process of a benchmark ended before its work did."""


class MissingFile(IlapError, FileNotFoundError):
    """A file that is needed is not there; ``file`` is its name, without the place, where it has one."""

    def __init__(self, sentence: str, file: str = "") -> None:
        super().__init__(sentence)
        self.file = file or sentence

    def __str__(self) -> str:
        """The sentence itself."""
        return str(self.args[0])


class MissingExtra(IlapError, ImportError):
    """Something was asked for that needs a package which the core does not install."""


class NothingLearned(IlapError, RuntimeError):
    """The learner was asked to name a picture before it knew any class."""


class NotALearner(IlapError, ValueError):
    """A file that should be a learner is something else."""


class NewerLearner(IlapError, ValueError):
    """A learner's file is of a format that this version does not know."""


class DamagedLearner(IlapError, ValueError):
    """A learner's file is cut short or holds what cannot be."""


class Defect(IlapError, RuntimeError):
    """SQLite refused a statement of ilap's own: the file is whole, the program is wrong."""


class LearnerInUse(IlapError, RuntimeError):
    """Another process writes to the learner's file."""


class BadCorrection(IlapError, ValueError):
    """A correction names something that is not there, or that cannot be corrected so."""


class BadPicture(IlapError, ValueError):
    """A file cannot be read as a picture."""
