"""Classes that resemble each other: the measurements behind figure 4 (section 5.3).

The data set itself says which classes are alike: class means of frozen features, their cosine. For each of the
most similar pairs (k1, k3) a model is taught k1 and a class k2 that is unlike both. Then k3 comes, which is
new, and k1 comes again. A distance in the model's features may take k3 for k1; detection training looks for
features in which they are apart.
"""

from __future__ import annotations

import time
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any

import numpy as np
from numpy.typing import NDArray

from ilap.bench.data import dataset, described, stored
from ilap.bench.jobs import Line
from ilap.bench.run import Taught, untaught
from ilap.bench.stream import Plan, Stream, plan
from ilap.core.exposure import Samples
from ilap.core.parameters import component
from ilap.core.settings import Settings, resolve
from ilap.data.contract import Labelled
from ilap.detect.confusion import Confusion
from ilap.detect.distance import direction, unit
from ilap.network.network import Network
from ilap.paper.drift import by_distance
from ilap.paper.published import LAMBDA

Array = NDArray[np.float64]
Triple = tuple[int, int, int]

SIMILARITY = 100  # pictures of a class that tell what it resembles
BACKBONE = "lite0"
MAPPED = 60  # test pictures of a class on the map


@dataclass(frozen=True)
class Similar:
    """One data set, one model, one seed; a line for every pair, the most similar first."""

    data: str
    preset: str
    seed: int
    exposure_size: int
    pairs: int
    changes: Mapping[str, Any] = field(default_factory=dict)

    @property
    def title(self) -> str:
        """For the bars."""
        return f"{self.data} similar seed {self.seed}"

    @property
    def inputs(self) -> dict[str, Any]:
        """The data and the model."""
        own = {"seed": self.seed, "exposure_size": self.exposure_size, "pairs": self.pairs}
        return {**described(self.data), **own, "settings": self.settings.plain()}

    @property
    def steps(self) -> int:
        """One a pair."""
        return self.pairs

    @property
    def settings(self) -> Settings:
        """Of the model."""
        return resolve(self.preset, self.changes)

    def stream(self) -> Stream:
        """Two exposures of every class."""
        return plan(dataset(self.data), Plan(self.exposure_size, 2), self.seed, self.seed)

    def lines(self, done: Sequence[Line]) -> Iterator[Line]:
        """Teach two classes, then ask about the third and about the first again."""
        stream = self.stream()
        alike = similarity(dataset(self.data).train)
        for place, triple in enumerate(triples(alike, self.pairs)):
            if place < len(done):
                continue
            started = time.perf_counter()
            model = self.taught(stream, triple)
            k1, k2, k3 = triple
            line: Line = {"k1": k1, "k2": k2, "k3": k3, "similarity": round(float(alike[k1, k3]), 4)}
            for kind, label, which in (("novel", k3, 0), ("repeated", k1, 1)):
                samples, seed = seen(model, stream, label, which)
                finding = Confusion(self.settings.detector.parameters)(
                    model.classifier, samples, model.memory, seed
                )
                number = samples.number
                (away,) = by_distance(model, [(stream.exposure(number), number)])
                line[kind] = {"distance": away, "confusion": round(finding.score, 5)}
            if not place:
                line["map"] = self.mapped(model, stream, triple)
            yield {**line, "seconds": round(time.perf_counter() - started, 3)}

    def taught(self, stream: Stream, triple: Triple) -> Taught:
        """A model that tells k1 from k2."""
        model = untaught(self.settings, self.seed)
        for class_id, label in enumerate(triple[:2]):
            samples, seed = seen(model, stream, label, 0)
            model = model.learn(samples, class_id, seed)
        return model

    def mapped(self, model: Taught, stream: Stream, triple: Triple) -> Line:
        """Test pictures of the three classes on a plane, by their features before and after detection training
        on k3; and how far k1 and k3 lie apart in these features: the mean silhouette, which is 1 for classes
        far apart and 0 for those that lie in one another (Rousseeuw 1987)."""
        from sklearn.metrics import silhouette_score

        assert isinstance(model.classifier, Network)
        test = dataset(self.data).test
        rows = np.concatenate([np.flatnonzero(test.labels == label)[:MAPPED] for label in triple])
        pictures = model.classifier.samples([test.pictures[int(i)] for i in rows])
        samples, seed = seen(model, stream, triple[2], 0)
        confused = model.classifier.confused(samples, model.memory, LAMBDA, seed)
        labels = test.labels[rows]
        pair = labels != triple[1]
        found: Line = {"labels": labels.tolist()}
        for when, classifier in (("before", model.classifier), ("after", confused)):
            features = unit(classifier.features(pictures))
            found[when] = plane(features, self.seed)
            found[f"apart {when}"] = round(float(silhouette_score(features[pair], labels[pair])), 4)
        return found


def plane(features: Array, seed: int) -> list[list[float]]:
    """t-SNE (van der Maaten and Hinton, JMLR 2008), on one thread: so few pictures gain nothing from more."""
    from sklearn.manifold import TSNE
    from threadpoolctl import threadpool_limits

    perplexity = min(30.0, (len(features) - 1) / 4)
    with threadpool_limits(1):
        places = TSNE(perplexity=perplexity, init="pca", random_state=seed).fit_transform(features)
    rounded: list[list[float]] = np.round(places.astype(float), 3).tolist()
    return rounded


def seen(model: Taught, stream: Stream, label: int, which: int) -> tuple[Samples, int]:
    """One of a class's exposures, as the model sees it."""
    number = [n for n, truth in enumerate(stream.truths) if truth == label][which]
    return model.samples(stream.exposure(number), number)


def similarity(train: Labelled) -> Array:
    """Cosines of class means of frozen features, about their common mean, rows and columns by label."""
    backbone = stored(component("backbone", BACKBONE, {}))
    means = []
    for label in range(int(train.labels.max()) + 1):
        rows = np.flatnonzero(train.labels == label)[:SIMILARITY]
        means.append(direction(backbone.features([train.pictures[int(i)] for i in rows])))
    centred = unit(np.stack(means) - np.mean(means, axis=0))
    cosines: Array = centred @ centred.T
    return cosines


def triples(alike: Array, count: int) -> list[Triple]:
    """The most similar pairs of classes (k1, k3), each with the class k2 that is least like either; a class is
    in one pair only.

    >>> rows = [[1, 0.9, 0.1, -0.5], [0.9, 1, 0.2, 0], [0.1, 0.2, 1, 0.3], [-0.5, 0, 0.3, 1]]
    >>> triples(np.array(rows), 2)
    [(0, 3, 1), (2, 0, 3)]
    """
    order = sorted(
        ((i, j) for i in range(len(alike)) for j in range(i + 1, len(alike))), key=lambda pair: -alike[pair]
    )
    used: set[int] = set()
    found: list[Triple] = []
    for k1, k3 in order:
        if len(found) == count or {k1, k3} & used:
            continue
        used |= {k1, k3}
        least = np.maximum(alike[k1], alike[k3])
        found.append((k1, int(np.argmin(least)), k3))
    return found
