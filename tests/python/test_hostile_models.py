"""Model files and pickles whose checksum is right and whose content lies are refused with the name of the field."""

import pickle
import re
import struct

import numpy as np
import pytest
from kore import KORERegressor, load

# The section "function": one byte, the intercept, then a count and the coefficients.
NAME = struct.pack("<Q", 8) + b"function"
LIES = {"intercept": 1, "coefficients": 1 + 8 + 8}


def sealed(envelope):
    """With the checksum of envelopes before they had XXH3, which are still read: FNV-1a over eight bytes at a time."""
    content = bytearray(envelope[:-8])
    content[5] = 0  # which checksum it is
    words = len(content) // 8
    rest = content[8 * words :]
    value = 0xCBF29CE484222325
    for word in [*struct.unpack_from(f"<{words}Q", content), *rest]:
        value = (value ^ word) * 0x100000001B3 % 2**64
        value ^= value >> 29
    return bytes(content) + struct.pack("<Q", value)


def lying(envelope, place):
    changed = bytearray(envelope)
    at = changed.index(NAME) + len(NAME) + 8 + place
    changed[at : at + 8] = struct.pack("<d", float("nan"))
    return sealed(changed)


@pytest.fixture(scope="module")
def model():
    X = np.random.default_rng(1).uniform(size=(200, 2))
    return KORERegressor().fit(X, np.sin(6 * X[:, 0]))


@pytest.fixture(scope="module")
def envelope(model, tmp_path_factory):
    path = tmp_path_factory.mktemp("models") / "sound.kore"
    model.save(path)
    return path.read_bytes()


def test_an_envelope_that_was_sealed_again_is_read(model, envelope, tmp_path):
    path = tmp_path / "sealed.kore"
    path.write_bytes(sealed(envelope))
    X = np.random.default_rng(2).uniform(size=(20, 2))
    np.testing.assert_array_equal(load(path).predict(X), model.predict(X))


@pytest.mark.parametrize("field", LIES)
def test_files_that_lie_are_refused(envelope, field, tmp_path):
    path = tmp_path / "lying.kore"
    path.write_bytes(lying(envelope, LIES[field]))
    with pytest.raises(ValueError, match=f"inconsistent: its {field}"):
        load(path)


@pytest.mark.parametrize("field", LIES)
def test_pickles_that_lie_are_refused(model, field):
    pickled = pickle.dumps(model)
    begin = re.search(rb"KORE[\x01-\x0f]", pickled).start()  # its version follows, and no class's name
    length = struct.unpack_from("<Q", pickled, begin + 8)[0] + 24
    envelope = pickled[begin : begin + length]
    with pytest.raises(ValueError, match=f"inconsistent: its {field}"):
        pickle.loads(pickled.replace(envelope, lying(envelope, LIES[field])))
