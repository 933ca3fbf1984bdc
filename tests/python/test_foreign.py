"""Foreign: files of other systems, opened, asked, added to and saved."""

import json
import os
import shutil
from pathlib import Path

import pytest
import seenset
from seenset import Foreign

FILES = Path(os.environ["SEENSET_SOURCE"], "tests/vectors/foreign")
CORE = bytes.fromhex("03ce4299050000000100008001")
KEYS = [bytes.fromhex(key) for key in (
    "99108ad8ed9bb6274d3980bab5a85c048f0950c8",
    "b5a2c786d9ef4658287ced5914b37a1b4aa32eee",
    "b9300670b4c5366e95b2699e8b18bc75e5f729c5")]


@pytest.mark.parametrize("name, count, of", [
    ("guava.bloom", 500, "guava"), ("leveldb.ldb", 300, "leveldb"),
    ("rocksdb-2.sst", 300, "rocksdb"), ("rocksdb-5.sst", 300, "rocksdb")])
def test_keys_are_found(name, count, of):
    file = Foreign(FILES / name)
    assert file.format == of and file.path == FILES / name
    answers = file.has_many(f"key {i}" for i in range(3000))
    assert all(answers[:count]) and sum(answers) < 2900
    assert "key 7" in file and b"key 7" in file
    assert [f"key {i}" in file for i in range(3000)] == answers


@pytest.mark.parametrize("name", ["guava.bloom", "guava-32.bloom",
                                  "flor.bloom"])
def test_a_set_is_saved_as_it_was(name, tmp_path):
    path = tmp_path / name
    shutil.copy(FILES / name, path)
    file = Foreign(path)
    seen = file.to_set()
    assert seen.info().scheme == file.filters()[0]["scheme"]
    file.save(seen, path)
    assert path.read_bytes() == (FILES / name).read_bytes()
    seen.add("one more")
    file.save(seen, path)
    assert "one more" in Foreign(path)
    assert "one more" not in file  # planted: it is the file of before
    assert path.stat().st_size == (FILES / name).stat().st_size


def test_bitcoin(tmp_path):
    path = tmp_path / "wallet"
    path.write_bytes(CORE)
    file = Foreign(os.fspath(path))
    assert file.has_many(KEYS) == [True] * 3 and KEYS[0][::-1] not in file
    filter, = file.filters()
    assert filter["seed"] == 2147483649 and filter["size_bits"] == 24
    assert filter["reason"] == "" and filter["hash_count"] == 5
    file.save(file.to_set(), path)
    assert path.read_bytes() == CORE


BLOCK = "0000000018b07dca1b28b4b5a119f6d6e71698ce1ed96f143f54179ce177a19c"


def test_block_of_bitcoin(tmp_path):
    path = tmp_path / "block"
    path.write_bytes(bytes.fromhex(  # bip-0158/testnet-19.json
        "0afbc2920af1b027f31f87b592276eb4c32094bb4d3697021b4c6380"))
    script = bytes.fromhex("76a91445db0b779c0b9fa207f12a8218c94fc77aff504588ac")
    file = Foreign(path, block=BLOCK)
    assert file.format == "bip158" and file.filters()[0]["added_items"] == 10
    assert script in file and script[:-1] not in file
    assert script not in Foreign(path, block=BLOCK[::-1])  # planted
    with pytest.raises(seenset.SeensetError, match="block="):
        script in Foreign(path)
    with pytest.raises(seenset.SeensetError):
        file.to_set()
    for wrong in "", BLOCK[1:], BLOCK + "0", "g" + BLOCK[1:]:
        with pytest.raises(ValueError, match="64 hexadecimal"):
            Foreign(path, block=wrong)
    with pytest.raises((ValueError, seenset.SeensetError)):
        Foreign(FILES / "guava.bloom", block=BLOCK)


def test_redisbloom(tmp_path):
    dumps = Path(os.environ["SEENSET_SOURCE"],
                 "tests/redis/payloads/redisbloom.json")
    path = tmp_path / "dump"
    for row in json.loads(dumps.read_text())["filters"]:
        path.write_bytes(b"".join(bytes.fromhex(data)
                                  for _, data in row["dump"]))
        file = Foreign(path)
        assert file.format == "redisbloom"
        assert len(file.filters()) + 1 == len(row["dump"])
        assert all(file.has_many(f"item-{i}" for i in range(row["items"])))
        assert sum(file.has_many(f"no-{i}" for i in range(200))) < 200
        if len(file.filters()) == 1:
            file.save(file.to_set(), tmp_path / "again")
            assert (tmp_path / "again").read_bytes() == path.read_bytes()


def test_columns_of_parquet():
    people = Foreign(FILES / "people.parquet", "email")
    assert people.format == "parquet"
    assert {one["column"] for one in people.filters()} >= {"email"}
    with pytest.raises(ValueError, match="a set is made of one"):
        people.to_set()
    with pytest.raises(ValueError, match="no Bloom filter of 'nothing'"):
        Foreign(FILES / "people.parquet", column="nothing")
    with pytest.raises(ValueError, match="several columns"):
        "a" in Foreign(FILES / "types.parquet")
    types = {one["column"]: one["type"]
             for one in Foreign(FILES / "types.parquet").filters()}
    for column, type in types.items():
        file = Foreign(FILES / "types.parquet", column)
        if type in ("int32", "int64"):
            with pytest.raises(OverflowError):
                2**64 in file
            assert (0 in file) in (True, False)
        if type in ("float", "double"):
            assert (0.5 in file) in (True, False)
        if type == "int32":
            with pytest.raises(OverflowError):
                2**32 in file


def test_what_is_refused(tmp_path):
    path = tmp_path / "file"
    with pytest.raises(FileNotFoundError):
        Foreign(path)
    path.write_bytes(CORE[:-1])
    with pytest.raises(seenset.FormatError, match="none of the formats"):
        Foreign(path)
    path.write_bytes(CORE)
    with pytest.raises(seenset.MismatchError):
        Foreign(path).save(seenset.SeenSet(), path)
    with pytest.raises(TypeError):
        Foreign(path).save("a set", path)
    with pytest.raises(TypeError):
        5.5 in Foreign(path)
    with pytest.raises(TypeError):
        Foreign(path).has_many([b"a", None])
    with pytest.raises(seenset.UnsupportedError, match="are not written"):
        Foreign(FILES / "rocksdb-5.sst").save(seenset.SeenSet(), path)
    assert path.read_bytes() == CORE
