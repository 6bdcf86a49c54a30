"""CIFAR-100: 60,000 photographs of 100 classes, 32 x 32 pixels (Krizhevsky, "Learning Multiple Layers of
Features from Tiny Images", 2009)."""

from __future__ import annotations

from ilap.data import cifar10, files
from ilap.data.contract import Dataset

SOURCE = files.Source(
    "https://www.cs.toronto.edu/~kriz/cifar-100-binary.tar.gz", "03b5dce01913d631647c71ecec9e9cb8"
)
MD5 = {"train.bin": "6172c7755cfe09b2fe270c85cebc1b15", "test.bin": "4499cfba6c016c1be1438163640a0898"}
COUNTS = {"train.bin": 50_000, "test.bin": 10_000}
FINE = """
    apple aquarium_fish baby bear beaver bed bee beetle bicycle bottle bowl boy bridge bus butterfly camel
    can castle caterpillar cattle chair chimpanzee clock cloud cockroach couch crab crocodile cup dinosaur
    dolphin elephant flatfish forest fox girl hamster house kangaroo keyboard lamp lawn_mower leopard lion
    lizard lobster man maple_tree motorcycle mountain mouse mushroom oak_tree orange orchid otter palm_tree
    pear pickup_truck pine_tree plain plate poppy porcupine possum rabbit raccoon ray road rocket rose sea
    seal shark shrew skunk skyscraper snail snake spider squirrel streetcar sunflower sweet_pepper table
    tank telephone television tiger tractor train trout tulip turtle wardrobe whale willow_tree wolf woman
    worm
"""
NAMES = tuple(FINE.split())


def create() -> Dataset:
    """Read the binary version; the classes are the 100 fine ones."""
    folder = files.find_folder(["cifar-100-binary", "cifar-100", "cifar100"], "test.bin", SOURCE)
    parts = {}
    for file, md5 in MD5.items():
        parts[file] = cifar10.read([folder / file], 2, len(NAMES))
        if len(parts[file]) == COUNTS[file]:
            files.check(folder / file, md5)
    names = cifar10.names(folder / "fine_label_names.txt", NAMES)
    dataset = Dataset("cifar100", parts["train.bin"], parts["test.bin"], names)
    return files.check_counts(dataset, COUNTS["train.bin"], COUNTS["test.bin"])
