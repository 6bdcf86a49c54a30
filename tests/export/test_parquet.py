from __future__ import annotations

import sys
from pathlib import Path

import pytest

from ilap.core.errors import BadOutput, MissingExtra
from ilap.export import export
from pictures_in_file import FOX, Kept


def test_types_are_kept_and_what_is_missing_is_null(kept: Kept, tmp_path: Path) -> None:
    pyarrow = pytest.importorskip("pyarrow", reason="parquet is an extra")
    from pyarrow import parquet as reader

    export(kept.file, "parquet", tmp_path / "out.parquet")
    table = reader.read_table(tmp_path / "out.parquet")
    types = {field.name: field.type for field in table.schema}
    assert types["class_id"] == types["exposure_number"] == pyarrow.int64()
    assert types["score"] == types["error"] == pyarrow.float64()
    assert types["included"] == pyarrow.bool_()
    assert types["picture"] == types["class_name"] == pyarrow.string()
    rows = table.to_pylist()
    assert len(rows) == 206
    assert {row["class_name"] for row in rows if row["class_id"] == kept.fox} == {FOX}
    (unsure,) = [row for row in rows if row["decision"] == "unsure"]
    assert unsure["class_id"] is None
    assert unsure["class_name"] is None
    assert 0 < unsure["error"] < 1


def test_an_earlier_one_is_replaced_and_another_file_is_not(kept: Kept, tmp_path: Path) -> None:
    pytest.importorskip("pyarrow", reason="parquet is an extra")
    export(kept.file, "parquet", tmp_path / "out.parquet")
    export(kept.file, "parquet", tmp_path / "out.parquet")
    export(kept.file, "csv", tmp_path / "out.csv")
    with pytest.raises(BadOutput, match="no such export"):
        export(kept.file, "parquet", tmp_path / "out.csv")


def test_without_the_extra_it_says_how_to_get_it(
    kept: Kept, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setitem(sys.modules, "pyarrow", None)
    with pytest.raises(MissingExtra, match=r"pip install 'ilap\[parquet\]'"):
        export(kept.file, "parquet", tmp_path / "out.parquet")
    assert not (tmp_path / "out.parquet").exists()
