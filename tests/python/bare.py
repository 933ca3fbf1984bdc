"""What a Python without any other package does with seenset.

With --symbols FILE: whether the module FILE uses the stable ABI of 3.11 only,
as far as that shows in names: none with an underscore before Py but the few
that the headers of the stable ABI put there themselves.
"""

import array
import os
import pickle
import subprocess
import sys
import tempfile

PRIVATE = {"_Py_NoneStruct", "_Py_TrueStruct", "_Py_FalseStruct",
           "_Py_NotImplementedStruct", "_Py_Dealloc", "_Py_IncRef",
           "_Py_DecRef", "_PyArg_ParseTuple_SizeT",
           "_PyArg_ParseTupleAndKeywords_SizeT", "_Py_BuildValue_SizeT",
           "_PyObject_CallMethod_SizeT"}


def check_symbols(path):
    table = subprocess.run(["nm", "-D", "--undefined-only", path], text=True,
                           check=True, capture_output=True).stdout
    names = {line.split()[-1] for line in table.splitlines()}
    strange = {name for name in names if name.startswith("_Py")} - PRIVATE
    assert not strange, strange
    assert "PyObject_GetBuffer" in names


def check_package():
    import seenset

    seen = seenset.SeenSet(1000, 1e-6)
    assert seen.add("a") and not seen.add("a") and "a" in seen
    assert list(seen.add_many(array.array("Q", [1, 1]))) == [True, False]
    assert "a" in pickle.loads(pickle.dumps(seen))
    with tempfile.TemporaryDirectory() as folder:
        seen.save(os.path.join(folder, "set"))
        assert "a" in seenset.SeenSet.open(os.path.join(folder, "set"))
        with seenset.Queue(os.path.join(folder, "crawl")) as queue:
            assert queue.push("http://a/")
            assert [item.url for item in queue] == ["http://a/"]
    from seenset.compat import Bloom

    assert "a" in Bloom(100, 0.01).union("a")
    check_plot(seen)
    assert "numpy" not in sys.modules
    print("works", seenset.__version__)


def check_plot(seen):
    """It needs matplotlib, and says so only when it is called."""
    try:
        seen.stats().plot()
    except ImportError as error:
        assert error.name == "matplotlib" and "apt install" in str(error)
    else:
        raise AssertionError("there is a matplotlib here")


if sys.argv[1:2] == ["--symbols"]:
    check_symbols(sys.argv[2])
else:
    check_package()
